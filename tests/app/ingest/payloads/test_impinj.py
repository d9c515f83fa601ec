"""The Impinj IoT device interface."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app.ingest.payloads.one_message import NOW, SGTIN, decode, only


def impinj(kind: str = "tagInventory", **event: object) -> dict[str, Any]:
    return {"timestamp": "2026-08-13T09:14:28.651123456Z", "eventType": kind, f"{kind}Event": event}


def test_an_impinj_tag_event_is_read_from_base64url_centi_decibels_and_nanoseconds() -> None:
    row = only(impinj(epc="MDQle_QAt4AABMsv", antennaPort=2, peakRssiCdbm=-5150, frequency=915250))
    assert (row.reader, row.antenna, row.tag, row.rssi) == ("r7", 2, SGTIN, -51.5)
    assert row.ts == NOW - 31_349


def test_an_impinj_event_prefers_its_own_hostname_hex_and_last_seen_time() -> None:
    event = impinj(epcHex=SGTIN, antennaPort=1, lastSeenTime="2026-08-13T09:14:28.600000000Z")
    row = only({"hostname": "r700-1", **event})
    assert (row.reader, row.tag, row.ts) == ("r700-1", SGTIN, NOW - 31_400)


def test_impinj_events_by_array_and_by_lines_are_read_alike() -> None:
    first, second = impinj(epcHex="AA"), impinj(epcHex="BB")
    lines = b"\r\n".join(json.dumps(each).encode() for each in (first, second))
    assert decode([first, second]).rows == decode(lines).rows
    assert [row.tag for row in decode(lines).rows] == ["AA", "BB"]


@pytest.mark.parametrize(
    ("kind", "event", "status"),
    [
        ("antennaConnected", {"antennaPort": 4}, "antenna-connected"),
        ("antennaDisconnected", {"antennaPort": 4}, "antenna-disconnected"),
        ("overflow", {}, "overflow"),
        ("inventoryStatus", {"inventoryStatus": "running"}, "inventory"),
        ("gpiTransition", {"gpi": 1, "transition": "high-to-low"}, "gpi"),
    ],
)
def test_other_impinj_events_become_status_rows(kind: str, event: dict[str, object], status: str) -> None:
    row = only(impinj(kind, **event))
    assert (row.kind, row.antenna) == ("status", event.get("antennaPort", 0))
    assert json.loads(row.detail or "") == {**event, "status": status}


def test_numbers_may_come_as_texts() -> None:
    row = only(impinj(epcHex=SGTIN, antennaPort="2", peakRssiCdbm="-5234"))
    assert (row.antenna, row.rssi) == (2, -52.34)
    row = only({"tag": SGTIN, "ts": str(NOW), "antenna": "3.0", "rssi": "-51.5", "seq": "17"})
    assert (row.ts, row.antenna, row.rssi, row.seq) == (NOW, 3, -51.5, 17)


@pytest.mark.parametrize(
    "text", ["", " 5", "5 ", "0x5", "1e2", "1_000", "NaN", "-Infinity", "5.", ".5", "--5", "\u0665", "9" * 31]
)
def test_a_text_that_is_no_plain_number_stays_a_dead_letter(text: str) -> None:
    [rejected] = decode(impinj(epcHex=SGTIN, peakRssiCdbm=text)).rejected
    assert "`peakRssiCdbm` is not a signal strength" in rejected.reason


def test_a_day_in_iso_8601_is_no_number() -> None:
    assert only({"tag": SGTIN, "ts": "20260813"}).ts == 1_786_579_200_000

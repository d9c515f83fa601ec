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

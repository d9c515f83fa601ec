"""Payloads: what each kind of reader sends, and that nothing whatever can do worse than a rejection."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.ingest import dry_run, payloads
from app.ingest.payloads import FORMATS, WILL, Route, epc
from app.log.row import Row, to_batch
from app.mqtt.message import Message

NOW = 1_786_612_500_000  # 2026-08-13T09:15:00Z
SGTIN = "3034257BF400B7800004CB2F"


def decode(payload: object, topic: str = "site/r7/events", form: str = "auto") -> payloads.Decoded:
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return payloads.decode(topic, raw, NOW, (Route("site/+/events", form),))


def only(payload: object, topic: str = "site/r7/events", form: str = "auto") -> Row:
    decoded = decode(payload, topic, form)
    assert decoded.rejected == []
    [row] = decoded.rows
    return row


def reasons(payload: object, form: str = "auto") -> list[str]:
    return [part.reason for part in decode(payload, form=form).rejected]


def test_a_vigil_reading_keeps_its_fields() -> None:
    row = only({"reader": "gate", "antenna": 2, "tag": SGTIN.lower(), "ts": NOW, "rssi": -51.5, "seq": 9})
    assert row == Row(
        *("reading", "gate", 2, SGTIN, NOW, -51.5, 9, None, NOW, "site/r7/events"),
    )


def test_what_a_vigil_reading_leaves_out_has_defaults() -> None:
    row = only({"tag": "E2801160", "ts": "2026-08-13T09:14:28.651Z"})
    assert (row.reader, row.antenna, row.rssi, row.seq) == ("r7", 1, None, None)
    assert row.ts == NOW - 31_349


def test_an_array_gives_a_row_for_each_and_a_rejection_for_each_bad_one() -> None:
    decoded = decode([{"tag": "AA", "ts": NOW}, {"tag": "no hex", "ts": NOW}, {"tag": "BB", "ts": NOW}])
    assert [row.tag for row in decoded.rows] == ["AA", "BB"]
    [rejected] = decoded.rejected
    assert json.loads(rejected.payload) == {"tag": "no hex", "ts": NOW}
    assert "hex" in rejected.reason


def test_a_vigil_status_becomes_a_status_row() -> None:
    row = only({"reader": "gate", "status": "antenna-disconnected", "antenna": 3, "ts": NOW})
    assert (row.kind, row.reader, row.antenna) == ("status", "gate", 3)
    assert json.loads(row.detail or "") == {"status": "antenna-disconnected"}


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


def test_plain_text_on_a_will_topic_means_that_the_reader_is_gone() -> None:
    row = only(b"reader 7 died", form=WILL)
    assert (row.kind, row.reader) == ("status", "r7")
    assert json.loads(row.detail or "") == {"status": "offline", "text": "reader 7 died"}


def zebra(**data: object) -> dict[str, object]:
    return {"type": "CUSTOM", "timestamp": "2026-08-13T09:14:28.651+0000", "data": data}


def test_zebra_objects_with_nothing_between_them_are_all_read() -> None:
    first = zebra(idHex=SGTIN.lower(), antenna=1, peakRssi=-44, eventNum=17, hostName="FX9600")
    second = zebra(idHex="e2801160", antenna=2, eventNum=18, MAC="84:24:8D:FC:1A:2B")
    decoded = decode(json.dumps(first).encode() + json.dumps(second).encode())
    assert [(row.reader, row.tag, row.antenna, row.rssi, row.seq) for row in decoded.rows] == [
        ("FX9600", SGTIN, 1, -44.0, 17),
        ("84:24:8D:FC:1A:2B", "E2801160", 2, None, 18),
    ]
    assert {row.ts for row in decoded.rows} == {NOW - 31_349}


def test_a_zebra_handheld_sends_an_array_and_is_named_by_its_topic() -> None:
    tags = [
        {"EPCid": SGTIN, "peakRssi": -40, "seenCount": 2, "eventNum": 1},
        {"EPCid": "AABB", "eventNum": 2},
    ]
    raw = json.dumps(zebra(tagData=tags)).encode()
    topic, routes = "acme/DATA/clients/data1event/RFD40-77", (Route("+/DATA/clients/data1event/+"),)
    decoded = payloads.decode(topic, raw, NOW, routes)
    assert [(row.reader, row.tag) for row in decoded.rows] == [("RFD40-77", SGTIN), ("RFD40-77", "AABB")]


def test_a_truncated_message_keeps_what_came_before_the_cut() -> None:
    whole = json.dumps(zebra(idHex="AA")).encode()
    decoded = decode(whole + whole[:30])
    assert [row.tag for row in decoded.rows] == ["AA"]
    assert [part.payload for part in decoded.rejected] == [whole[:30]]


def test_a_command_becomes_a_control_row() -> None:
    row = only({"command": "switch", "detector": "shoplifting", "on": True}, form="control")
    assert (row.kind, row.ts) == ("control", NOW)
    assert json.loads(row.detail or "")["detector"] == "shoplifting"


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "empty"),
        (b"   ", "blank"),
        (b"[]", "empty array"),
        (b"hello", "not JSON"),
        (b"\xff\xfe{}", "not UTF-8 at byte 0"),
        (b"[" * 200_000, "out of bounds"),
        (b'{"a":' * 200_000, "out of bounds"),
        (b"9" * 5_000, "out of bounds"),
        (b'{"tag": "AA", "ts": NaN}', "NaN is not JSON"),
        (b'{"tag": "AA", "ts": 1, "rssi": -Infinity}', "-Infinity is not JSON"),
        (b'{"tag": "AA", "ts": 1, "rssi": 1e999}', "`rssi` is not a signal strength"),
        (b'{"tag": "AA", "ts": 1e300}', "`ts` is not a whole number"),
        (b'{"tag": "AA", "ts": true}', "`ts` is not a whole number"),
        (b'{"tag": "AA", "ts": -5}', "`ts` is not a whole number"),
        (b'{"tag": "AA"}', "`ts` is not a whole number"),
        (b'{"tag": "AA", "ts": "yesterday"}', "ISO 8601"),
        (b'{"tag": "AA", "ts": 1, "reader": "\\ud800"}', "printable"),
        (b'{"tag": "AA", "ts": 1, "reader": "a\\u0000b"}', "printable"),
        (b'{"tag": "AA", "ts": 1, "reader": {}}', "printable"),
        (b'{"tag": "AA", "ts": 1, "antenna": 4294967296}', "`antenna`"),
        (b'{"tag": "AA", "ts": 1, "seq": 99999999999999999999}', "`seq`"),
        (b'{"tag": "", "ts": 1}', "`tag`"),
        (b'{"status": "sleepy"}', "status"),
        (b'{"eventType": "selfDestruct"}', "selfDestruct"),
        (b'{"temperature": 21}', "no known format"),
        (b"null", "not a JSON object"),
        (b"x" * (payloads.MAX_PAYLOAD + 1), "more than the limit"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_the_reason(payload: bytes, reason: str) -> None:
    decoded = decode(payload)
    assert decoded.rows == []
    assert [reason in part.reason for part in decoded.rejected] == [True]


def test_a_reading_from_the_future_is_rejected_because_it_would_carry_time_away() -> None:
    assert reasons({"tag": "AA", "ts": NOW + 3_600_000}) == [
        "its time is 3600 s ahead of this machine's clock"
    ]
    assert reasons({"tag": "AA", "ts": NOW + 60_000}) == []


def test_a_topic_that_nobody_configured_is_rejected() -> None:
    [rejected] = payloads.decode("else/where", b"{}", NOW, (Route("site/+/events"),)).rejected
    assert "no configured topic" in rejected.reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        *("reader", "antenna", "tag", "ts", "rssi", "seq", "status", "eventType", "timestamp", "hostname"),
        *(
            "tagInventoryEvent",
            "overflowEvent",
            "epc",
            "epcHex",
            "antennaPort",
            "peakRssiCdbm",
            "lastSeenTime",
        ),
        *("type", "data", "idHex", "peakRssi", "eventNum", "hostName", "MAC", "tagData", "EPCid"),
    ]
)
WORDS = st.sampled_from(
    [
        SGTIN,
        "AA",
        "MDQle_QAt4AABMsv",
        "2026-08-13T09:14:28.651+0000",
        "tagInventory",
        "overflow",
        "online",
        NOW,
        -5150,
    ]
)
SHAPED = st.recursive(
    WORDS | JSON,
    lambda inner: st.dictionaries(NAMES, inner, max_size=8) | st.lists(inner, max_size=3),
    max_leaves=20,
)


def holds(decoded: payloads.Decoded) -> None:
    """Rows that the log can store, or rejections with a reason; never nothing."""
    assert decoded.rows or decoded.rejected
    assert all(part.reason for part in decoded.rejected)
    assert not decoded.rows or to_batch(decoded.rows).serialize()
    assert all(
        row.detail is None or json.loads(row.detail)["status"] for row in decoded.rows if row.kind == "status"
    )


@settings(max_examples=300, deadline=None)
@given(raw=st.binary(max_size=400), form=st.sampled_from([*FORMATS, WILL]))
def test_bytes_of_any_kind_become_rows_or_rejections(raw: bytes, form: str) -> None:
    holds(decode(raw, form=form))


@settings(max_examples=600, deadline=None)
@given(value=SHAPED, form=st.sampled_from([*FORMATS, WILL]), cut=st.integers(0, 30))
def test_json_that_resembles_readings_becomes_rows_or_rejections(value: object, form: str, cut: int) -> None:
    raw = json.dumps(value).encode()
    holds(decode(raw, form=form))
    holds(decode(raw[: max(0, len(raw) - cut)], form=form))
    holds(decode(raw + raw[cut:], form=form))


def test_the_dry_run_says_what_an_sgtin_96_stands_for() -> None:
    payload = json.dumps({"reader": "gate", "tag": SGTIN, "ts": NOW}).encode()
    [_, line] = dry_run.explain(Message("vigil/readings/gate", payload), payloads.DEFAULT, NOW)
    assert line.endswith(", sgtin-96 0614141.000734.314159")


def encoded(partition: int, company: int, item: int, serial: int) -> str:
    """An SGTIN-96 by the fields of the GS1 standard, one after the other in binary."""
    bits = [40, 37, 34, 30, 27, 24, 20][partition]
    fields = [(0x30, 8), (1, 3), (partition, 3), (company, bits), (item, 44 - bits), (serial, 38)]
    return f"{int(''.join(f'{value:0{width}b}' for value, width in fields), 2):024X}"


@given(st.integers(0, 6), st.integers(0, 10**6 - 1), st.integers(0, 9), st.integers(0, 2**38 - 1))
def test_an_sgtin_96_is_taken_apart(partition: int, company: int, item: int, serial: int) -> None:
    expected = (f"{company:0{12 - partition}}", f"{item:0{1 + partition}}", str(serial))
    assert epc.sgtin_96(encoded(partition, company, item, serial)) == expected


@pytest.mark.parametrize(
    "digits",
    [
        "3114257BF4499602D2000000",  # an SSCC-96
        "E2801160600002054CC2096F",
        "3034257BF400B7800004CB",
        encoded(6, 10**6, 1, 1),  # more than six digits of company
        encoded(0, 1, 10, 1),  # more than one digit of item
        "303C000000000000000000FF",  # the partition that is none
    ],
)
def test_a_tag_of_another_kind_is_no_sgtin_96(digits: str) -> None:
    assert epc.sgtin_96(digits) is None

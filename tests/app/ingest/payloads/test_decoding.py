"""Messages of any kind: nothing whatever can do worse than a rejection with its reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.ingest import payloads
from app.ingest.payloads import FORMATS, WILL, Route
from app.log.row import to_batch
from tests.app.ingest.payloads.one_message import NOW, SGTIN, decode, only, reasons


def test_plain_text_on_a_will_topic_means_that_the_reader_is_gone() -> None:
    row = only(b"reader 7 died", form=WILL)
    assert (row.kind, row.reader) == ("status", "r7")
    assert json.loads(row.detail or "") == {"status": "offline", "text": "reader 7 died"}


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


def test_a_reading_whose_clock_is_far_ahead_is_read_all_the_same() -> None:
    assert reasons({"tag": "AA", "ts": NOW + 366 * 86_400_000}) == []


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

"""Vigil's own JSON."""

from __future__ import annotations

import json

import pytest

from app.log.row import Row
from tests.app.ingest.payloads.one_message import NOW, SGTIN, decode, only


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


def test_a_barcode_stands_where_else_the_tag_stands() -> None:
    row = only({"reader": "scanner", "barcode": "31207000000012", "ts": NOW, "seq": 4})
    assert row == Row("barcode", "scanner", 0, "31207000000012", NOW, None, 4, None, NOW, "site/r7/events")


def test_motion_is_a_row_without_a_tag() -> None:
    row = only({"motion": True, "ts": NOW})
    assert (row.kind, row.reader, row.tag) == ("motion", "r7", "")


def test_motion_that_is_not_true_is_rejected() -> None:
    [rejected] = decode({"motion": False, "ts": NOW}).rejected
    assert rejected.reason == "`motion` is `true` when somebody moves, not False"


def test_motion_may_say_where_it_went() -> None:
    row = only({"motion": True, "to": "living", "ts": NOW})
    assert (row.kind, json.loads(row.detail or "")) == ("motion", {"to": "living"})


def test_a_cameras_guess_is_kept_as_a_distribution() -> None:
    row = only({"reader": "cam", "entities": {"anna": 0.7, "ben": "0.2"}, "ts": NOW, "seq": 3})
    assert (row.kind, row.reader, row.tag, row.seq) == ("guess", "cam", "", 3)
    assert json.loads(row.detail or "") == {"entities": {"anna": 0.7, "ben": 0.2}}


@pytest.mark.parametrize(
    ("entities", "reason"),
    [
        ({"anna": 0.8, "ben": 0.4}, "`entities` is not a distribution such as {'ann': 0.7}"),
        ({}, "`entities` is not a distribution such as {'ann': 0.7}"),
        ({"anna": 2}, "`entities.anna` is not a probability from 0 to 1: 2"),
        (["anna"], "`entities` is not an object"),
        ({"anna": None}, "`entities.anna` is not a probability from 0 to 1"),
    ],
)
def test_a_guess_that_is_no_distribution_is_rejected(entities: object, reason: str) -> None:
    [rejected] = decode({"entities": entities, "ts": NOW}).rejected
    assert reason in rejected.reason


def test_a_leak_is_a_row_without_a_tag() -> None:
    row = only({"leak": True, "ts": NOW})
    assert (row.kind, row.reader, row.tag, row.detail) == ("leak", "r7", "", None)


def test_a_leak_that_is_not_true_is_rejected() -> None:
    [rejected] = decode({"leak": "yes", "ts": NOW}).rejected
    assert rejected.reason == "`leak` is `true` while there is water, not 'yes'"

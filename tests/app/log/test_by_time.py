"""Looking into the log by time: positions of a stretch, and the raw readings behind an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app import log
from app.log.by_time import positions_between, readings_before
from app.log.row import STORED_SCHEMA, Row, reading_row, to_batch

NOON = 1_772_452_800_000
TAG = "3034F4E4E461A80000000001"
OTHER = "3034F4E4E461A80000000099"
Write = Callable[[list[Row]], int]


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Appends rows to the log."""
    with log.LogWriter(tmp_path, STORED_SCHEMA) as writer:
        yield lambda rows: writer.append(to_batch(rows))


def read(reader: str, tag: str, ts: int) -> Row:
    return reading_row(reader, 1, tag, ts, ts, rssi=-40.0, seq=None, topic="")


def stay(reader: str, tag: str, start: int, every: int, times: int) -> list[Row]:
    return [read(reader, tag, start + every * number) for number in range(times)]


def test_the_readings_behind_an_event_are_those_of_its_tag_and_reader_before_it(
    tmp_path: Path, write: Write
) -> None:
    write(stay("shelf-denim", TAG, NOON - 100_000, 10_000, 3))
    write([read("main-exit-gate", TAG, NOON - 250), read("main-exit-gate", OTHER, NOON - 200)])
    write([read("till-1-pad", TAG, NOON - 100), read("main-exit-gate", TAG, NOON)])
    write(stay("main-exit-gate", TAG, NOON + 5_000, 250, 2))
    rows = readings_before(tmp_path, TAG, "main-exit-gate", NOON)
    assert [row["ts"] for row in rows] == [NOON - 250, NOON]


def test_a_stretch_is_found_by_when_rows_came_in(tmp_path: Path, write: Write) -> None:
    write(stay("shelf-denim", TAG, NOON, 1_000, 10))
    assert positions_between(tmp_path, NOON + 2_500, NOON + 5_000) == (3, 5)
    assert positions_between(tmp_path, NOON - 1, NOON + 99_000) == (0, 10)


def test_an_event_that_the_log_no_longer_reaches_has_no_readings(tmp_path: Path, write: Write) -> None:
    write(stay("shelf-denim", TAG, NOON, 1_000, 3))
    assert readings_before(tmp_path, TAG, "shelf-denim", NOON - 10_000_000) == []

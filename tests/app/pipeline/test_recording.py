"""Looking into the log by time: positions of a stretch, and the raw readings behind an event."""

from __future__ import annotations

from app.cleaning.setup import CleaningSetup
from app.log.by_time import positions_between, readings_before

from .conftest import NOON, Write, read, stay

OTHER = "3034F4E4E461A80000000099"


def test_the_readings_behind_an_event_are_those_of_its_tag_and_reader_before_it(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    write(stay("shelf-denim", tag, NOON - 100_000, 10_000, 3))
    write([read("main-exit-gate", tag, NOON - 250), read("main-exit-gate", OTHER, NOON - 200)])
    write([read("till-1-pad", tag, NOON - 100), read("main-exit-gate", tag, NOON)])
    write(stay("main-exit-gate", tag, NOON + 5_000, 250, 2))
    rows = readings_before(cleaning.log, tag, "main-exit-gate", NOON)
    assert [row["ts"] for row in rows] == [NOON - 250, NOON]


def test_a_stretch_is_found_by_when_rows_came_in(cleaning: CleaningSetup, write: Write, tag: str) -> None:
    write(stay("shelf-denim", tag, NOON, 1_000, 10))
    assert positions_between(cleaning.log, NOON + 2_500, NOON + 5_000) == (3, 5)
    assert positions_between(cleaning.log, NOON - 1, NOON + 99_000) == (0, 10)


def test_an_event_that_the_log_no_longer_reaches_has_no_readings(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    write(stay("shelf-denim", tag, NOON, 1_000, 3))
    assert readings_before(cleaning.log, tag, "shelf-denim", NOON - 10_000_000) == []

"""At night only heartbeats come: Spark is not bothered with them until something is due."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from app.cleaning.setup import CleaningSetup
from app.log.row import Row, heartbeat_row
from app.spark import cleaned_source
from app.spark.cleaned_log import MOST_BEATS, CleanedLog
from app.spark.cleaned_source import CleanedReader
from app.spark.next_deadline import NEVER, NextDeadline
from app.spark.offsets import Offset
from tests.app.rows import NOON, Write, online, theft, visit

LATER = NOON + 600_000  # the thief has long left


def beats(first: int, count: int) -> list[Row]:
    """One a second, each five seconds behind the clock, as ingest writes them."""
    return [heartbeat_row(first + 1_000 * at, first + 1_000 * at + 5_000) for at in range(count)]


def told(batches: list[pa.RecordBatch]) -> list[tuple[str, int]]:
    rows = [row for batch in batches for row in batch.to_pylist()]
    return [(row["event"], row["ts"]) for row in rows if row["event"] != "HEARTBEAT"]


@pytest.fixture
def deadline(tmp_path: Path) -> NextDeadline:
    return NextDeadline(tmp_path / "next-deadline")


@pytest.fixture
def reader(cleaning: CleaningSetup, write: Write, tag: str, deadline: NextDeadline) -> CleanedReader:
    """Spark has read what happened in the evening."""
    write([*theft(tag, NOON), *beats(LATER, 1)])
    return CleanedReader(cleaning, {"path": str(cleaning.log), "deadline": str(deadline.path)})


def after_the_evening(reader: CleanedReader) -> Offset:
    return reader.read(reader.initialOffset())[1]


def test_heartbeats_before_the_deadline_are_no_batch(
    reader: CleanedReader, write: Write, deadline: NextDeadline
) -> None:
    start = after_the_evening(reader)
    deadline.note(None)
    write(beats(LATER + 1_000, 3))
    rows, end = reader.read(start)
    assert (list(rows), end) == ([], start)


def test_time_that_reaches_the_deadline_is_a_batch(
    reader: CleanedReader, write: Write, deadline: NextDeadline
) -> None:
    start = after_the_evening(reader)
    deadline.note(LATER + 4_500)
    write(beats(LATER + 1_000, 4))
    assert reader.read(start)[1] == start
    write(beats(LATER + 5_000, 1))
    rows, end = reader.read(start)
    assert end == {"position": start["position"] + 5}
    assert [batch["ts"].to_pylist() for batch in rows] == [[LATER + 4_500]]


def test_without_word_of_what_waits_every_heartbeat_is_a_batch(reader: CleanedReader, write: Write) -> None:
    start = after_the_evening(reader)
    write(beats(LATER + 1_000, 1))
    assert reader.read(start)[1] == {"position": start["position"] + 1}


def test_a_row_that_is_no_heartbeat_is_a_batch_at_once(
    reader: CleanedReader, write: Write, deadline: NextDeadline
) -> None:
    start = after_the_evening(reader)
    deadline.note(None)
    write(beats(LATER + 1_000, 2))
    assert reader.read(start)[1] == start
    write([online("till-1-pad", LATER + 8_000)])
    assert reader.read(start)[1] == {"position": start["position"] + 3}


def test_now_and_then_there_is_a_batch_all_the_same(
    reader: CleanedReader, write: Write, deadline: NextDeadline
) -> None:
    start = after_the_evening(reader)
    deadline.note(None)
    write(beats(LATER + 1_000, MOST_BEATS))
    assert reader.read(start)[1] == {"position": start["position"] + MOST_BEATS}


def test_what_time_alone_brings_about_is_a_batch_and_the_same_as_if_read_at_once(
    cleaning: CleaningSetup, write: Write, tag: str
) -> None:
    """Somebody stands in the door: that he has left is an event of the heartbeats."""
    write([*visit(tag, NOON), *beats(NOON + 3_400, 5)])
    start: Offset = {"position": 7}
    ends: list[Offset] = [{"position": at} for at in range(8, 13)]
    patient = CleanedLog(cleaning)
    patient.between({"position": 0}, start)
    waits = [patient.only_time_passes(start, end, NEVER) for end in ends]
    assert waits[0]
    assert not waits[-1]
    found = told(patient.between(start, ends[-1]))
    assert "EXIT-LEFT" in [event for event, _ in found]
    assert found == told(CleanedLog(cleaning).between(start, ends[-1]))


class Clock:
    """Passes only while somebody sleeps, and counts how often."""

    def __init__(self) -> None:
        self.now_s, self.slept = 1e6, 0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s, self.slept = self.now_s + seconds, self.slept + 1


def test_at_rest_the_log_is_asked_less_often(
    reader: CleanedReader, deadline: NextDeadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be on another machine, where every question is a message."""
    clock = Clock()
    monkeypatch.setattr(cleaned_source, "time", clock)
    start = after_the_evening(reader)
    deadline.note(None)
    looked = []
    for _ in range(4):
        assert reader.read(start)[1] == start
        looked.append(clock.slept)
        clock.slept = 0
    assert looked[0] > 3 * looked[-1] > 0

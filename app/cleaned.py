"""Cleaning hosted in Spark: rows of the log in, events out, by a washer that any worker can rebuild.

One task does it, in the order of the log: the compiled cleaner takes some hundred thousand rows a second, and
a second stateful operator would cost more time per micro-batch than all the rest of the pipeline.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from app import log, reading, scenario, snapshots
from app.scenario import Scenario
from app.source import NO_POSITION
from app.washer import Washer, schema

WORKERS = "PYTHON_WORKERS_OF"
SNAPSHOT_ROWS = 50_000
FOREVER = 2**63 - 1


@dataclass(frozen=True)
class Place:
    """Where a worker finds what it needs: the scenario's file, the log, and a folder to keep snapshots in."""

    scenario: Path
    log: Path
    snapshots: Path
    lateness_ms: int


@dataclass
class _Warm:
    """A washer in this worker's memory and the answer to the last question, should it be asked again."""

    washer: Washer
    near: log.Place | None = None
    question: tuple[int, int] | None = None
    answer: pa.RecordBatch | None = None
    since_snapshot: int = 0


_warm: dict[Place, _Warm] = {}


def clean(rows: DataFrame, place: Place) -> DataFrame:
    """The events of a stream of the log."""

    def events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return answer(batches, place)

    with _workers_of_their_own(rows):
        return rows.coalesce(1).mapInArrow(events, _spark_schema(place.scenario))


@contextmanager
def _workers_of_their_own(rows: DataFrame) -> Iterator[None]:
    """Spark hands idle Python workers out in turn, but only to work of the same environment. One that cleans
    remembers where it stopped, as one that matches does: apart, each finds what it knows current."""
    environment = rows.sparkSession.sparkContext.environment
    environment[WORKERS] = "clean"
    try:
        yield
    finally:
        del environment[WORKERS]


def clean_recording(rows: DataFrame, place: Place) -> DataFrame:
    """The events of a recorded stretch: the same, from the beginning to the end in one go."""

    def events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        washer = Washer(_loaded(place.scenario), place.lateness_ms)
        for table in _in_order(batches):
            yield washer.push(table)
        yield washer.finish()

    return rows.coalesce(1).mapInArrow(events, _spark_schema(place.scenario))


def answer(batches: Iterator[pa.RecordBatch], place: Place) -> Iterator[pa.RecordBatch]:
    """What one micro-batch of the source brings about."""
    for rows in _in_order(batches):
        first = int(rows["position"][0].as_py())
        if first == NO_POSITION:
            yield _beat(place, int(rows["ts"][0].as_py()))
        else:
            yield _push(place, rows, first)


def _push(place: Place, rows: pa.RecordBatch, first: int) -> pa.RecordBatch:
    question = (first, first + rows.num_rows)
    if place in _warm and _warm[place].question == question and (known := _warm[place].answer) is not None:
        return known
    warm = _warm_at(place, first)
    result = warm.washer.push(rows)
    warm.since_snapshot += rows.num_rows
    if warm.since_snapshot >= SNAPSHOT_ROWS:
        snapshots.save(place.snapshots, warm.washer.snapshot())
        warm.since_snapshot = 0
    return _remember(place, warm, question, result)


def _beat(place: Place, ts: int) -> pa.RecordBatch:
    question = (NO_POSITION, ts)
    if place in _warm and _warm[place].question == question and (known := _warm[place].answer) is not None:
        return known
    position = snapshots.last_position(place.snapshots, log.earliest(place.log))
    warm = _warm_at(place, position, ts)
    return _remember(place, warm, question, warm.washer.advance(ts))


def _remember(place: Place, warm: _Warm, question: tuple[int, int], result: pa.RecordBatch) -> pa.RecordBatch:
    warm.question, warm.answer = question, result
    snapshots.note(place.snapshots, warm.washer.position, warm.washer.beat)
    _warm[place] = warm
    return result


def washer_at(place: Place, position: int) -> Washer:
    """A washer of the caller's own that has seen the log up to the position."""
    warm = _Warm(_kept(place, position))
    _read_on(warm, place, position)
    return warm.washer


def _warm_at(place: Place, position: int, before: int = FOREVER) -> _Warm:
    """This worker's washer, brought to where the log and its heartbeats stood."""
    warm = _warm.get(place)
    if warm is None or warm.washer.position > position:
        warm = _Warm(_kept(place, position))
    _read_on(warm, place, position)
    beat = snapshots.last_beat(place.snapshots, position, before)
    if beat > warm.washer.beat:
        warm.washer.advance(beat)
    return warm


def _read_on(warm: _Warm, place: Place, position: int) -> None:
    washer, start = warm.washer, max(warm.washer.position, log.earliest(place.log))
    if start < position:
        warm.near = log.place(place.log, start, warm.near)
        for batch in log.read(place.log, start, position, warm.near):
            washer.push(batch)
    washer.position = position


def _kept(place: Place, position: int) -> Washer:
    washer = Washer(_loaded(place.scenario), place.lateness_ms)
    kept = snapshots.latest(place.snapshots, position)
    if kept is not None:
        washer.restore(kept)
    return washer


def _in_order(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """All rows of a micro-batch as one batch in the order of the log."""
    found = [batch for batch in batches if batch.num_rows]
    if found:
        table = pa.Table.from_batches(found).select(reading.SCHEMA.names).sort_by("position")
        yield table.combine_chunks().cast(reading.SCHEMA).to_batches()[0]


@cache
def _loaded(path: Path) -> Scenario:
    return scenario.load(path)


def _spark_schema(path: Path) -> StructType:
    return from_arrow_schema(schema(_loaded(path)))

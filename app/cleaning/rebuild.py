"""Cleaning hosted in Spark: the log in, events out, by a washer that any process can rebuild.

The source itself does it, in the order of the log: the compiled cleaner takes some hundred thousand rows a
second, and any operator of Spark's would cost more time per micro-batch than the cleaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from app import log
from app.cleaning import snapshots
from app.cleaning.stream import Washer, schema
from app.log.row import ROW_SCHEMA
from app.place import scenario
from app.place.scenario import Scenario
from app.spark.cleaned_source import CleanedSource, Place
from app.spark.log_source import Offset

__all__ = ["Bench", "Place", "clean", "clean_recording", "washer_at"]

SNAPSHOT_ROWS = 50_000


def clean(spark: SparkSession, place: Place, pace: Mapping[str, int]) -> DataFrame:
    """The events of a stream of the log; `pace` are options of the source "vigil"."""
    spark.dataSource.register(CleanedSource)
    where = {"scenario": str(place.scenario), "snapshots": str(place.snapshots)}
    stream = spark.readStream.format(CleanedSource.name()).schema(_spark_schema(place.scenario))
    return stream.options(**where, **pace).option("latenessMs", place.lateness_ms).load(str(place.log))


def clean_recording(rows: DataFrame, place: Place) -> DataFrame:
    """The events of a recorded stretch: the same, from the beginning to the end in one go."""

    def events(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        washer = Washer(_loaded(place.scenario), place.lateness_ms)
        for table in _in_order(batches):
            yield washer.push(table)
        yield washer.finish()

    return rows.coalesce(1).mapInArrow(events, _spark_schema(place.scenario))


class Bench:
    """A washer that is brought to wherever the stream stands: kept here, or rebuilt from snapshot and log.

    Offsets hold all that a stream's history does to a washer. They are on record before a batch is worked on,
    so a batch that is repeated after a crash gets the same answer."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._washer: Washer | None = None
        self._near: log.SeekPoint | None = None
        self._since_snapshot = 0

    def answer(self, start: Offset, end: Offset) -> list[pa.RecordBatch]:
        """What the rows, or the time, between two offsets bring about."""
        washer, self._washer = self._washer_at(start), None  # one that fails half-way is of no more use
        out = list(self._wash(washer, start, end))
        self._washer = washer
        return out

    def _wash(self, washer: Washer, start: Offset, end: Offset) -> Iterator[pa.RecordBatch]:
        count = end["position"] - start["position"]
        if count:
            yield washer.push(self._rows(start["position"], end["position"]))
            self._since_snapshot += count
        elif end["beat"] != start["beat"]:
            yield washer.advance(end["beat"])
        if self._since_snapshot >= SNAPSHOT_ROWS:
            snapshots.save(self._place.snapshots, washer.snapshot())
            self._since_snapshot = 0

    def _washer_at(self, offset: Offset) -> Washer:
        washer = self._washer
        if washer is None or (washer.position, washer.beat) != (offset["position"], offset["beat"]):
            washer = washer_at(self._place, offset["position"])
            if offset["beat"] > washer.beat:
                washer.advance(offset["beat"])
        return washer

    def _rows(self, start: int, stop: int) -> pa.RecordBatch:
        self._near = log.seek_point(self._place.log, start, self._near)
        return pa.concat_batches(log.read(self._place.log, start, stop, self._near))


def washer_at(place: Place, position: int) -> Washer:
    """A washer of the caller's own that has seen the log up to the position."""
    washer = Washer(_loaded(place.scenario), place.lateness_ms)
    kept = snapshots.latest(place.snapshots, position)
    if kept is not None:
        washer.restore(kept)
    start = max(washer.position, log.earliest(place.log))
    for batch in log.read(place.log, start, position) if start < position else ():
        washer.push(batch)
    washer.position = position
    return washer


def _in_order(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """All rows of a recording as one batch in the order of the log."""
    found = [batch for batch in batches if batch.num_rows]
    if found:
        table = pa.Table.from_batches(found).select(ROW_SCHEMA.names).sort_by("position")
        yield table.combine_chunks().cast(ROW_SCHEMA).to_batches()[0]


@cache
def _loaded(path: Path) -> Scenario:
    return scenario.load(path)


def _spark_schema(path: Path) -> StructType:
    return from_arrow_schema(schema(_loaded(path)))

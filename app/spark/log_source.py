"""The log as a Spark data source named "vigil": a stream with heartbeats, or a recording read as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.datasource import (
    ReadLimit,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from app import log
from app.clock import now_ms
from app.log.row import ROW_SCHEMA, heartbeat_row, to_batch

MAX_ROWS = 200_000
HEARTBEAT_MS = 1_000
SLACK_MS = 1_000
NO_POSITION = -1  # a heartbeat is not in the log
_LAST = 2**63 - 1

TIME = pa.field("time", pa.timestamp("us", "UTC"), nullable=False)
SCHEMA = pa.schema([*ROW_SCHEMA, TIME])


class Offset(TypedDict):
    """How far a stream has come: the next position, and the time of the last heartbeat."""

    position: int
    beat: int


@dataclass(frozen=True)
class Rows(InputPartition):
    """A range of positions and where to begin looking for it."""

    start: int
    stop: int
    near: log.SeekPoint | None


@dataclass(frozen=True)
class Beat(InputPartition):
    ts: int


class VigilSource(DataSource):
    """Options: see docs/connecting-readers.md."""

    @classmethod
    def name(cls) -> str:
        return "vigil"

    def schema(self) -> StructType:
        return from_arrow_schema(SCHEMA)

    def reader(self, schema: StructType) -> RecordingReader:  # noqa: ARG002
        return RecordingReader(self.options)

    def streamReader(self, schema: StructType) -> LogStreamReader:  # noqa: N802, ARG002
        return LogStreamReader(self.options)


def register(spark: SparkSession) -> None:
    spark.dataSource.register(VigilSource)


class RecordingReader(DataSourceReader):
    """A stretch of the log: fromPosition to toPosition and fromTs to toTs; the `to` ends are excluded."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._folder = folder(options)
        self._start = number(options, "fromPosition", log.earliest(self._folder))
        self._stop = min(number(options, "toPosition", log.end(self._folder)), log.end(self._folder))
        self._from_ts = number(options, "fromTs", 0)
        self._to_ts = number(options, "toTs", _LAST)

    def partitions(self) -> Sequence[InputPartition]:
        parts = log.ranges(self._folder, self._start, self._stop)
        return [Rows(part.start, part.stop, None) for part in parts]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, Rows)
        for batch in log.read(self._folder, partition.start, partition.stop):
            wanted = pc.and_(pc.greater_equal(batch["ts"], self._from_ts), pc.less(batch["ts"], self._to_ts))
            yield _timed(batch.filter(wanted))


class LogStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Offsets are positions and, on a quiet log, moments: a replay beats where the first run did."""

    def __init__(self, options: Mapping[str, str], now_ms: Callable[[], int] = now_ms) -> None:
        self._folder = folder(options)
        self._first = number(options, "fromPosition", 0)
        self._max_rows = number(options, "maxRows", MAX_ROWS)
        self._heartbeat_ms = number(options, "heartbeatMs", HEARTBEAT_MS)
        self._slack_ms = number(options, "heartbeatSlackMs", SLACK_MS)
        self._consumer = options.get("consumer", "spark")
        self._now_ms = now_ms
        self._target: int | None = None
        self._near: log.SeekPoint | None = None
        self._committed = -1
        self._last_seen = (-1, 0)  # a position and the time of the rows before it

    def initialOffset(self) -> Offset:  # type: ignore[override]  # noqa: N802
        return {"position": max(self._first, log.earliest(self._folder)), "beat": 0}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802
        return ReadMaxRows(self._max_rows)

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802
        self._target = log.end(self._folder)

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:  # type: ignore[override]  # noqa: N802
        available = log.end(self._folder) if self._target is None else self._target
        waiting = available - start["position"]
        if waiting < 0:
            raise log.LogError(
                f"{self._folder} ends at {available}, but the query has read up to {start['position']}: "
                "this is not the log that the checkpoint belongs to. Use a new checkpoint."
            )
        if waiting == 0:
            return {"position": start["position"], "beat": self._next_beat(start)}
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else waiting
        return {"position": start["position"] + min(waiting, most), "beat": start["beat"]}

    def partitions(self, start: Offset, end: Offset) -> Sequence[InputPartition]:  # type: ignore[override]
        parts: list[InputPartition] = []
        for part in log.ranges(self._folder, start["position"], end["position"]):
            self._near = log.seek_point(self._folder, part.start, self._near)
            parts.append(Rows(part.start, part.stop, self._near))
        return [*parts, Beat(end["beat"])] if end["beat"] != start["beat"] else parts

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        if isinstance(partition, Beat):
            yield _beat(partition.ts)
        else:
            assert isinstance(partition, Rows)
            yield from map(_timed, log.read(self._folder, partition.start, partition.stop, partition.near))

    def commit(self, end: Offset) -> None:  # type: ignore[override]
        if end["position"] != self._committed:
            self._committed = end["position"]
            log.commit(self._folder, self._consumer, self._committed)

    def _next_beat(self, start: Offset) -> int:
        """Now, less some slack; not before it is due, and never behind what the query has seen.

        While nobody listens to the readers no time passes: nothing has failed to happen, and what the broker
        keeps meanwhile is not late."""
        if not self._heartbeat_ms or self._target is not None:
            return start["beat"]
        seen = max(start["beat"], self._seen_ts(start["position"]))
        heard = log.listening(self._folder)
        now = self._now_ms()
        moment = (now if heard is None else min(now, heard)) - self._slack_ms
        return moment if moment >= seen + self._heartbeat_ms else start["beat"]

    def _seen_ts(self, position: int) -> int:
        """The latest time among the rows just before the position."""
        if self._last_seen[0] != position:
            first = max(log.earliest(self._folder), position - 1_000)
            near = self._near if self._near and self._near.position <= first else None
            batches = log.read(self._folder, first, position, near)
            self._last_seen = (position, max((pc.max(batch["ts"]).as_py() for batch in batches), default=0))
        return self._last_seen[1]


def folder(options: Mapping[str, str]) -> Path:
    if "path" not in options:
        raise ValueError('the source "vigil" needs the folder of the log: .load("FOLDER")')
    return Path(options["path"])


def number(options: Mapping[str, str], name: str, default: int) -> int:
    text = options.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        raise ValueError(f'option {name} of the source "vigil" is not a whole number: {text!r}') from None


def _timed(batch: pa.RecordBatch) -> pa.RecordBatch:
    moments = batch["ts"].cast(pa.timestamp("ms", "UTC")).cast(TIME.type)
    return pa.RecordBatch.from_arrays([*batch.columns, moments], schema=SCHEMA)


def _beat(ts: int) -> pa.RecordBatch:
    row = to_batch([heartbeat_row(ts)])
    positions = pa.array([NO_POSITION], pa.int64())
    return _timed(pa.RecordBatch.from_arrays([positions, *row.columns], schema=ROW_SCHEMA))

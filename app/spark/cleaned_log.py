"""The log between two offsets as cleaned events, the same however often Spark asks."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from app import log
from app.cleaning import snapshots
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import HEARTBEAT, CleanedStream
from app.spark.offsets import Offset

SNAPSHOT_ROWS = 50_000
MOST_BEATS = 20  # heartbeats that may wait for a micro-batch: pages show how far the pipeline is


class CleanedLog:
    """Holds a cleaned stream, brought to wherever Spark stands: kept here, or rebuilt from snapshot and log.

    What a stream has become by a position is a function of the log alone, so a batch that is repeated after a
    crash gets the same answer."""

    def __init__(self, setup: CleaningSetup) -> None:
        self._setup = setup
        self._stream: CleanedStream | None = None
        self._since = 0  # the position after which nothing was handed over
        self._events: list[pa.RecordBatch] = []  # what the rows from there on have brought about
        self._told_time = False  # whether the last of them says how far time has come
        self._near: log.SeekPoint | None = None
        self._since_snapshot = 0

    def between(self, start: Offset, end: Offset) -> list[pa.RecordBatch]:
        """What the rows between two offsets bring about; the last line says how far time has come."""
        if end["position"] == start["position"]:
            return self._waited(start, end)
        stream = self._brought_to(start, end)
        out = self._events if self._told_time else [*self._events, stream.time()]
        self._since, self._events = end["position"], []
        if self._since_snapshot >= SNAPSHOT_ROWS:
            snapshots.save(self._setup.snapshots, stream.snapshot())
            self._since_snapshot = 0
        return out

    def only_time_passes(self, start: Offset, end: Offset, deadline_ms: int) -> bool:
        """Whether the rows between are a few heartbeats that bring nothing about, before the deadline."""
        count = end["position"] - start["position"]
        if count >= MOST_BEATS:
            return False
        rows = self._rows(start["position"], end["position"])
        if not pc.all(pc.equal(rows["kind"], "heartbeat")).as_py():
            return False
        stream = self._brought_to(start, end)
        return not self._events and stream.now < deadline_ms

    def _brought_to(self, start: Offset, end: Offset) -> CleanedStream:
        """The stream where a batch ends that begins where the last one ended."""
        stream = self._stream
        if stream is None or self._since != start["position"] or stream.position > end["position"]:
            stream, self._since, self._events = self._stream_at(start), start["position"], []
        self._stream = None  # one that fails half-way is of no more use
        count = end["position"] - stream.position
        if count:
            out = stream.push(self._rows(stream.position, end["position"]))
            self._told_time = not pc.all(pc.equal(out["event"], HEARTBEAT)).as_py()
            self._events += [out] if self._told_time else []
            self._since_snapshot += count
        self._stream = stream
        return stream

    def _waited(self, start: Offset, end: Offset) -> list[pa.RecordBatch]:
        """A batch of a checkpoint from before heartbeats stood in the log."""
        if end.get("beat", 0) <= start.get("beat", 0):
            return []
        stream, self._stream = self._stream_at(start), None
        return [stream.advance(end["beat"])]

    def _stream_at(self, offset: Offset) -> CleanedStream:
        stream = stream_at(self._setup, offset["position"])
        if "beat" in offset:
            stream.advance(offset["beat"])
        return stream

    def _rows(self, start: int, stop: int) -> pa.RecordBatch:
        self._near = log.seek_point(self._setup.log, start, self._near)
        return pa.concat_batches(log.read(self._setup.log, start, stop, self._near))

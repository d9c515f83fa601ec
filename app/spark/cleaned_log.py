"""The log between two offsets as cleaned events, the same however often Spark asks."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from app import log
from app.cleaning import snapshots
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.cleaning.stream import CleanedStream
from app.spark.offsets import Offset

SNAPSHOT_ROWS = 50_000


class CleanedLog:
    """Holds a cleaned stream, brought to wherever Spark stands: kept here, or rebuilt from snapshot and log.

    What a stream has become by a position is a function of the log alone, so a batch that is repeated after a
    crash gets the same answer."""

    def __init__(self, setup: CleaningSetup) -> None:
        self._setup = setup
        self._stream: CleanedStream | None = None
        self._near: log.SeekPoint | None = None
        self._since_snapshot = 0

    def between(self, start: Offset, end: Offset) -> list[pa.RecordBatch]:
        """What the rows between two offsets bring about."""
        stream, self._stream = self._stream_at(start), None  # one that fails half-way is of no more use
        out = list(self._events(stream, start, end))
        self._stream = stream
        return out

    def _events(self, stream: CleanedStream, start: Offset, end: Offset) -> Iterator[pa.RecordBatch]:
        count = end["position"] - start["position"]
        if count:
            yield stream.push(self._rows(start["position"], end["position"]))
            self._since_snapshot += count
        elif end.get("beat", 0) > start.get("beat", 0):
            yield stream.advance(end["beat"])
        if self._since_snapshot >= SNAPSHOT_ROWS:
            snapshots.save(self._setup.snapshots, stream.snapshot())
            self._since_snapshot = 0

    def _stream_at(self, offset: Offset) -> CleanedStream:
        stream = self._stream
        if stream is None or stream.position != offset["position"]:
            stream = stream_at(self._setup, offset["position"])
        if "beat" in offset:
            stream.advance(offset["beat"])
        return stream

    def _rows(self, start: int, stop: int) -> pa.RecordBatch:
        self._near = log.seek_point(self._setup.log, start, self._near)
        return pa.concat_batches(log.read(self._setup.log, start, stop, self._near))

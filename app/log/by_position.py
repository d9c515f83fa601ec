"""Reads the log by position, up to what is synced, while it is being written or as a recording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from app.log import frames
from app.log.errors import LogDamagedError, LogTrimmedError
from app.log.frames import Frame
from app.log.interface import POSITION, SeekPoint
from app.log.progress import synced
from app.log.segment import LogSegment, opening, segments

BATCH_ROWS = 10_000
BATCH_BYTES = 16 << 20
# What earlier versions wrote and nothing reads: segments of then and of now come out alike.
RETIRED = ("epc_scheme", "company", "item", "serial")
# What they did not write yet: empty in their segments.
STAMP = pa.field("stamp", pa.int64())


@dataclass(frozen=True, slots=True)
class _Span:
    """A segment and the position at which the next one begins; None for the last, which still grows."""

    segment: LogSegment
    end: int | None


def earliest(folder: Path) -> int:
    present = segments(folder)
    return present[0].first if present else 0


def end(folder: Path) -> int:
    """The position after the last row that readers may see."""
    known = synced(folder)
    if known is not None:
        return known
    present = segments(folder)
    return _scanned_end(present[-1]) if present else 0


def _scanned_end(segment: LogSegment) -> int:
    with segment.path.open("rb") as file:
        _, offset = opening(segment.path, file)
        return max((frame.end for frame in frames.intact(file, offset)), default=segment.first)


def read(folder: Path, start: int, stop: int, near: SeekPoint | None = None) -> Iterator[pa.RecordBatch]:
    """The rows with start <= position < stop, in batches of some size that carry their `position`."""
    return gathered(_slices(folder, start, stop, near))


def gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of some size."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= BATCH_ROWS or size >= BATCH_BYTES:
            yield pa.concat_batches(waiting)
            waiting, rows, size = [], 0, 0
    if waiting:
        yield pa.concat_batches(waiting)


def bounded_end(folder: Path, start: int, stop: int, most_bytes: int, near: SeekPoint | None = None) -> int:
    """Where a read of the log from `start` ends: at `stop`, or before the frame that would be too much.

    Told from the headers; at least one frame is read, however large."""
    taken = 0
    for span in _spans(folder, start, stop):
        with span.segment.path.open("rb") as file:
            _, offset = opening(span.segment.path, file)
            for frame in _headers(file, _begin(span.segment, offset, start, near), stop):
                if frame.end <= start:
                    continue
                taken += frame.next_offset - frame.offset
                if taken > most_bytes and frame.first > start:
                    return frame.first
    return stop


def seek_point(folder: Path, position: int, near: SeekPoint | None = None) -> SeekPoint | None:
    """The last frame that begins at or before the position, found by reading headers only."""
    found = near
    for span in _spans(folder, position, position + 1):
        with span.segment.path.open("rb") as file:
            _, offset = opening(span.segment.path, file)
            for frame in _headers(file, _begin(span.segment, offset, position, near), position + 1):
                found = SeekPoint(frame.first, span.segment.first, frame.offset)
    return found


def ranges(folder: Path, start: int, stop: int) -> list[range]:
    """The positions from start to stop, cut where the segments are: parts that can be read side by side."""
    spans = _spans(folder, start, stop)
    ends = [stop if span.end is None else min(span.end, stop) for span in spans]
    return [range(max(start, span.segment.first), end) for span, end in zip(spans, ends, strict=True)]


def _slices(folder: Path, start: int, stop: int, near: SeekPoint | None) -> Iterator[pa.RecordBatch]:
    for span in _spans(folder, start, stop):
        with span.segment.path.open("rb") as file:
            schema, offset = opening(span.segment.path, file)
            shown = _shown(schema)
            last = span.segment.first
            for frame in _headers(file, _begin(span.segment, offset, start, near), stop):
                offset, last = frame.next_offset, frame.end
                if frame.end > start:
                    yield _slice(span.segment, file, frame, (schema, shown), range(start, stop))
            if span.end is not None and last < min(stop, span.end):
                raise LogDamagedError(span.segment.path, offset)


def _spans(folder: Path, start: int, stop: int) -> list[_Span]:
    """The segments that hold the range."""
    present = segments(folder)
    if present and start < min(stop, present[0].first):
        raise LogTrimmedError(folder, start, present[0].first)
    ends = [*(segment.first for segment in present[1:]), None]
    spans = [_Span(segment, following) for segment, following in zip(present, ends, strict=False)]
    return [span for span in spans if span.segment.first < stop and (span.end is None or span.end > start)]


def _begin(segment: LogSegment, offset: int, position: int, near: SeekPoint | None) -> int:
    usable = near is not None and near.segment == segment.first and near.position <= position
    return near.offset if near is not None and usable else offset


def _headers(file: BinaryIO, offset: int, stop: int) -> Iterator[Frame]:
    frame = frames.header(file, offset)
    while frame is not None and frame.first < stop:
        yield frame
        frame = frames.header(file, frame.next_offset)


def _slice(
    segment: LogSegment, file: BinaryIO, frame: Frame, schemas: tuple[pa.Schema, pa.Schema], wanted: range
) -> pa.RecordBatch:
    """The frame's rows that lie in the range, with their positions in front; schemas: stored and shown."""
    raw = frames.body(file, frame)
    if raw is None:
        raise LogDamagedError(segment.path, frame.offset)
    stored, shown = schemas
    batch = pa.ipc.read_record_batch(pa.py_buffer(raw), stored)
    low, high = max(wanted.start, frame.first), min(wanted.stop, frame.end)
    rows = batch.slice(low - frame.first, high - low)
    return fitted(rows.add_column(0, POSITION, pa.array(np.arange(low, high))), shown)


def fitted(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with these columns: what it has more is left out, what it has less is empty."""
    present, rows = set(batch.schema.names), batch.num_rows
    columns = [batch[field.name] if field.name in present else pa.nulls(rows, field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _shown(stored: pa.Schema) -> pa.Schema:
    """The columns of a segment as the present version has them."""
    kept = [field for field in stored if field.name not in RETIRED and field.name != STAMP.name]
    return pa.schema([POSITION, *kept, *([STAMP] if "tag" in stored.names else [])])

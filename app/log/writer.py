"""Appends groups of rows to the log: each is on disk when `append` returns, or not in the log at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from app.lock import lock
from app.log import frames
from app.log.errors import LogBusyError
from app.log.progress import SYNCED, Mark, synced
from app.log.segment import LogSegment, create, opening, schema_of, segments

SEGMENT_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Repair:
    """A damaged tail that was cut when the log was opened."""

    path: Path
    offset: int
    cut_bytes: int
    lost_rows: int  # rows that had been synced: 0 for a write that a crash tore

    def __str__(self) -> str:
        kept = f"; {self.lost_rows} synced rows were in it, kept in {self.kept}" if self.lost_rows else ""
        return f"{self.path}: cut a damaged tail of {self.cut_bytes} bytes at byte {self.offset}{kept}"

    @property
    def kept(self) -> Path:
        return self.path.with_suffix(f".damaged-{self.offset}")


class LogWriter:
    """The log's one writer; it repairs the tail when it opens the log and then owns the last segment."""

    def __init__(
        self, folder: Path, schema: pa.Schema, segment_bytes: int = SEGMENT_BYTES, first: int = 0
    ) -> None:
        """`first` is the position at which a log begins that does not exist yet."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._schema = schema
        self._segment_bytes = segment_bytes
        self._lock = _lock(folder)
        present = segments(folder)
        last = present[-1] if present else create(folder, first, schema)
        self._offset, written, self.repair = _repair(last, synced(folder))
        self.position = max(written, synced(folder) or 0)
        self._segment, self._descriptor = last, os.open(last.path, os.O_WRONLY)
        self._sealed = False
        self._synced = Mark(folder, SYNCED)
        self._synced.move(self.position)
        if schema_of(last) != schema:  # written by an earlier version: a segment holds rows of one schema
            self._begin_segment()

    def append(self, batch: pa.RecordBatch) -> int:
        """Write and sync the rows; their first position. On an OSError none of them is in the log."""
        data = frames.pack(self.position, batch.num_rows, memoryview(batch.serialize()))
        if self._sealed or self._offset + len(data) > self._segment_bytes:
            self._rotate()
        try:
            _write(self._descriptor, data, self._offset)
            os.fdatasync(self._descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._offset)
            raise
        first = self.position
        self._offset += len(data)
        self.position += batch.num_rows
        self._synced.move(self.position)
        return first

    def _rotate(self) -> None:
        if self._segment.first != self.position:  # an empty segment takes a frame of any size
            self._begin_segment()

    def _begin_segment(self) -> None:
        """The new file may be there although its folder could not be synced: nothing more goes to the old
        one, and the next attempt makes it anew."""
        self._sealed = True
        fresh = create(self.folder, self.position, self._schema)
        descriptor = os.open(fresh.path, os.O_WRONLY)
        os.close(self._descriptor)
        self._segment, self._descriptor, self._sealed = fresh, descriptor, False
        self._offset = fresh.path.stat().st_size

    def give_up(self) -> None:
        """Nothing to wait for: a disk answers, or fails with an OSError."""

    def close(self) -> None:
        os.close(self._descriptor)
        self._synced.close()
        os.close(self._lock)

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _lock(folder: Path) -> int:
    try:
        return lock(folder / "lock")
    except BlockingIOError:
        raise LogBusyError(folder) from None


def _write(descriptor: int, data: bytes, offset: int) -> None:
    """All of it: the kernel may take less than it is given, and says why only on the next call."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def _repair(segment: LogSegment, known: int | None) -> tuple[int, int, Repair | None]:
    """Cut what follows the last whole frame; the offset and the position at which to go on."""
    with segment.path.open("r+b") as file:
        _, offset = opening(segment.path, file)
        position = segment.first
        for frame in frames.intact(file, offset):
            offset, position = frame.next_offset, frame.end
        size = file.seek(0, os.SEEK_END)
        if size == offset:
            return offset, position, None
        repair = Repair(segment.path, offset, size - offset, max(0, (known or 0) - position))
        if repair.lost_rows:
            shutil.copyfile(segment.path, repair.kept)
        file.truncate(offset)
        os.fsync(file.fileno())
    return offset, position, repair

"""The one way to a log, in whatever it is kept: everybody names where it is and asks here."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from app.log.folder import FolderLog
from app.log.interface import Appender, Log, LogRetention, SeekPoint
from app.log.writer import SEGMENT_BYTES, LogWriter
from app.log_address import LogAddress

_streams = threading.local()


def opened(where: LogAddress) -> Log:
    """To read it and to note how far one is; a stream's connection is kept for the thread that asks."""
    if isinstance(where, Path):
        return FolderLog(where)
    from app.log.jetstream.stream_log import StreamLog

    # A forked process must not speak on its parent's connection.
    mine: dict[object, Log] = _streams.__dict__.setdefault(f"of-{os.getpid()}", {})
    if where not in mine:
        mine[where] = StreamLog(where)
    return mine[where]


def open_writer(
    where: LogAddress, schema: pa.Schema, segment_bytes: int = SEGMENT_BYTES, first: int = 0
) -> Appender:
    """`first` is where a log begins that does not exist yet."""
    if isinstance(where, Path):
        return LogWriter(where, schema, segment_bytes, first)
    from app.log.jetstream.stream_writer import StreamWriter

    return StreamWriter(where, first)


def earliest(where: LogAddress) -> int:
    return opened(where).earliest()


def end(where: LogAddress) -> int:
    """The position after the last row that readers may see."""
    return opened(where).end()


def read(where: LogAddress, start: int, stop: int, near: SeekPoint | None = None) -> Iterator[pa.RecordBatch]:
    """The rows with start <= position < stop, in batches of some size that carry their `position`."""
    return opened(where).read(start, stop, near)


def tail(where: LogAddress, rows: int) -> Iterator[pa.RecordBatch]:
    """At most the last so many rows."""
    stop = end(where)
    return read(where, max(earliest(where), stop - rows), stop)


def seek_point(where: LogAddress, position: int, near: SeekPoint | None = None) -> SeekPoint | None:
    """The last frame that begins at or before the position."""
    return opened(where).seek_point(position, near)


def bounded_end(
    where: LogAddress, start: int, stop: int, most_bytes: int, near: SeekPoint | None = None
) -> int:
    """Where a read of the log from `start` ends: at `stop`, or before the frame that would be too much.

    At least one frame is read, however large."""
    return opened(where).bounded_end(start, stop, most_bytes, near)


def ranges(where: LogAddress, start: int, stop: int) -> list[range]:
    """The positions from start to stop, in parts that can be read side by side."""
    return opened(where).ranges(start, stop)


def first_received(where: LogAddress, at_ms: int) -> int:
    """The first position whose row was received at or after the moment."""
    return opened(where).first_received(at_ms)


def size(where: LogAddress) -> int:
    """In bytes."""
    return opened(where).size()


def trim(where: LogAddress, retention: LogRetention, now_ms: int) -> int:
    """Remove, oldest first, what is past the limits and no consumer needs; how many rows."""
    return opened(where).trim(retention, now_ms)


def commit(where: LogAddress, consumer: str, position: int) -> None:
    """Note that a consumer needs nothing before the position: permission to trim."""
    opened(where).commit(consumer, position)


def committed(where: LogAddress) -> dict[str, int]:
    return opened(where).committed()


def keep(where: LogAddress, name: str, text: str) -> None:
    """A small text that belongs to the log."""
    opened(where).keep(name, text)


def kept(where: LogAddress, name: str) -> str | None:
    return opened(where).kept(name)

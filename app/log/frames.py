"""One synced group of rows on disk: length, checksum, first position and row count, then an Arrow batch."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

HEADER = struct.Struct("<IIQI")
_COVERED = struct.Struct("<IQI")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame's header and where in its file it stands."""

    offset: int
    length: int
    checksum: int
    first: int
    rows: int

    @property
    def end(self) -> int:
        """The position after the frame's last row."""
        return self.first + self.rows

    @property
    def next_offset(self) -> int:
        return self.offset + HEADER.size + self.length


def pack(first: int, rows: int, body: bytes | memoryview) -> bytes:
    return HEADER.pack(len(body), _checksum(len(body), first, rows, body), first, rows) + bytes(body)


def _checksum(length: int, first: int, rows: int, body: bytes | memoryview) -> int:
    return zlib.crc32(body, zlib.crc32(_COVERED.pack(length, first, rows)))


def header(file: BinaryIO, offset: int) -> Frame | None:
    """The frame that begins at the offset, or None where the file ends before its header does."""
    file.seek(offset)
    raw = file.read(HEADER.size)
    if len(raw) < HEADER.size:
        return None
    length, checksum, first, rows = HEADER.unpack(raw)
    return Frame(offset, length, checksum, first, rows)


def body(file: BinaryIO, frame: Frame) -> bytes | None:
    """The frame's bytes if they are whole and unharmed."""
    file.seek(frame.offset + HEADER.size)
    raw = file.read(frame.length)
    if len(raw) < frame.length or _checksum(frame.length, frame.first, frame.rows, raw) != frame.checksum:
        return None
    return raw


def intact(file: BinaryIO, offset: int) -> Iterator[Frame]:
    """The unbroken run of whole frames from an offset on."""
    frame = header(file, offset)
    while frame is not None and body(file, frame) is not None:
        yield frame
        frame = header(file, frame.next_offset)

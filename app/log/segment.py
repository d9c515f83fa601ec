"""A segment file of the log: named after its first position, opening with the schema of its rows."""

from __future__ import annotations

import os
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from app.log.errors import LogDamagedError

SUFFIX = ".segment"
_HEADER = struct.Struct("<8sII")  # magic, length and checksum of the schema
_MAGIC = b"vigil\x00\x00\x01"


@dataclass(frozen=True, slots=True)
class LogSegment:
    path: Path
    first: int


def segments(folder: Path) -> list[LogSegment]:
    """The log's segments, oldest first."""
    present = [LogSegment(path, int(path.stem)) for path in folder.glob(f"*{SUFFIX}")]
    return sorted(present, key=lambda segment: segment.first)


def create(folder: Path, first: int, schema: pa.Schema) -> LogSegment:
    """A new segment, in place only once it is whole: a crash leaves no half-written header."""
    path = folder / f"{first:020d}{SUFFIX}"
    described = schema.serialize().to_pybytes()
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        file.write(_HEADER.pack(_MAGIC, len(described), zlib.crc32(described)) + described)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(folder)
    return LogSegment(path, first)


def sync_folder(folder: Path) -> None:
    """Make created, renamed and removed names last."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def schema_of(segment: LogSegment) -> pa.Schema:
    with segment.path.open("rb") as file:
        return opening(segment.path, file)[0]


def opening(path: Path, file: BinaryIO) -> tuple[pa.Schema, int]:
    """The schema of the segment's rows and the offset of its first frame."""
    file.seek(0)
    raw = file.read(_HEADER.size)
    magic, length, checksum = _HEADER.unpack(raw) if len(raw) == _HEADER.size else (b"", 0, 0)
    described = file.read(length)
    if magic != _MAGIC or zlib.crc32(described) != checksum:
        raise LogDamagedError(path, 0)
    return pa.ipc.read_schema(pa.py_buffer(described)), _HEADER.size + length

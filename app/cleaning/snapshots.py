"""Snapshots of a cleaned stream in files."""

from __future__ import annotations

import io
import logging
import os
import struct
import zlib
from pathlib import Path

import pyarrow as pa

from app.cleaning.stream import CleaningSnapshot

SUFFIX = ".snapshot"
KEPT = 5
_FIGURES = ("position", "clock", "number")
_NAMED = ("catalog", "learned")  # earlier versions knew one catalog only, and nothing that was learned
_MAGIC = b"vigil-cleaning-2"
_CHECKSUM = struct.Struct("<I")
_log = logging.getLogger(__name__)


class DamagedSnapshotError(ValueError):
    """It is not what was written; says why."""


def save(folder: Path, snapshot: CleaningSnapshot) -> None:
    """Write a snapshot, whole or not at all, and drop the oldest ones."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{snapshot.position}.{os.getpid()}.draft"
    with draft.open("wb") as file:
        file.write(packed(snapshot))
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / f"{snapshot.position}{SUFFIX}")
    for old in _positions(folder)[:-KEPT]:
        (folder / f"{old}{SUFFIX}").unlink(missing_ok=True)


def packed(snapshot: CleaningSnapshot) -> bytes:
    """With a checksum in front."""
    figures = {name: str(getattr(snapshot, name)) for name in (*_FIGURES, *_NAMED)}
    body = io.BytesIO()
    _write(body, snapshot.held.replace_schema_metadata(figures))
    _write(body, snapshot.cleaner)
    return _MAGIC + _CHECKSUM.pack(zlib.crc32(body.getbuffer())) + body.getvalue()


def unpacked(raw: bytes) -> CleaningSnapshot:
    """What was packed; DamagedSnapshotError if it has changed since."""
    head = len(_MAGIC) + _CHECKSUM.size
    # Snapshots of earlier versions have no checksum and begin with Arrow's own mark.
    body = raw[head:] if raw.startswith(_MAGIC) else raw
    checked = body is raw or raw[len(_MAGIC) : head] == _CHECKSUM.pack(zlib.crc32(body))
    if not checked:
        raise DamagedSnapshotError("its checksum does not agree")
    try:
        file = io.BytesIO(body)
        held, cleaner = _read(file), _read(file)
    except (pa.ArrowInvalid, OSError, ValueError) as error:
        raise DamagedSnapshotError(str(error)) from error
    position, clock, number = (int(held.schema.metadata[name.encode()]) for name in _FIGURES)
    named = [held.schema.metadata.get(name.encode(), b"").decode() for name in _NAMED]
    return CleaningSnapshot(position, clock, number, held.replace_schema_metadata(None), cleaner, *named)


def latest(folder: Path, position: int) -> CleaningSnapshot | None:
    """The last snapshot that is not beyond the position and not damaged; the log can do without any."""
    for kept in reversed(_positions(folder)):
        path = folder / f"{kept}{SUFFIX}"
        if kept <= position and (found := _load(path)) is not None:
            return found
    return None


def _load(path: Path) -> CleaningSnapshot | None:
    try:
        return unpacked(path.read_bytes())
    except DamagedSnapshotError as error:
        _log.warning("%s is damaged and left out: %s", path, error)
        return None


def _positions(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in folder.glob(f"*{SUFFIX}"))


def _write(file: io.BytesIO, batch: pa.RecordBatch) -> None:
    with pa.ipc.new_stream(file, batch.schema) as writer:
        writer.write_batch(batch)


def _read(file: io.BytesIO) -> pa.RecordBatch:
    [batch] = pa.ipc.open_stream(file)
    return batch

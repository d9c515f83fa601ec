"""Snapshots of a cleaned stream in files."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa

from app.cleaning.stream import CleaningSnapshot

SUFFIX = ".snapshot"
KEPT = 5
_FIGURES = ("position", "clock", "number")


def save(folder: Path, snapshot: CleaningSnapshot) -> None:
    """Write a snapshot, whole or not at all, and drop the oldest ones."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{snapshot.position}.{os.getpid()}.draft"
    figures = {name: str(getattr(snapshot, name)) for name in _FIGURES}
    with draft.open("wb") as file:
        _write(file, snapshot.held.replace_schema_metadata(figures))
        _write(file, snapshot.cleaner)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / f"{snapshot.position}{SUFFIX}")
    for old in _positions(folder)[:-KEPT]:
        (folder / f"{old}{SUFFIX}").unlink(missing_ok=True)


def latest(folder: Path, position: int) -> CleaningSnapshot | None:
    """The last snapshot that is not beyond the position."""
    usable = [kept for kept in _positions(folder) if kept <= position]
    if not usable:
        return None
    with (folder / f"{usable[-1]}{SUFFIX}").open("rb") as file:
        held, cleaner = _read(file), _read(file)
    figures = {name: int(held.schema.metadata[name.encode()]) for name in _FIGURES}
    return CleaningSnapshot(**figures, held=held.replace_schema_metadata(None), cleaner=cleaner)


def _positions(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in folder.glob(f"*{SUFFIX}"))


def _write(file: object, batch: pa.RecordBatch) -> None:
    with pa.ipc.new_stream(file, batch.schema) as writer:
        writer.write_batch(batch)


def _read(file: object) -> pa.RecordBatch:
    [batch] = pa.ipc.open_stream(file)
    return batch

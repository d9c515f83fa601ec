"""Snapshots of a washer in files, and a note of the last positions and heartbeats it has come past."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa

from app.washer import Snapshot

SUFFIX = ".snapshot"
KEPT = 5
NOTES = "progress.json"
NOTED = 50


def save(folder: Path, snapshot: Snapshot) -> None:
    """Write a snapshot, whole or not at all, and drop the oldest ones."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{snapshot.position}.{os.getpid()}.draft"
    figures = {name: str(getattr(snapshot, name)) for name in ("position", "beat", "clock", "number")}
    with draft.open("wb") as file:
        _write(file, snapshot.held.replace_schema_metadata(figures))
        _write(file, snapshot.cleaner)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / f"{snapshot.position}{SUFFIX}")
    for old in _positions(folder)[:-KEPT]:
        (folder / f"{old}{SUFFIX}").unlink(missing_ok=True)


def latest(folder: Path, position: int) -> Snapshot | None:
    """The last snapshot that is not beyond the position."""
    usable = [kept for kept in _positions(folder) if kept <= position]
    if not usable:
        return None
    with (folder / f"{usable[-1]}{SUFFIX}").open("rb") as file:
        held, cleaner = _read(file), _read(file)
    figures = {key.decode(): int(value) for key, value in held.schema.metadata.items()}
    return Snapshot(**figures, held=held.replace_schema_metadata(None), cleaner=cleaner)


def note(folder: Path, position: int, beat: int) -> None:
    """A micro-batch has come up to here."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{NOTES}.{os.getpid()}.draft"
    draft.write_text(json.dumps([*_notes(folder), (position, beat)][-NOTED:]))
    draft.rename(folder / NOTES)


def last_position(folder: Path, default: int) -> int:
    noted = _notes(folder)
    return noted[-1][0] if noted else default


def last_beat(folder: Path, position: int, before: int) -> int:
    """The last heartbeat earlier than `before` when the log stood at the position; 0 if there was none."""
    return max((beat for at, beat in _notes(folder) if at == position and beat < before), default=0)


def _notes(folder: Path) -> list[tuple[int, int]]:
    try:
        return [(position, beat) for position, beat in json.loads((folder / NOTES).read_text())]
    except FileNotFoundError:
        return []


def _positions(folder: Path) -> list[int]:
    return sorted(int(path.stem) for path in folder.glob(f"*{SUFFIX}"))


def _write(file: object, batch: pa.RecordBatch) -> None:
    with pa.ipc.new_stream(file, batch.schema) as writer:
        writer.write_batch(batch)


def _read(file: object) -> pa.RecordBatch:
    [batch] = pa.ipc.open_stream(file)
    return batch

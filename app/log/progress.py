"""Small files beside the log: how far it is synced, and how far each of its readers has come."""

from __future__ import annotations

import os
import struct
from pathlib import Path

_POSITION = struct.Struct("<Q")
_SYNCED = "synced"
_COMMITTED = ".committed"


class Synced:
    """The position up to which the log is on disk; written by the log's writer only."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder / _SYNCED, os.O_RDWR | os.O_CREAT, 0o644)

    def move(self, position: int) -> None:
        os.pwrite(self._descriptor, _POSITION.pack(position), 0)

    def close(self) -> None:
        os.close(self._descriptor)


def synced(folder: Path) -> int | None:
    """The position after the last synced row; None where no writer has left word (a copied recording)."""
    try:
        raw = (folder / _SYNCED).read_bytes()
    except FileNotFoundError:
        return None
    return int(_POSITION.unpack(raw)[0]) if len(raw) == _POSITION.size else None


def commit(folder: Path, consumer: str, position: int) -> None:
    """Note that a consumer needs nothing before the position: permission to trim."""
    draft = folder / f"{consumer}.draft"
    draft.write_text(f"{position}\n")
    draft.rename(folder / f"{consumer}{_COMMITTED}")


def committed(folder: Path) -> dict[str, int]:
    return {path.stem: int(path.read_text()) for path in sorted(folder.glob(f"*{_COMMITTED}"))}

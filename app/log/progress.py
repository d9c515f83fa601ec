"""Small files beside the log: how far it is synced, and what has been consumed."""

from __future__ import annotations

import os
import struct
from pathlib import Path

_NUMBER = struct.Struct("<Q")
SYNCED = "synced"
_COMMITTED = ".committed"


class Mark:
    """A number that the log's writer moves and its readers look at; so small that it changes at once."""

    def __init__(self, folder: Path, name: str) -> None:
        self._descriptor = os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o644)

    def move(self, number: int) -> None:
        os.pwrite(self._descriptor, _NUMBER.pack(number), 0)

    def close(self) -> None:
        os.close(self._descriptor)


def synced(folder: Path) -> int | None:
    """The position after the last synced row; None where no writer has left word (a copied recording)."""
    return _marked(folder / SYNCED)


def _marked(path: Path) -> int | None:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    return int(_NUMBER.unpack(raw)[0]) if len(raw) == _NUMBER.size else None


def commit(folder: Path, consumer: str, position: int) -> None:
    """Note that a consumer needs nothing before the position: permission to trim."""
    keep(folder, f"{consumer}{_COMMITTED}", f"{position}\n")


def keep(folder: Path, name: str, text: str) -> None:
    """Whole or not at all."""
    draft = folder / f"{name}.draft"
    draft.write_text(text)
    draft.rename(folder / name)


def kept(folder: Path, name: str) -> str | None:
    try:
        return (folder / name).read_text()
    except FileNotFoundError:
        return None


def committed(folder: Path) -> dict[str, int]:
    return {path.stem: _position(path) for path in sorted(folder.glob(f"*{_COMMITTED}"))}


def _position(path: Path) -> int:
    """It is not synced: after a power cut it may be empty, and then nothing is known to be done."""
    text = path.read_text().strip("\0 \n")
    return int(text) if text.isdigit() else 0

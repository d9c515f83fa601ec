"""Brings Spark's checkpoint through a power cut: Spark syncs none of its files.

Now and then everything that a micro-batch has left is synced and its number noted. After the machine was
started anew the checkpoint is cut back to that micro-batch: what came after it may be half on disk. The log
has its rows, and alerts have ids, so what is done again comes out once.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from app import clock
from app.log.segment import sync_folder

NOTE = "synced.json"
_NUMBERED = re.compile(r"\.?(\d+)(?:\.\w+)*")  # 7, .7.crc, 8.changelog, .8.zip.crc
_Version = tuple[int, int]


class SyncedCheckpoint:
    """Call `sync` every now and then; `cut_back` before the stream starts."""

    def __init__(self, folder: Path, boot: Callable[[], str] = clock.boot) -> None:
        self._folder, self._boot = folder, boot
        self._synced: dict[Path, _Version] = {}
        self._noted = -1

    def sync(self) -> None:
        """Everything up to the last micro-batch that is done."""
        done = max((number for number, _ in _numbered(self._folder / "commits")), default=-1)
        if done <= self._noted:
            return
        found: dict[Path, _Version] = {}
        folders: list[Path] = []
        for name, _, files in os.walk(self._folder):
            folders.append(Path(name))
            for path in (Path(name, each) for each in files):
                version = _version(path)
                if version is not None and (version == self._synced.get(path) or _sync(path)):
                    found[path] = version
        for folder in folders:
            if folder.is_dir():
                sync_folder(folder)
        _write(self._folder / NOTE, {"boot": self._boot(), "batch": done})
        self._synced, self._noted = found, done

    def cut_back(self) -> int | None:
        """Undo what a power cut may have damaged: the micro-batch after which the stream goes on, if so."""
        try:
            note = json.loads((self._folder / NOTE).read_text())
        except FileNotFoundError:
            return None
        if note["boot"] == self._boot():
            return None
        last = int(note["batch"])
        doubtful = [
            path
            for folder, newest in self._folders(last)
            for number, path in _numbered(folder)
            if number > newest
        ]
        for path in doubtful:
            path.unlink()
        return last if doubtful else None

    def _folders(self, last: int) -> Iterator[tuple[Path, int]]:
        """The folders of numbered files, with the highest of a micro-batch: versions of state begin at 1."""
        yield from ((self._folder / name, last) for name in ("offsets", "commits"))
        for path in (self._folder / "state").glob("*/*/**/"):
            if not any(part.startswith("_") for part in path.relative_to(self._folder).parts):
                yield path, last + 1


def _numbered(folder: Path) -> list[tuple[int, Path]]:
    if not folder.is_dir():
        return []
    named = ((_NUMBERED.fullmatch(path.name), path) for path in folder.iterdir() if path.is_file())
    return [(int(found[1]), path) for found, path in named if found]


def _version(path: Path) -> _Version | None:
    """Other than before if the file is another; None: it has gone meanwhile."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns


def _sync(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return True


def _write(path: Path, note: dict[str, object]) -> None:
    draft = path.with_suffix(".draft")
    with draft.open("w") as file:
        json.dump(note, file)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
    sync_folder(path.parent)

"""A site's store, log and checkpoint of one moment in one file, and back."""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from app import log, store
from app.lock import lock
from app.log.segment import sync_folder
from app.settings import Settings
from app.store import dump

FORMAT = 1
_STORE, _MANIFEST = "store.jsonl", "manifest.json"
_FOLDERS = ("log", "checkpoint")
_KEYS = ("sign-in.key", "control.key")
# What belongs to a process or a moment and not to the data.
_LEFT_OUT = (".lock", ".draft")


class BackupError(RuntimeError):
    """It cannot be done like that; the message says why and what to do."""


def backup(chosen: Settings, target: Path, now_ms: int) -> dict[str, int]:
    """Write the file, whole or not at all; how many bytes of each kind. Vigil must not be running."""
    _in_a_folder(chosen)
    if target.exists():
        raise BackupError(f"{target} is there already: choose another name")
    if chosen.spark_checkpoint:
        raise BackupError(
            f"Spark's checkpoint is at {chosen.spark_checkpoint}, which this does not reach: "
            f"stop Vigil and copy that folder, {chosen.data} and the store together"
        )
    with (
        _until_done(store.find_store(chosen.store, chosen.site)) as engine,
        _standing_still(chosen),
        tempfile.TemporaryDirectory(dir=target.resolve().parent) as folder,
    ):
        rows = Path(folder, _STORE)
        with rows.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in dump.dump(engine))
        parts = {_STORE: rows, **dict(_files(chosen.data))}
        manifest = {
            "format": FORMAT,
            "at_ms": now_ms,
            "site": chosen.site,
            "data": str(chosen.data.resolve()),
            "position": log.end(chosen.log),
            "files": {name: _digest(path) for name, path in parts.items()},
        }
        Path(folder, _MANIFEST).write_text(json.dumps(manifest, indent=1))
        draft = Path(folder, "draft")
        with tarfile.open(draft, "w:gz") as archive:
            archive.add(Path(folder, _MANIFEST), _MANIFEST)
            for name, path in parts.items():
                archive.add(path, name)
        _sync(draft)
        os.link(draft, target)  # does not overwrite
        sync_folder(target.resolve().parent)
        return {name.partition("/")[0]: _size(parts, name.partition("/")[0]) for name in parts}


def restore(chosen: Settings, source: Path, *, replace: bool) -> dict[str, object]:
    """Make the data folder and the store what they were; the manifest. Nothing is touched before the file has
    been checked, and what was there is moved aside, not removed."""
    _in_a_folder(chosen)
    chosen.data.mkdir(parents=True, exist_ok=True)
    with (
        _until_done(store.connect(chosen.store, chosen.site)) as engine,
        tempfile.TemporaryDirectory(dir=chosen.data.resolve()) as folder,
    ):
        manifest = _checked(source, Path(folder))
        _check_site(engine, chosen, manifest, Path(folder, _STORE))
        with _standing_still(chosen):
            used = [name for name in (*_FOLDERS, *_KEYS) if _holds_data(chosen.data / name)]
            if not replace and (used or not dump.is_empty(engine)):
                raise BackupError(f"{chosen.data} or the store holds data: say --replace to move it aside")
            _move_aside(chosen.data, used, engine)
            for name in (*_FOLDERS, *_KEYS):
                if Path(folder, name).exists():
                    _take_place(Path(folder, name), chosen.data / name)
            _moved(chosen.data / "checkpoint", str(manifest["data"]), str(chosen.data.resolve()))
            sync_folder(chosen.data)
            with Path(folder, _STORE).open(encoding="utf-8") as lines:
                dump.load(engine, lines)
    return manifest


def _in_a_folder(chosen: Settings) -> None:
    """Of one moment are only what we can make stand still."""
    if chosen.log_url:
        raise BackupError(
            f"the log is in {chosen.log}, and a backup has a log in a folder. With Vigil stopped, bring it "
            f"into one (`vigil log copy {chosen.log} {chosen.log_folder}`), take log_url out of the "
            "settings, and do this again."
        )


@contextmanager
def _until_done(engine: sa.Engine) -> Iterator[sa.Engine]:
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _standing_still(chosen: Settings) -> Iterator[None]:
    """Nobody writes the log or the checkpoint meanwhile: by the locks of those who do."""
    held = []
    try:
        for path in (chosen.log_folder / "lock", chosen.checkpoint / "pipeline.lock"):
            if path.parent.exists():
                held.append(lock(path))
        yield
    except BlockingIOError:
        raise BackupError(f"Vigil is running on {chosen.data}: stop it first") from None
    finally:
        for descriptor in held:
            os.close(descriptor)


def _files(data: Path) -> Iterator[tuple[str, Path]]:
    for name in _KEYS:
        if (data / name).is_file():
            yield name, data / name
    for folder in _FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if path.is_file() and path.suffix not in _LEFT_OUT and path.name != "lock":
                yield str(path.relative_to(data)), path


def _checked(source: Path, folder: Path) -> dict[str, object]:
    """Unpack into the folder and compare every file with its checksum."""
    try:
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        manifest: dict[str, object] = json.loads((folder / _MANIFEST).read_text())
    except (OSError, EOFError, tarfile.TarError, ValueError) as error:
        raise BackupError(f"{source} is no backup that can be read: {error}") from None
    if manifest["format"] != FORMAT:
        raise BackupError(f"{source} was written by a later version of Vigil: restore it with that one")
    files = manifest["files"]
    assert isinstance(files, dict)
    for name, digest in files.items():
        if not (folder / name).is_file() or _digest(folder / name) != digest:
            raise BackupError(f"{source} is damaged: {name} is not what it was")
    return manifest


def _check_site(engine: sa.Engine, chosen: Settings, manifest: dict[str, object], rows: Path) -> None:
    """What other sites have in the store is theirs."""
    of = manifest.get("site", "")
    if of != chosen.site:
        raise BackupError(f"it is a backup of {_called(of)}, and this is {_called(chosen.site)}")
    with rows.open(encoding="utf-8") as lines:
        words = dump.why_not(engine, json.loads(lines.readline()))
    if words:
        raise BackupError(words)


def _called(site: object) -> str:
    return f"the site {site}" if site else "the site without a name"


def _move_aside(data: Path, used: list[str], engine: sa.Engine) -> None:
    """The folders as they are, the store as its rows."""
    if not used and dump.is_empty(engine):
        return
    number = 1 + sum(1 for _ in data.glob("before-restore-*"))
    aside = data / f"before-restore-{number}"
    aside.mkdir()
    for name in used:
        (data / name).rename(aside / name)
    with (aside / _STORE).open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in dump.dump(engine))


def _take_place(source: Path, target: Path) -> None:
    if target.is_dir():  # nothing but locks, or it would have been moved aside
        for path in target.iterdir():
            path.unlink()
        target.rmdir()
    source.rename(target)
    for path in [target] if target.is_file() else target.rglob("*"):
        if path.is_file():
            _sync(path)


def _moved(checkpoint: Path, before: str, now: str) -> None:
    """Spark writes into its state's metadata where the checkpoint lies."""
    if before != now:
        for path in checkpoint.glob("state/**/_metadata/v2/*"):
            path.write_text(path.read_text().replace(before, now))
            _sync(path)
            path.with_name(f".{path.name}.crc").unlink(missing_ok=True)


def _holds_data(path: Path) -> bool:
    if path.is_dir():
        return any(one.is_dir() or (one.suffix != ".lock" and one.name != "lock") for one in path.iterdir())
    return path.exists()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _size(parts: dict[str, Path], top: str) -> int:
    return sum(path.stat().st_size for name, path in parts.items() if name.partition("/")[0] == top)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""The key that signs the sign-ins, kept among the data: a restart of the dashboard signs nobody out."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

FILE = "sign-in.key"
_LENGTH = 64


def fresh() -> str:
    return secrets.token_hex(_LENGTH // 2)


def kept(folder: Path) -> str:
    """The folder's key, made at the first start; readable by nobody but the account Vigil runs under."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    if not _is_whole(path):
        path.unlink(missing_ok=True)
        _lay_down(path)
    return path.read_text(encoding="ascii")


def _is_whole(path: Path) -> bool:
    """A key cut short could be guessed, one that others could read may be known."""
    try:
        return path.stat().st_size == _LENGTH and path.stat().st_mode & 0o077 == 0
    except FileNotFoundError:
        return False


def _lay_down(path: Path) -> None:
    """Whole or not at all; of two dashboards that start at once the second takes the first one's key."""
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(fresh())
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)

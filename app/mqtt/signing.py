"""Commands over MQTT are signed: whoever may publish to the broker cannot switch a detector off for that."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
from pathlib import Path

FILE = "control.key"
_LENGTH = 64


def kept_key(folder: Path) -> bytes:
    """The key that those who share a data folder share, made by the first who asks."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    if not path.exists() or path.stat().st_size != _LENGTH:
        path.unlink(missing_ok=True)
        _lay_down(path)
    return path.read_bytes()


def signed(text: str, key: bytes) -> str:
    return json.dumps({"signed": text, "mac": _mac(text, key)})


def opened(payload: bytes, key: bytes) -> bytes | None:
    """What was signed with the key; None if it was not."""
    try:
        envelope = json.loads(payload)
        text, mac = str(envelope["signed"]), str(envelope["mac"])
    except (ValueError, KeyError, TypeError):
        return None
    return text.encode() if hmac.compare_digest(mac.encode(), _mac(text, key).encode()) else None


def _mac(text: str, key: bytes) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _lay_down(path: Path) -> None:
    """Whole or not at all, for its owner only; of two who start at once the second takes the first one's."""
    descriptor, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(_LENGTH // 2))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(name)

"""The passwords of a chain's servers: made once, kept in one file that only its owner reads."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FILE = "passwords.json"
_BYTES = 24


@dataclass(frozen=True)
class Passwords:
    """Of head office, of the servers' own account, of each site's link to the hub and of its ingest."""

    head: str
    system: str
    links: dict[str, str]
    ingests: dict[str, str]


def kept(folder: Path, sites: Iterable[str]) -> Passwords:
    """Those that were made before, new ones for new sites, none for sites that are gone."""
    path, names = folder / FILE, list(sites)
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    links, ingests = (
        {name: known.get(kind, {}).get(name) or _new() for name in names} for kind in ("links", "ingests")
    )
    found = Passwords(known.get("head") or _new(), known.get("system") or _new(), links, ingests)
    write_private(path, json.dumps(vars(found), indent=1) + "\n")
    return found


def write_private(path: Path, text: str) -> None:
    """Whole or not at all, for its owner alone from the first moment on."""
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)
    draft.rename(path)


def _new() -> str:
    return secrets.token_hex(_BYTES)

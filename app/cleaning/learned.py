"""What was learned of a place, in versions: the log names the one that counts from there on."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from app.cleaning.whereabouts.rates import PlaceRates

SUFFIX = ".learned"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LearnedVersion:
    """`number` counts up; `before` names the version that it took the place of, empty for none. `found` says
    in words what was learned from the stretch of the log."""

    name: str
    number: int
    before: str
    learned_ms: int
    from_ms: int
    until_ms: int
    found: tuple[str, ...]
    rates: PlaceRates


def name_of(rates: PlaceRates) -> str:
    return hashlib.sha256(json.dumps(asdict(rates), sort_keys=True).encode()).hexdigest()[:12]


def keep(folder: Path, version: LearnedVersion) -> LearnedVersion:
    """Write a version, whole or not at all, under the next number; what is known already keeps its own."""
    known = {one.name: one for one in versions(folder)}
    if version.name in known:
        return known[version.name]
    number = 1 + max((one.number for one in known.values()), default=0)
    numbered = {**asdict(version), "number": number}
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"{version.name}.{os.getpid()}.draft"
    with draft.open("w", encoding="utf-8") as file:
        json.dump(numbered, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / f"{number:06d}-{version.name}{SUFFIX}")
    return _version(numbered)


def versions(folder: Path) -> list[LearnedVersion]:
    """In the order in which they were learned; what is damaged is left out, with a word."""
    found = (_read(path) for path in sorted(folder.glob(f"*{SUFFIX}")))
    return [version for version in found if version is not None]


def load(folder: Path, name: str) -> LearnedVersion | None:
    """None, with a word, if it is not there."""
    found = [version for path in folder.glob(f"*-{name}{SUFFIX}") if (version := _read(path)) is not None]
    if not found:
        _log.warning("%s has no version %s of what was learned: the present rates stay", folder, name)
    return found[0] if found else None


def _read(path: Path) -> LearnedVersion | None:
    try:
        return _version(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError) as error:
        _log.warning("%s is damaged and left out: %s", path, error)
        return None


def _version(kept: dict[str, object]) -> LearnedVersion:
    rates, found = kept["rates"], kept["found"]
    if not isinstance(rates, dict) or not isinstance(found, list | tuple):
        raise ValueError("rates are missing")
    return LearnedVersion(**{**kept, "rates": PlaceRates(**rates), "found": tuple(map(str, found))})  # type: ignore[arg-type]

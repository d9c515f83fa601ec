"""What the workers must know of a site to clean and match it, in a file that all of them can read."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app.place.scenario import Scenario
from sase.spark import Rule

SUFFIX = ".place"


@dataclass(frozen=True)
class SitePlace:
    """The place as the driver has read it, and the queries that its checkpoint began with. Written anew at
    every start, by the version that runs; secrets are not in it."""

    scenario: Scenario
    rules: Mapping[str, Rule]
    lateness_ms: int
    catalogs: Path
    learned: Path


def write(folder: Path, place: SitePlace) -> Path:
    """Whole or not at all, under a name that changes with what is in it."""
    raw = pickle.dumps(place)
    path = folder / f"{hashlib.sha256(raw).hexdigest()[:16]}{SUFFIX}"
    folder.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_bytes(raw)
    draft.rename(path)
    for old in folder.glob(f"*{SUFFIX}"):
        if old != path:
            old.unlink(missing_ok=True)
    return path


@lru_cache(maxsize=4096)
def load(path: Path) -> SitePlace:
    """Each worker reads it once."""
    found = pickle.loads(path.read_bytes())
    assert isinstance(found, SitePlace)
    return found

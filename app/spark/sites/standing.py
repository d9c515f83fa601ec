"""Which sites there are, from the driver to Spark's source, which is a process of its own: in a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class StandingSite:
    """`key` tells a site from an earlier one of the same name; `log` is its address without any secret."""

    key: str
    name: str
    log: str
    place: str


def write(path: Path, sites: Iterable[StandingSite]) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps([asdict(site) for site in sites]), encoding="utf-8")
    draft.rename(path)


class StandingSites:
    """Read again when the file is another."""

    def __init__(self, path: Path) -> None:
        self._path, self._stamp = path, (0, 0)
        self._sites: dict[str, StandingSite] = {}

    def by_key(self) -> dict[str, StandingSite]:
        found = self._path.stat()
        stamp = found.st_ino, found.st_mtime_ns
        if stamp != self._stamp:
            sites = [StandingSite(**one) for one in json.loads(self._path.read_text(encoding="utf-8"))]
            self._sites, self._stamp = {site.key: site for site in sites}, stamp
        return self._sites

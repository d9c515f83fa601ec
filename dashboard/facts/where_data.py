"""Where things are, read once for all browsers from the file that the pipeline writes, when it is new."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from app import store
from app.cleaning import catalogs
from app.cleaning.learned import load as load_version
from app.cleaning.setup import CATALOGS, LEARNED, SNAPSHOTS
from app.store import PartState, ReaderState
from app.whereabouts import written
from app.whereabouts.answers import Answers
from app.whereabouts.names import CatalogNames
from app.whereabouts.written import WrittenWhereabouts
from dashboard.context import MOST_SITES, Context

LOOK_MS = 1_000
_MOST_MADE = 200
T = TypeVar("T")


@dataclass(frozen=True)
class WhereData:
    """`answers` is None until the pipeline has written where things are; `written_ms` is when it did, `found`
    what the place has taught by now, in words, and `version` that of `vigil learn` that counts, if any."""

    at_ms: int
    parts: tuple[PartState, ...]
    readers: tuple[ReaderState, ...]
    answers: Answers | None = None
    written_ms: int = 0
    found: tuple[str, ...] = ()
    version: int = 0
    _made: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, asked: object, make: Callable[[], T]) -> T:
        """Whoever asks the same of the same data gets the same answer, made for the first."""
        if asked not in self._made:
            if len(self._made) >= _MOST_MADE:
                self._made.clear()
            self._made[asked] = make()
        made: T = self._made[asked]
        return made


class _WhereCache:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._kept: WhereData | None = None
        self._names: tuple[str, CatalogNames] = ("", CatalogNames(context.scenario.items))

    def newest(self) -> WhereData:
        with self._lock:
            now_ms, kept = self._context.now_ms(), self._kept
            if kept is None or not kept.at_ms <= now_ms < kept.at_ms + LOOK_MS:
                kept = self._kept = self._read(now_ms, kept)
            return kept

    def _read(self, now_ms: int, before: WhereData | None) -> WhereData:
        engine = self._context.store
        around = (now_ms, tuple(store.list_parts(engine)), tuple(store.list_readers(engine)))
        path = (self._context.checkpoint or Path()) / written.FILE
        written_ms = _changed_ms(path) if self._context.checkpoint else 0
        if before is not None and before.written_ms == written_ms:
            now_ms, parts, readers = around
            return replace(before, at_ms=now_ms, parts=parts, readers=readers)
        found = written.read(path)
        if found is None or found.scenario != self._context.scenario.name:
            return WhereData(*around, None, written_ms)
        version = load_version(path.parent / SNAPSHOTS / LEARNED, found.learned) if found.learned else None
        number = version.number if version else 0
        return WhereData(*around, self._answers(path, found), written_ms, found.found, number)

    def _answers(self, path: Path, found: WrittenWhereabouts) -> Answers | None:
        """None where the file is of a catalog that is not at hand."""
        place = self._context.scenario
        names = self._named(found.catalog, path.parent / SNAPSHOTS / CATALOGS)
        columns = found.placed.chances.shape
        if columns[0] != names.items.num_rows or columns[1] < len(place.plan.areas):
            return None
        return Answers(place, names, found.placed, found.now_ms, found.began_ms)

    def _named(self, catalog: str, folder: Path) -> CatalogNames:
        if catalog != self._names[0]:
            items: pa.Table = self._context.scenario.items
            known = catalogs.load(folder, catalog, items.schema) if catalog else items
            self._names = (catalog, CatalogNames(items if known is None else known))
        return self._names[1]


def _changed_ms(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns // 1_000_000
    except FileNotFoundError:
        return 0


_caches: dict[int, tuple[Context, _WhereCache]] = {}


def newest_where(context: Context) -> WhereData:
    """From the one cache that this process has for what it shows."""
    kept = _caches.get(id(context))
    if kept is None or kept[0] is not context:
        if len(_caches) >= MOST_SITES:
            _caches.clear()
        kept = _caches[id(context)] = (context, _WhereCache(context))
    return kept[1].newest()

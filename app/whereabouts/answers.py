"""What people ask about whereabouts: where is it, what is there, what belongs there and is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.placed import Placed
from app.cleaning.tables import NOWHERE
from app.place.scenario import Scenario
from sase.belief.counting import Count, count, number_of

ON_ITS_WAY, NOT_HEARD, GONE_OUT = "on its way", "not heard any more", "out"
_NO_AREA = (ON_ITS_WAY, NOT_HEARD, GONE_OUT)  # as the columns behind those of the areas
_NAMES = ("name", "product", "patient", "medicine", "author", "category", "kind")
_CODES = ("tag", "id", "barcode")
_WORTH_TELLING = 0.005
_PROBABLY = 0.5


@dataclass(frozen=True)
class Place:
    """An area, or one of the three that are none."""

    name: str
    title: str
    chance: float


@dataclass(frozen=True)
class Whereabout:
    """One thing or person; `places` is empty where nothing was ever heard of it."""

    tag: str
    item: str
    title: str
    home: str
    places: tuple[Place, ...]
    seen_ms: int
    seen_by: str
    since_ms: int


@dataclass(frozen=True)
class Contents:
    """What is probably in an area, how many, and what belongs there and probably is not."""

    area: str
    number: Count
    there: tuple[Whereabout, ...]
    missing: tuple[Whereabout, ...]


class Answers:
    """The catalog of a place beside where each of its tags is."""

    def __init__(self, scenario: Scenario, items: pa.Table, placed: Placed, now_ms: int) -> None:
        self._plan, self._items, self._placed = scenario.plan, items, placed
        self.now_ms = now_ms
        self._titles = [*(area.title for area in self._plan.areas), *_NO_AREA]
        self._names = [*(area.name for area in self._plan.areas), *_NO_AREA]

    def find(self, what: str) -> list[int]:
        """Rows of the catalog: those whose tag, id or barcode it is; else whose words contain all of it."""
        known = [name for name in _CODES if name in self._items.column_names]
        exact = [pc.equal(pc.utf8_lower(self._text(name)), what.strip().lower()) for name in known]
        return _rows(exact) or self._worded(what.split())

    def _worded(self, words: Sequence[str]) -> list[int]:
        known = [name for name in (*_CODES, *_NAMES) if name in self._items.column_names]
        texts = [pc.fill_null(self._text(name), "") for name in known]
        whole = pc.binary_join_element_wise(*texts, " ")
        each = [pc.match_substring(whole, word, ignore_case=True) for word in words]
        found = np.logical_and.reduce([_mask(mask) for mask in each]) if each else np.zeros(0, bool)
        return [int(row) for row in np.flatnonzero(found)]

    def of(self, row: int) -> Whereabout:
        cells = self._items.slice(row, 1).to_pylist()[0]
        seen, reader = int(self._placed.seen[row]), int(self._placed.reader[row])
        return Whereabout(
            tag=cells["tag"],
            item=cells.get("id") or cells["tag"],
            title=str(cells.get("name") or cells.get("medicine") or cells.get("id") or cells["tag"]),
            home=cells.get("home") or "",
            places=tuple(self._places(row)),
            seen_ms=seen,
            seen_by=self._plan.readers[reader].name if seen else "",
            since_ms=int(self._placed.since[row]) if self._placed.area[row] != NOWHERE else 0,
        )

    def contents(self, area: str) -> Contents:
        column = self._names.index(area)
        chances = self._placed.chances[:, column]
        there = np.flatnonzero(chances >= _WORTH_TELLING)
        there = there[np.argsort(-chances[there], kind="stable")]
        home = self._text("home") if "home" in self._items.column_names else None
        belonging = _mask(pc.equal(home, area)) if home is not None else np.zeros(len(chances), bool)
        heard = self._placed.seen > 0
        missing = np.flatnonzero(belonging & heard & (chances < _PROBABLY))
        return Contents(
            area,
            count(number_of(chances.astype(np.float64))),
            tuple(self.of(int(row)) for row in there),
            tuple(self.of(int(row)) for row in missing),
        )

    def spread(self, rows: Sequence[int]) -> dict[str, float]:
        """How many of these are expected in each area, and elsewhere."""
        total = self._placed.chances[list(rows)].sum(axis=0)
        order = np.argsort(-total, kind="stable")
        return {self._names[at]: float(total[at]) for at in order if total[at] >= _WORTH_TELLING}

    def _places(self, row: int) -> Iterator[Place]:
        chances = self._placed.chances[row]
        for column in np.argsort(-chances, kind="stable"):
            if chances[column] >= _WORTH_TELLING:
                yield Place(self._names[column], self._titles[column], float(chances[column]))

    def _text(self, column: str) -> pa.Array:
        return self._items.column(column).cast(pa.string()).combine_chunks()


def _mask(found: pa.Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    mask: np.ndarray[tuple[int], np.dtype[np.bool_]]
    mask = pc.fill_null(found, False).to_numpy(zero_copy_only=False).astype(bool)
    return mask


def _rows(masks: Sequence[pa.Array]) -> list[int]:
    found = np.logical_or.reduce([_mask(mask) for mask in masks])
    return [int(row) for row in np.flatnonzero(found)]

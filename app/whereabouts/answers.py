"""What people ask about whereabouts: where is it, what is there, what belongs there and is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from app.cleaning.placed import Placed, Shares
from app.cleaning.tables import NOWHERE, Table
from app.place.scenario import Scenario
from app.whereabouts.names import CatalogNames, mask
from sase.belief.answers.counting import count, number_of

ON_ITS_WAY, NOT_HEARD, GONE_OUT = "on its way", "not heard any more", "out"
_NO_AREA = (ON_ITS_WAY, NOT_HEARD, GONE_OUT)  # as the columns behind those of the areas
_WORTH_TELLING = 0.005
PROBABLY = 0.5
MOST_NAMED = 200  # things of an area that are told one by one


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
class HowMany:
    """Between `low` and `high` with nine chances of ten."""

    expected: float
    low: int
    high: int


@dataclass(frozen=True)
class Amount:
    """How many things of one name."""

    title: str
    number: HowMany


@dataclass(frozen=True)
class Contents:
    """What is probably in an area, how many, and what belongs there and probably is not.

    `amounts`, `there` and `missing` name some; the numbers beside them are those of all."""

    area: str
    number: HowMany
    amounts: tuple[Amount, ...]
    titles: int
    there: tuple[Whereabout, ...]
    probably: int
    missing: tuple[Whereabout, ...]
    absent: int


class Answers:
    """The catalog of a place beside where each of its tags is."""

    def __init__(
        self, scenario: Scenario, names: CatalogNames, placed: Placed, now_ms: int, began_ms: int = 0
    ) -> None:
        self._plan, self._known, self._placed = scenario.plan, names, placed
        self.now_ms, self.began_ms = now_ms, began_ms
        self._titles = [*(area.title for area in self._plan.areas), *_NO_AREA]
        self._names = [*(area.name for area in self._plan.areas), *_NO_AREA]

    def find(self, what: str) -> list[int]:
        """Rows of the catalog."""
        return self._known.find(what)

    def of(self, row: int) -> Whereabout:
        cells = self._known.items.slice(row, 1).to_pylist()[0]
        seen, reader = int(self._placed.seen[row]), int(self._placed.reader[row])
        return Whereabout(
            tag=cells["tag"],
            item=cells.get("id") or cells["tag"],
            title=str(self._known.titles[row].as_py()),
            home=cells.get("home") or "",
            places=tuple(self._places(row)),
            seen_ms=seen,
            seen_by=self._plan.readers[reader].name if seen else "",
            since_ms=int(self._placed.since[row]) if self._placed.area[row] != NOWHERE else 0,
        )

    def contents(self, area: str, most: int = MOST_NAMED) -> Contents:
        """`most`: how many of each list are told."""
        chances = self._placed.chances[:, self._names.index(area)]
        there = np.flatnonzero(chances >= _WORTH_TELLING)
        there = there[np.argsort(-chances[there], kind="stable")]
        belonging = mask(pc.equal(self._known.homes, area))
        missing = np.flatnonzero(belonging & (self._placed.seen > 0) & (chances < PROBABLY))
        titles, amounts = self._amounts(there, chances[there], most)
        return Contents(
            area,
            how_many(chances),
            tuple(amounts),
            titles,
            tuple(self.of(int(row)) for row in there[:most]),
            int((chances >= PROBABLY).sum()),
            tuple(self.of(int(row)) for row in missing[:most]),
            len(missing),
        )

    def spread(self, rows: Sequence[int] | None = None) -> dict[str, float]:
        """How many of these, or of all, are expected in each area, and elsewhere."""
        chances = self._placed.chances if rows is None else self._placed.chances[list(rows)]
        total = chances.sum(axis=0, dtype=np.float64)
        order = np.argsort(-total, kind="stable")
        return {self._names[at]: float(total[at]) for at in order if total[at] >= _WORTH_TELLING}

    @property
    def chances(self) -> Shares:
        """By row of the catalog and area, and behind these: on its way, not heard any more, out."""
        return self._placed.chances

    @property
    def known(self) -> CatalogNames:
        return self._known

    def number(self, rows: Sequence[int], area: str) -> HowMany:
        """How many of these are there."""
        return how_many(self._placed.chances[list(rows), self._names.index(area)])

    def _amounts(self, rows: Table, chances: Shares, most: int) -> tuple[int, list[Amount]]:
        """How many names there are, and of the `most` frequent ones how many things."""
        codes = np.asarray(self._known.titles.indices)[rows]
        expected = np.bincount(codes, chances)
        order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[order], np.arange(len(expected) + 1))
        names = self._known.titles.dictionary
        told = [
            Amount(str(names[int(code)].as_py()), how_many(chances[order[ends[code] : ends[code + 1]]]))
            for code in np.argsort(-expected, kind="stable")[: min(most, np.count_nonzero(expected))]
        ]
        return int(np.count_nonzero(expected)), told

    def _places(self, row: int) -> Iterator[Place]:
        chances = self._placed.chances[row]
        for column in np.argsort(-chances, kind="stable"):
            if chances[column] >= _WORTH_TELLING:
                yield Place(self._names[column], self._titles[column], float(chances[column]))


def how_many(chances: Shares) -> HowMany:
    found = count(number_of(chances.astype(np.float64)))
    return HowMany(found.expected, found.low, found.high)

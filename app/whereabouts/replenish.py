"""What is running out on its shelf, and what to carry there from where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.placed import Shares
from app.cleaning.tables import Table
from app.place.floor_plan import FloorPlan
from app.whereabouts.answers import HowMany, how_many
from app.whereabouts.names import CatalogNames
from sase.belief.answers.counting import number_of

LEAST_SHARE = 0.25  # of those that belong there: with fewer on the shelf it is running out
SURE = 0.9
_FEWEST = 4  # things of a product that make a stock; of fewer none runs out
_SPREADS = 4.0  # standard deviations from the limit, beyond which it need not be worked out
_SOME = 0.5  # things, to be worth a walk
_STOCK = "stock"


@dataclass(frozen=True)
class CarryFrom:
    """Where more of it probably is."""

    area: str
    number: HowMany


@dataclass(frozen=True)
class Shortage:
    """Fewer than `least` of the `belongs` are there, with this `chance`; `sources` are the best first."""

    title: str
    home: str
    there: HowMany
    belongs: int
    least: int
    chance: float
    sources: tuple[CarryFrom, ...]


def shortages(
    plan: FloorPlan,
    names: CatalogNames,
    chances: Shares,
    least_share: float = LEAST_SHARE,
    sure: float = SURE,
) -> list[Shortage]:
    """The emptiest first. What was never heard counts as not there; an area of which nothing at all is heard
    is not told, because then its reader is missing rather than its stock."""
    areas = [area.name for area in plan.areas]
    found = [
        shortage
        for at, area in enumerate(areas)
        for shortage in _of_area(plan, names, chances, at, area, least_share)
        if shortage.chance >= sure
    ]
    return sorted(found, key=lambda one: (one.there.expected / one.belongs, one.title))


def _of_area(
    plan: FloorPlan, names: CatalogNames, chances: Shares, at: int, area: str, least_share: float
) -> Iterator[Shortage]:
    rows = np.flatnonzero(np.asarray(pc.equal(names.homes, area)))
    there = chances[rows, at].astype(np.float64)
    if not len(rows) or there.sum() < _SOME:
        return
    codes = np.asarray(names.titles.indices)[rows]
    belongs, expected = np.bincount(codes), np.bincount(codes, there)
    spread = np.sqrt(np.bincount(codes, there * (1.0 - there)))
    least = np.ceil(belongs * least_share)
    few = (belongs >= _FEWEST) & (expected - _SPREADS * spread < least)
    for code in np.flatnonzero(few):
        mine = codes == code
        number = number_of(there[mine])
        yield Shortage(
            _title(names.titles, int(code)),
            area,
            how_many(chances[rows[mine], at]),
            int(belongs[code]),
            int(least[code]),
            float(number[: int(least[code])].sum()),
            _sources(plan, chances, rows[mine], area),
        )


def _sources(plan: FloorPlan, chances: Shares, rows: Table, home: str) -> tuple[CarryFrom, ...]:
    """Stock rooms first, then where most of it is; nothing comes back from a till or a door."""
    expected = chances[rows].sum(axis=0)
    found = [
        (area.kind != _STOCK, -float(expected[at]), CarryFrom(area.name, how_many(chances[rows, at])))
        for at, area in enumerate(plan.areas)
        if area.name != home and area.kind in ("stock", "shelf", "fitting") and expected[at] >= _SOME
    ]
    return tuple(source for _, _, source in sorted(found, key=lambda one: one[:2]))


def _title(titles: pa.DictionaryArray, code: int) -> str:
    return str(titles.dictionary[code].as_py())

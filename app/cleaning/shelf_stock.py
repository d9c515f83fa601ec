"""How many of each product are on its shelf: told when they are fewer than a limit, and when enough again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from app.cleaning.kept_rows import fill, kept
from app.cleaning.tables import NOWHERE, Table
from app.place.floor_plan import SHELF
from app.place.scenario import Scenario
from sase.belief.answers.counting import number_of

LOOK_MS = 10_000
HIGHEST_LIMIT = 20
BELONG = 4  # a limit is watched where so many times as many belong: of fewer, few are no shortage
_ENOUGH = 0.5  # that they are fewer: below this there are enough again
_SPREADS = 4.0  # standard deviations from the limit, beyond which it need not be worked out
_NO_DOUBT = 0.01  # standard deviations of a number that is as good as certain
_AT_REST_MS = 3_600_000  # after which nothing changes until something is heard
_LOOKED, _HEARD = range(2)

Chances = NDArray[np.float64]


class StockLine(NamedTuple):
    """Of the product of this row of the catalog fewer than `below` are on their shelf, or enough again."""

    ts: int
    low: bool
    row: int
    area: int
    below: int
    sure: float


class ShelfStock:
    """Looks at fixed moments, so that it does not matter how the log is cut. What lies nowhere yet has never
    been enough: it is not told to run out."""

    def __init__(self, scenario: Scenario) -> None:
        self._sure = scenario.cleaning.sure
        self.homes = _shelves(scenario)
        self._rows, self._starts, names = _groups(scenario, self.homes)
        self._names = pa.array(names, pa.string())
        belong = np.diff(self._starts)
        self._limits = np.minimum(belong // BELONG, HIGHEST_LIMIT)
        self._least = np.ones((len(names), 1), np.int64)  # the lowest limit that has been told to be missed
        self._clock = np.zeros((1, 2), np.int64)

    def moments(self, rows: Table, until: int) -> Iterator[int]:
        """When to look between these rows (`ts` first); when one has passed, nothing of it can still come."""
        if not len(self._names) or not (len(rows) or self._clock[0, _LOOKED]):
            return
        times, heard = rows[:, 0], int(self._clock[0, _HEARD])
        looked = int(self._clock[0, _LOOKED]) or int(times[0]) // LOOK_MS * LOOK_MS
        due = np.arange(looked + LOOK_MS, until, LOOK_MS)
        if len(rows):
            before = np.searchsorted(times, due, "right") - 1
            last = np.where(before >= 0, times[np.maximum(before, 0)], heard)
            self._clock[0, _HEARD] = times[-1]
        else:
            last = np.full(len(due), heard)
        self._clock[0, _LOOKED] = due[-1] if len(due) else looked
        yield from due[due - last <= _AT_REST_MS].tolist()

    def look(self, moment: int, at_home: Chances) -> Iterator[StockLine]:
        """`at_home`: of each row of the catalog, how likely it is on its shelf."""
        there = at_home[self._rows]
        expected = np.add.reduceat(there, self._starts[:-1])
        spread = np.sqrt(np.add.reduceat(there * (1.0 - there), self._starts[:-1]))
        least = self._least[:, 0]
        few = expected - _SPREADS * spread < self._limits
        as_told = (spread < _NO_DOUBT) & (least == np.minimum(np.rint(expected), self._limits) + 1)
        for group in np.flatnonzero((few | (least <= self._limits)) & ~as_told):
            yield from self._change(moment, int(group), there)

    def state(self) -> list[pa.RecordBatch]:
        return [
            kept("stock", self._names, self._least),
            kept("stock looked", pa.array([""]), self._clock),
        ]

    def restore(self, state: pa.RecordBatch) -> None:
        fill(self._least, "stock", self._names, state)
        fill(self._clock, "stock looked", pa.array([""]), state)
        self._least = np.minimum(self._least, self._limits[:, None] + 1)

    def _change(self, moment: int, group: int, there: Chances) -> Iterator[StockLine]:
        limit, least = int(self._limits[group]), int(self._least[group, 0])
        start, end = self._starts[group : group + 2]
        fewer = np.cumsum(number_of(there[start:end]))[:limit]  # than 1, 2, …
        surely = 1 + int(np.searchsorted(fewer, self._sure))
        probably = 1 + int(np.searchsorted(fewer, _ENOUGH, "right"))
        now = min(max(least, probably), surely)
        row = int(self._rows[start])
        for below in range(min(now, least), max(now, least)):
            chance = float(fewer[below - 1])
            sure = chance if now < least else 1.0 - chance
            yield StockLine(moment, now < least, row, int(self.homes[row]), below, sure)
        self._least[group, 0] = now


def _shelves(scenario: Scenario) -> Table:
    """The shelf of each row of the catalog; NOWHERE for what belongs to none or is no product."""
    items, areas = scenario.items, scenario.plan.areas
    if not {"home", "product"} <= set(items.column_names):
        return np.full(items.num_rows, NOWHERE, np.int64)
    names = pa.array([area.name for area in areas], pa.string())
    home = pc.fill_null(pc.index_in(items["home"].combine_chunks(), value_set=names), NOWHERE).to_numpy()
    is_shelf = np.array([area.kind == SHELF for area in areas])
    product = pc.is_valid(items["product"].combine_chunks()).to_numpy(zero_copy_only=False)
    return np.where((home >= 0) & is_shelf[home] & product, home, NOWHERE).astype(np.int64)


def _groups(scenario: Scenario, homes: Table) -> tuple[Table, Table, list[str]]:
    """The catalog's rows by product and shelf, where each group of them begins, and their names; those of
    which there are too few to watch any limit are left out."""
    rows = np.flatnonzero(homes != NOWHERE)
    if not len(rows):
        return rows, np.zeros(1, np.int64), []
    coded = scenario.items["product"].combine_chunks().dictionary_encode()
    products = coded.indices.fill_null(0).to_numpy().astype(np.int64)
    key = products * len(scenario.plan.areas) + homes
    rows = rows[np.argsort(key[rows], kind="stable")]
    _, group, sizes = np.unique(key[rows], return_inverse=True, return_counts=True)
    rows = rows[sizes[group] >= BELONG]
    sizes = sizes[sizes >= BELONG]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    areas = [area.name for area in scenario.plan.areas]
    first = rows[starts[:-1]]
    names = [f"{coded.dictionary[int(products[row])].as_py()}@{areas[int(homes[row])]}" for row in first]
    return rows, starts, names

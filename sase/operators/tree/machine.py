"""Holds the outcomes of a tree of operators between pushes and runs its kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from sase.events.dictionary import Tagged
from sase.events.growth import extended
from sase.events.table import EventTable
from sase.kernels.cells import (
    ALL_DOUBTED,
    ALL_DROPPED,
    DUE,
    EARLIEST,
    FIELDS,
    HAPPENS,
    KEPT_FOR,
    NEWEST,
    OFFSET,
    OLDEST,
    OPPOSED,
    ROWS,
    SAME,
    SETS,
    SETS_END,
    SETS_FIRST,
    SETS_NEED,
    SHORT,
    SLOTS,
    STATES,
    WIDE,
)
from sase.kernels.emission import Binding
from sase.kernels.program import Conditions, Events, Program, scratch
from sase.kernels.tree.advance import advance
from sase.kernels.tree.moments import NO_DEADLINE
from sase.kernels.tree.rings import sweep
from sase.kernels.tree.tables import Outcomes, TreeTables
from sase.operators.absence import AbsencePlan
from sase.operators.emission import EmissionPlan
from sase.operators.outlet import Outlet
from sase.operators.programs import table
from sase.operators.tree.shape import OperatorShape
from sase.operators.waiting import WaitingPlan
from sase.plan.bytecode import ByteCode
from sase.results.found import Found

FEWEST_SLOTS = 64  # of a ring; a power of two
RING_CELLS = DUE + 1
NO_HEADS = np.zeros((1, 0), np.int64)
NOTHING_NOTED = np.zeros(0, np.int64)


class TreeOutlet(Outlet):
    """Windows that are open stand in the tree itself: what waits is not a match yet."""

    due = NO_DEADLINE

    @property
    def next_deadline(self) -> int | None:
        return None if self.due == NO_DEADLINE else self.due


class TreeMachine:
    def __init__(
        self,
        shape: OperatorShape,
        joins: ByteCode,
        absence: AbsencePlan,
        waiting: WaitingPlan,
        emission: EmissionPlan,
    ) -> None:
        tree = shape.tree
        self._shape = shape.tables(joins, emission.limit, emission.likelihood.table())
        self._outcomes = self._nothing(shape)
        self._registers = np.full((1, FIELDS + len(tree.names)), -1, np.int64)
        self._binding = Binding(table((), 2), self._registers, self._registers[0], NOTHING_NOTED)
        self._scratch = scratch(0)
        width = 0 if tree.varies[-1] else tree.happening
        self._windows = TreeOutlet(absence, waiting, emission, joins, width)
        self._windows.told_later = False  # the tree unites the ways itself
        self.outlet: Outlet = self._windows

    def _nothing(self, shape: OperatorShape) -> Outcomes:
        nodes = len(shape.tree.nodes)
        rings = np.zeros((nodes, RING_CELLS), np.int64)
        slots = np.full(nodes, FEWEST_SLOTS)
        state = np.zeros(STATES, np.int64)
        state[EARLIEST] = NO_DEADLINE
        return Outcomes(
            self._laid_out(rings, slots),
            rings,
            np.full((1, 2 + max(shape.chains)), -1, np.int64),
            np.zeros((1, 1 + max(shape.counted)), np.int64),
            np.zeros((FEWEST_SLOTS, 3), np.int64),
            np.zeros(FEWEST_SLOTS if shape.doubted else 0, np.int64),
            state,
        )

    def run(
        self, first: int, now: int, events: EventTable, program: Program, keys: int, groups: int
    ) -> Found:
        self._make_room(keys)
        conditions = Conditions(program, Events(events.rows, events.base), self._scratch)
        emission = self.outlet.opened(NO_HEADS, self._binding, groups)
        lacking = -1
        while not self.outlet.stops(lacking, first, now, events):
            first, lacking = advance(first, events.end, now, self._tables, conditions, emission)
            self._windows.due = int(self._outcomes.state[EARLIEST])
            self._grow(lacking)
            emission = self.outlet.with_room(emission, lacking)
        return self.outlet.found()

    @property
    def _tables(self) -> TreeTables:
        return TreeTables(self._shape, self._outcomes, self._registers)

    def _make_room(self, keys: int) -> None:
        known = self._outcomes
        self._outcomes = known._replace(
            chains=extended(known.chains, keys, -1), counts=extended(known.counts, keys, 0)
        )

    def _grow(self, lacking: int) -> None:
        """Twice the room where there was too little."""
        known = self._outcomes
        if lacking == SAME:
            self._outcomes = known._replace(twins=np.zeros((2 * len(known.twins), 3), np.int64))
        elif lacking == ROWS:
            slots = known.rings[:, SLOTS].copy()
            slots[known.state[SHORT]] *= 2
            self._move(slots)
        elif lacking == SETS:
            self._outcomes = known._replace(sets=self._sets_in_use())

    def _sets_in_use(self) -> NDArray[np.int64]:
        """Without those before the first that an outcome has; with twice the room that is needed."""
        state, sets = self._outcomes.state, self._outcomes.sets
        named = np.concatenate(
            [rows[:, self._shape.nodes[node, WIDE] + OPPOSED] for node, rows in self._kept]
        )
        first = int(min(named[named >= 0], default=state[SETS_END]))
        used = sets[first - state[SETS_FIRST] : state[SETS_END] - state[SETS_FIRST]]
        state[SETS_FIRST] = first
        new = np.empty(max(len(sets), 2 * (len(used) + int(state[SETS_NEED]))), np.int64)
        new[: len(used)] = used
        return new

    @property
    def _kept(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """The outcomes of every node that happens."""
        for node, ring in enumerate(self._outcomes.rings):
            if self._shape.nodes[node, HAPPENS]:
                numbers = np.arange(ring[OLDEST], ring[NEWEST])
                yield node, self._ring(self._outcomes.pool, node, ring)[numbers & (ring[SLOTS] - 1)]

    def _move(self, slots: NDArray[np.int64]) -> None:
        """Give the rings other sizes; every outcome keeps its number."""
        old, known = self._outcomes.rings.copy(), self._outcomes
        pool = self._laid_out(known.rings, slots)
        for node, (before, now) in enumerate(zip(old, known.rings, strict=True)):
            numbers = np.arange(before[OLDEST], before[NEWEST])
            kept = self._ring(known.pool, node, before)[numbers & (before[SLOTS] - 1)]
            self._ring(pool, node, now)[numbers & (now[SLOTS] - 1)] = kept
        self._outcomes = known._replace(pool=pool)

    def _laid_out(self, rings: NDArray[np.int64], slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """A pool in which rings of so many slots stand one behind the other."""
        ends = np.cumsum(slots * self._shape.nodes[:, WIDE])
        rings[:, SLOTS] = slots
        rings[1:, OFFSET] = ends[:-1]
        return np.empty(int(ends[-1]), np.int64)

    def _ring(self, pool: NDArray[np.int64], node: int, ring: NDArray[np.int64]) -> NDArray[np.int64]:
        wide = int(self._shape.nodes[node, WIDE])
        start, slots = int(ring[OFFSET]), int(ring[SLOTS])
        return pool[start : start + slots * wide].reshape(slots, wide)

    def sweep(self, now: int) -> None:
        """Drop what has left the windows, and the room of what was there once."""
        sweep(now, self._shape, self._outcomes)
        slots = self._outcomes.rings[:, SLOTS]
        spare = (self._shape.nodes[:, KEPT_FOR] > 0) & (slots > 4 * FEWEST_SLOTS) & (8 * self._used < slots)
        if spare.any():
            self._move(np.where(spare, slots // 4, slots))

    def forget(self, before: int) -> None:
        """Outcomes only point to events, and go before them."""

    @property
    def held(self) -> Iterable[Tagged]:
        """Outcomes hold events, no values."""
        return ()

    @property
    def _used(self) -> NDArray[np.int64]:
        used: NDArray[np.int64] = self._outcomes.rings[:, NEWEST] - self._outcomes.rings[:, OLDEST]
        return used

    @property
    def live(self) -> int:
        return int(self._used.sum())

    @property
    def cut(self) -> int:
        return self.outlet.cut + int(self._outcomes.state[ALL_DROPPED])

    @property
    def unlikely(self) -> int:
        return int(self._outcomes.state[ALL_DOUBTED])

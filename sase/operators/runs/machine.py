"""Holds the runs and the match buffer of one plan between pushes and runs their kernel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sase.events.dictionary import Tagged
from sase.events.growth import extended, used, without_front
from sase.events.table import EventTable
from sase.kernels import cells
from sase.kernels.cells import COMPONENT_BITS, COMPONENTS, FIELDS
from sase.kernels.emission import Binding
from sase.kernels.likelihood import ONE
from sase.kernels.program import Conditions, Events, Program, scratch
from sase.kernels.runs.advance import advance, alive, sweep
from sase.kernels.runs.buffer import Buffer
from sase.kernels.runs.form import Form, widened
from sase.kernels.runs.tables import RunPlan, Runs, RunTables, RunWork
from sase.kernels.values import MISSING
from sase.operators.absence import AbsencePlan
from sase.operators.outlet import Outlet
from sase.operators.programs import scalar_column
from sase.operators.runs.transitions import Transitions
from sase.plan.bytecode import ByteCode
from sase.plan.window import Window
from sase.results.found import Found, Graph

FIRST_ROWS = 256  # rows that the tables begin with
TWINS = 4096
NEW_PER_RUN, NEW_PER_NODE = 16, 4  # new events, of which one may begin a run, and one a node


class RunMachine:
    def __init__(
        self,
        plan: RunPlan,
        window: Window,
        transitions: Transitions,
        joins: ByteCode,
        absence: AbsencePlan,
        outlet: Outlet,
        crisp: Form,
    ) -> None:
        """`crisp`: the form that does while all events are certain, whether HAVING asks for more or not."""
        self._plan, self._window, self.outlet = plan, window, outlet
        self._crisp, self._certain = crisp, True
        self._automaton = transitions.table(joins, absence)
        scalars = self._scalars = len(transitions.slots.scalars)
        self._runs = _runs(FIELDS + 2 * scalars + len(transitions.slots.events), len(absence.joins))
        width = cells.NODE_WIDTH + plan.likelihood.asked
        self._buffer = Buffer(np.zeros((FIRST_ROWS, width), np.int64), np.zeros(2, np.int64))
        self._scratch = scratch(scalars)
        self._work = _work(len(self._automaton.moves))
        width = FIELDS + 2 * scalars + len(transitions.match_slots.events)
        self._binding = Binding(
            transitions.registers(transitions.match_slots),
            np.zeros((1, width), np.int64),
            self._work.path,
            np.zeros(0, np.int64),
        )
        self._swept = FIRST_ROWS
        self._oldest = 0  # no run of the events still there began before

    def run(
        self, first: int, now: int, events: EventTable, program: Program, keys: int, groups: int
    ) -> Found:
        self._grow(len(events), keys, events.end - first)
        self._oldest = events.clock(events.base) if len(events) else self._oldest
        conditions = Conditions(program, Events(events.rows, events.base), self._scratch)
        plan = self._plan_at_hand()
        emission = self.outlet.opened(
            self._runs.heads, self._binding, groups, not plan.form.asked, events.end - first
        )
        lacking = -1
        while not self.outlet.stops(lacking, first, now, events):
            tables = RunTables(plan, self._automaton, self._runs, self._buffer, self._work)
            first, lacking = advance(first, events.end, now, tables, conditions, emission)
            self._make_room(lacking, int(self._runs.counts[cells.NEED]))
            emission = self.outlet.with_room(emission, lacking)
        return self.outlet.found(self._graph() if self._plan.compressed and self.outlet.count else None)

    def _plan_at_hand(self) -> RunPlan:
        """In the form that is enough for what has come so far."""
        if self._certain and self.outlet.doubted:
            self._certain = False
            self._buffer.nodes[: used(self._buffer.base), cells.LIKELIEST] = ONE  # as nobody has noted
            self.outlet.begin_to_doubt()
        form = self._crisp if self._certain else self._plan.form
        return self._plan._replace(form=widened(form) if self.outlet.pruned.column >= 0 else form)

    def _grow(self, events: int, keys: int, new: int) -> None:
        """Room for what surely comes, and for what so many new events may begin: making room stops them."""
        self._runs = _with_rows(self._runs, new // NEW_PER_RUN)
        room = used(self._buffer.base) + new // NEW_PER_NODE
        self._buffer = self._buffer._replace(nodes=extended(self._buffer.nodes, room))
        heads = extended(self._runs.heads, keys, -1)
        heads[len(self._runs.heads) :, [cells.RUNS, cells.WANTS]] = 0
        self._runs = self._runs._replace(heads=heads)
        deep = events + 2  # no path is longer than the window
        path, stack = extended(self._work.path, deep), extended(self._work.stack, deep)
        self._work = self._work._replace(path=path, stack=stack)
        self._binding = self._binding._replace(path=path)
        if self._plan.likelihood.asked:
            self._work = self._work._replace(likely=extended(self._work.likely, deep))
        if self._plan.likelihood.united:
            self._binding = self._binding._replace(noted=extended(self._binding.noted, deep))

    def _make_room(self, lacking: int, need: int) -> None:
        if lacking == cells.ROWS:
            self._runs = _with_rows(self._runs, need)
        elif lacking == cells.NODES:
            nodes = self._buffer.nodes
            self._buffer = self._buffer._replace(nodes=extended(nodes, len(nodes) + need))
        elif lacking == cells.FINALS:
            self._work = self._work._replace(final=np.empty(2 * need, np.int64))
        elif lacking == cells.SUMS:
            self._work = self._work._replace(sums=np.empty((2 * need, 2), np.int64))

    def _graph(self) -> Graph:
        base = self._buffer.base
        nodes = self._buffer.nodes[: base[cells.EVER] - base[cells.FIRST]]
        previous, other = nodes[:, cells.PREVIOUS].copy(), nodes[:, cells.OTHER].copy()
        steps = nodes[:, cells.STEP]
        return Graph(
            int(base[cells.FIRST]),
            steps >> COMPONENT_BITS,
            steps & COMPONENTS,
            previous,
            other,
            self._window.size,
            self._window.counts_events,
        )

    def sweep(self, now: int) -> None:
        """Once expired runs may be as many as the live ones."""
        expired = self._plan.prune and now - self._oldest >= self._plan.window
        if expired and self._alive > 2 * self._swept:
            sweep(now, self._runs, self._plan.window)
            self._swept = max(self._alive, FIRST_ROWS)

    def forget(self, before: int) -> None:
        buffer, step = self._buffer, before << COMPONENT_BITS
        self._buffer = buffer._replace(nodes=without_front(buffer.nodes, buffer.base, step))

    @property
    def held(self) -> Iterator[Tagged]:
        rows = self._runs.rows
        living = np.empty(self._alive, np.int64)
        alive(self._runs, living)
        for column in map(scalar_column, range(self._scalars)):
            kinds = np.full(len(rows), MISSING, np.uint8)  # a free row holds anything
            kinds[living] = rows[living, column + cells.KIND]
            yield rows[:, column], kinds

    @property
    def live(self) -> int:
        return self._alive + self.outlet.waiting

    @property
    def cut(self) -> int:
        return self.outlet.cut + int(self._runs.counts[cells.REFUSED])

    @property
    def unlikely(self) -> int:
        return self.outlet.unlikely + int(self._runs.counts[cells.IMPROBABLE])

    @property
    def _alive(self) -> int:
        return int(self._runs.counts[cells.ALIVE])


def _with_rows(state: Runs, need: int) -> Runs:
    """Room for so many more runs."""
    free = len(state.rows) - int(state.counts[cells.ALIVE])
    return state._replace(rows=extended(state.rows, len(state.rows) + max(need - free, 0)))


def _runs(width: int, negatives: int) -> Runs:
    rows = np.zeros((FIRST_ROWS, width), np.int64)
    heads = np.array([[-1, 0, 0, *[-1] * negatives]], np.int64)
    return Runs(rows, heads, np.zeros(cells.COUNTS, np.int64))


def _work(moves: int) -> RunWork:
    path, stack, final = (np.zeros(FIRST_ROWS, np.int64) for _ in range(3))
    twins, sums = np.full((TWINS, 2), -1, np.int64), np.empty((0, 2), np.int64)
    likely = np.zeros(0, np.float64)
    return RunWork(path, stack, final, twins, np.zeros(moves, np.int64), likely, sums)

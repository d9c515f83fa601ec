"""Holds the runs and the match buffer of one plan between pushes and runs their kernel."""

from __future__ import annotations

import numpy as np

from sase.found import Found, Graph
from sase.kernels import runs
from sase.kernels.pending import pending
from sase.kernels.program import Program, Scalars, scratch
from sase.plan import Plan
from sase.room import extended, filled, index_of_negatives, without_front
from sase.stack_machine import absence_with_room, absence_without_front
from sase.tables import negatives, run_plan
from sase.window import Window

ROWS = 256
TABLE = 4096


class RunMachine:
    def __init__(self, plan: Plan) -> None:
        self._plan = run_plan(plan)
        self._negatives = negatives(plan)
        slots = max(len(plan.registers.scalars), 1)
        self._runs = _runs(max(len(plan.registers.events), 1), slots)
        self._buffer = runs.Buffer(*(np.zeros(ROWS, np.int64) for _ in range(5)), np.zeros(2, np.int64))
        self._index = index_of_negatives(len(plan.shape.negatives))
        self._pending = pending()
        self._scratch = scratch(slots)
        self._work = runs.Work(
            *(np.zeros(ROWS, np.int64) for _ in range(4)),
            filled((TABLE, 2)),
            np.zeros((1, max(len(plan.negative_registers.events), 1)), np.int64),
            _scalars(1, slots),
        )
        self._swept = ROWS
        self.cut = 0
        self.refused = 0  # partial matches beyond the limit

    def run(self, first: int, now: int, window: Window, program: Program, keys: int, groups: int) -> Found:
        """Process the window's events from `first` on and let the clock reach `now`."""
        state = self._runs
        self._runs = state._replace(
            heads=extended(state.heads, keys, -1),
            count=extended(state.count, keys, 0),
            barrier=extended(state.barrier, groups, -1),
        )
        self._index = absence_with_room(self._index, window.end - first, keys, window)
        deep = len(window) + 2  # no path is longer than the window
        self._work = self._work._replace(
            path=extended(self._work.path, deep),
            parts=extended(self._work.parts, deep),
            stack=extended(self._work.stack, deep),
        )
        output = runs.Output(
            np.empty(4096, np.int64), np.empty(4096, np.int8), np.empty(4096, np.int64), np.zeros(4, np.int64)
        )
        self._runs, self._buffer, self._pending, output, self._work = runs.advance(
            first,
            window.end,
            now,
            self._runs,
            self._buffer,
            self._plan,
            program,
            window.events,
            window.base,
            self._negatives,
            self._index,
            self._pending,
            output,
            self._work,
            self._scratch,
        )
        self.cut += int(output.size[2])
        self.refused += int(output.size[3])
        return self._found(output)

    def _found(self, output: runs.Output) -> Found:
        count, used = int(output.size[0]), int(output.size[1])
        graph = self._graph() if self._plan.compressed and count else None
        return Found(count, output.path[:used], 0, output.parts[:used], output.ends[:count], graph)

    def _graph(self) -> Graph:
        buffer = self._buffer
        used = int(buffer.base[1] - buffer.base[0])
        copies = (a[:used].copy() for a in (buffer.event, buffer.part, buffer.previous, buffer.other))
        return Graph(int(buffer.base[0]), *copies)

    def sweep(self, now: int, window: Window) -> None:
        """Drop expired runs everywhere, once they may be as many as the live ones."""
        if self._plan.prune and self._runs.free[1] > 2 * self._swept:
            runs.sweep(now, self._runs, self._plan, window.events, window.base)
            self._swept = max(int(self._runs.free[1]), ROWS)

    def forget(self, before: int) -> None:
        """Events numbered below `before` are gone."""
        b = self._buffer
        event, part, previous, other, start = without_front(
            before, b.base, b.event, b.part, b.previous, b.other, b.start
        )
        self._buffer = runs.Buffer(event, part, previous, other, start, b.base)
        self._index = absence_without_front(self._index, before)

    @property
    def live(self) -> int:
        """Partial matches under way and matches that wait."""
        return int(self._runs.free[1] + self._pending.size[0])

    def spent(self, group: int) -> int:
        """The last event that NON-OVERLAP has used up in a group."""
        return int(self._runs.barrier[group])

    def spend(self, group: int, event: int) -> None:
        self._runs = self._runs._replace(barrier=extended(self._runs.barrier, group + 1, -1))
        self._runs.barrier[group] = event


def _scalars(rows: int, slots: int) -> Scalars:
    value = np.zeros((rows, slots), np.int64)
    return Scalars(np.zeros((rows, slots), np.uint8), value, value.view(np.float64))


def _runs(registers: int, slots: int) -> runs.Runs:
    free = np.arange(1, ROWS + 1)
    free[-1] = -1
    return runs.Runs(
        *(np.zeros(ROWS, np.int64) for _ in range(4)),
        free,
        np.zeros((ROWS, registers), np.int64),
        _scalars(ROWS, slots),
        filled(1),
        filled(1, 0),
        filled(1),
        np.zeros(2, np.int64),
    )

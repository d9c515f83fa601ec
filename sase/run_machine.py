"""Holds the runs and the match buffer of one plan between pushes and runs their kernel."""

from __future__ import annotations

import numpy as np

from sase.found import Found, Graph
from sase.kernels import run_state, runs
from sase.kernels.layout import EVENT, EVER, FIELDS, FIRST, NEXT, OTHER, PART, PREVIOUS
from sase.kernels.pending import pending
from sase.kernels.program import Program, scratch
from sase.plan import Plan
from sase.room import extended, negatives_with_room, negatives_without_front, without_front
from sase.tables import automaton, negatives, run_plan
from sase.window import Window

ROWS = 256
TABLE = 4096


class RunMachine:
    def __init__(self, plan: Plan) -> None:
        self._plan = run_plan(plan)
        self._automaton = automaton(plan)
        self._negatives = negatives(plan)
        scalars = len(plan.registers.scalars)
        self._runs = _runs(FIELDS + 2 * scalars + len(plan.registers.events))
        self._buffer = run_state.Buffer(np.zeros((ROWS, 5), np.int64), np.zeros(2, np.int64))
        self._pending = pending()
        self._scratch = scratch(scalars)
        width = FIELDS + 2 * scalars + len(plan.negative_registers.events)
        self._work = run_state.Work(
            np.zeros((ROWS, 2), np.int64),
            np.zeros(ROWS, np.int64),
            np.zeros(ROWS, np.int64),
            np.full((TABLE, 2), -1, np.int64),
            np.zeros((1, width), np.int64),
        )
        self._swept = ROWS
        self.cut = 0  # matches beyond the limit
        self.refused = 0  # partial matches beyond the limit

    def run(self, first: int, now: int, window: Window, program: Program, keys: int, groups: int) -> Found:
        """Process the window's events from `first` on and let the clock reach `now`."""
        heads = extended(self._runs.heads, keys, -1)
        heads[len(self._runs.heads) :, run_state.COUNT :] = 0
        self._runs = self._runs._replace(heads=heads, barrier=extended(self._runs.barrier, groups, -1))
        self._negatives = negatives_with_room(self._negatives, window.end - first, keys)
        deep = len(window) + 2  # no path is longer than the window
        self._work = self._work._replace(
            path=extended(self._work.path, deep), stack=extended(self._work.stack, deep)
        )
        output = run_state.Output(np.empty(4096, np.int64), np.empty(4096, np.int64), np.zeros(4, np.int64))
        self._runs, self._buffer, self._pending, output, self._work = runs.advance(
            first,
            window.end,
            now,
            self._runs,
            self._buffer,
            self._automaton,
            self._plan,
            program,
            window.events,
            window.base,
            self._negatives,
            self._pending,
            output,
            self._work,
            self._scratch,
        )
        self.cut += int(output.size[run_state.CUT])
        self.refused += int(output.size[run_state.REFUSED])
        return self._found(output)

    def _found(self, output: run_state.Output) -> Found:
        count, path = int(output.size[run_state.MATCHES]), output.path[: output.size[run_state.USED]]
        ends = output.ends[:count]
        if self._plan.compressed:
            return Found(count, path, 0, ends, self._graph() if count else None)
        return Found(count, path, 0, ends)

    def _graph(self) -> Graph:
        base = self._buffer.base
        nodes = self._buffer.nodes[: base[EVER] - base[FIRST]]
        columns = (nodes[:, column].copy() for column in (EVENT, PART, PREVIOUS, OTHER))
        return Graph(int(base[FIRST]), *columns)

    def sweep(self, now: int) -> None:
        """Drop expired runs everywhere, once they may be as many as the live ones."""
        if self._plan.prune and self._runs.rows[run_state.ALIVE] > 2 * self._swept:
            runs.sweep(now, self._runs, self._plan)
            self._swept = max(int(self._runs.rows[run_state.ALIVE]), ROWS)

    def forget(self, before: int) -> None:
        """Events numbered below `before` are gone."""
        buffer = self._buffer
        self._buffer = buffer._replace(nodes=without_front(buffer.nodes, buffer.base, before))
        self._negatives = negatives_without_front(self._negatives, before)

    @property
    def live(self) -> int:
        """Partial matches under way and matches that wait."""
        return int(self._runs.rows[run_state.ALIVE] + self._pending.size[0])

    def spent(self, group: int) -> int:
        """The last event that NON-OVERLAP has used up in a group."""
        return int(self._runs.barrier[group])

    def spend(self, group: int, event: int) -> None:
        self._runs = self._runs._replace(barrier=extended(self._runs.barrier, group + 1, -1))
        self._runs.barrier[group] = event


def _runs(width: int) -> run_state.Runs:
    rows = np.zeros((ROWS, width), np.int64)
    rows[:, NEXT] = np.arange(1, ROWS + 1)
    rows[-1, NEXT] = -1
    heads = np.array([[-1, 0, 0]], np.int64)
    return run_state.Runs(rows, heads, np.full(1, -1, np.int64), np.zeros(2, np.int64))

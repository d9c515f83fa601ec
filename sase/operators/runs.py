"""Holds the runs and the match buffer of one plan between pushes and runs their kernel."""

from __future__ import annotations

import numpy as np

from sase.events.growth import extended, without_front
from sase.events.table import Window
from sase.kernels import run_state, runs
from sase.kernels.layout import EVER, FIELDS, FIRST, NEXT, NODE_WIDTH, OTHER, PREVIOUS, STEP
from sase.kernels.pending import pending, with_room
from sase.kernels.program import Program, scratch
from sase.operators.tables import automaton, negatives, run_plan
from sase.plan.plan import Plan
from sase.results.found import Found, Graph

ROWS = 256
ROOM = 4096
NOBODYS = np.empty(0, np.int64)
NO_SPANS = np.empty((0, 3), np.int64)
TABLE = 4096


class RunMachine:
    def __init__(self, plan: Plan) -> None:
        self._plan = run_plan(plan)
        self._automaton = automaton(plan)
        scalars = len(plan.registers.scalars)
        self._runs = _runs(FIELDS + 2 * scalars + len(plan.registers.events), len(plan.shape.negatives))
        self._negatives = negatives(plan, self._runs.heads)
        self._buffer = run_state.Buffer(np.zeros((ROWS, NODE_WIDTH), np.int64), np.zeros(2, np.int64))
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
        self._output = run_state.Output(NOBODYS, NO_SPANS, np.zeros(run_state.SIZES, np.int64))
        self._swept = ROWS
        self.cut = 0  # matches beyond the limit
        self.refused = 0  # partial matches beyond the limit

    def run(self, first: int, now: int, window: Window, program: Program, keys: int, groups: int) -> Found:
        """Process the window's events from `first` on and let the clock reach `now`."""
        heads = extended(self._runs.heads, keys, -1)
        heads[len(self._runs.heads) :, [run_state.COUNT, run_state.WANTS]] = 0
        self._runs = self._runs._replace(heads=heads, barrier=extended(self._runs.barrier, groups, -1))
        self._negatives = self._negatives._replace(heads=heads)
        deep = len(window) + 2  # no path is longer than the window
        self._work = self._work._replace(
            path=extended(self._work.path, deep), stack=extended(self._work.stack, deep)
        )
        self._output = self._new_output()
        finals, lacking = 0, -1
        while lacking != run_state.NOTHING:
            first, finals, lacking, need = runs.advance(
                first,
                window.end,
                finals,
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
                self._output,
                self._work,
                self._scratch,
            )
            self._make_room(lacking, need)
        return self._found(self._output)

    def _new_output(self) -> run_state.Output:
        """As large as the last one's matches were: only what is used of it costs memory."""
        count, length = (int(x) for x in self._output.size[: run_state.CUT])
        size = np.zeros(run_state.SIZES, np.int64)
        size[run_state.BEFORE] = self._output.size[run_state.BEFORE] + count
        path = np.empty(length + length // 4 + ROOM, np.int64)
        return run_state.Output(path, np.empty((count + count // 4 + ROOM, 3), np.int64), size)

    def _make_room(self, lacking: int, need: int) -> None:
        match lacking:
            case run_state.OUTPUT:
                out = self._output
                path, spans = (int(out.size[x]) for x in (run_state.NEED_PATH, run_state.NEED_SPANS))
                self._output = out._replace(path=extended(out.path, path), spans=extended(out.spans, spans))
            case run_state.WAITING:
                self._pending = with_room(self._pending)
            case run_state.ROWS:
                self._runs = _with_rows(self._runs, need)
            case run_state.NODES:
                nodes = self._buffer.nodes
                self._buffer = self._buffer._replace(nodes=extended(nodes, len(nodes) + need))
            case run_state.FINALS:
                self._work = self._work._replace(final=np.empty(2 * need, np.int64))

    def _found(self, output: run_state.Output) -> Found:
        self.cut += int(output.size[run_state.CUT])
        self.refused += int(output.size[run_state.REFUSED])
        count, path = int(output.size[run_state.MATCHES]), output.path[: output.size[run_state.USED]]
        spans = output.spans[:count]
        # The matches are the caller's to keep or drop.
        self._output = output._replace(path=NOBODYS, spans=NO_SPANS)
        if self._plan.compressed:
            return Found(count, path, 0, spans, self._graph() if count else None)
        return Found(count, path, 0, spans)

    def _graph(self) -> Graph:
        base = self._buffer.base
        nodes = self._buffer.nodes[: base[EVER] - base[FIRST]]
        previous, other = nodes[:, PREVIOUS].copy(), nodes[:, OTHER].copy()
        return Graph(int(base[FIRST]), nodes[:, STEP] >> 8, nodes[:, STEP] & 255, previous, other)

    def sweep(self, now: int) -> None:
        """Drop expired runs everywhere, once they may be as many as the live ones."""
        if self._plan.prune and self._runs.rows[run_state.ALIVE] > 2 * self._swept:
            runs.sweep(now, self._runs, self._plan)
            self._swept = max(int(self._runs.rows[run_state.ALIVE]), ROWS)

    def forget(self, before: int) -> None:
        """Events numbered below `before` are gone."""
        buffer = self._buffer
        self._buffer = buffer._replace(nodes=without_front(buffer.nodes, buffer.base, before << 8))

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


def _with_rows(state: run_state.Runs, need: int) -> run_state.Runs:
    """Room for so many more runs: the new rows are the first free ones."""
    old = len(state.table)
    table = extended(state.table, old + need)
    table[old:, NEXT] = np.arange(old + 1, len(table) + 1)
    table[-1, NEXT] = state.rows[run_state.FREE]
    state.rows[run_state.FREE] = old
    return state._replace(table=table)


def _runs(width: int, negatives: int) -> run_state.Runs:
    rows = np.zeros((ROWS, width), np.int64)
    rows[:, NEXT] = np.arange(1, ROWS + 1)
    rows[-1, NEXT] = -1
    heads = np.array([[-1, 0, 0, *[-1] * negatives]], np.int64)
    return run_state.Runs(rows, heads, np.full(1, -1, np.int64), np.zeros(2, np.int64))

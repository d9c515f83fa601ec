"""Holds the runs and the match buffer of one plan between pushes and runs their kernel."""

from __future__ import annotations

import numpy as np

from sase.events.growth import extended, without_front
from sase.events.table import EventTable
from sase.kernels import run_state, runs
from sase.kernels.layout import EVER, FIELDS, FIRST, NEXT, NODE_WIDTH, OTHER, PREVIOUS, STEP
from sase.kernels.program import Program, scratch
from sase.operators.absence import AbsencePlan
from sase.operators.emission import Barrier
from sase.operators.programs import Table
from sase.operators.runs.transitions import Transitions
from sase.operators.waiting import Waiting, WaitingPlan
from sase.plan.bytecode import ByteCode
from sase.plan.window import Window
from sase.results.found import Found, Graph

RUNS = 256  # rows that the tables begin with
ROOM = 4096
TWINS = 4096
NOBODYS = np.empty(0, np.int64)
NO_SPANS = np.empty((0, 3), np.int64)


class RunMachine:
    def __init__(
        self,
        plan: run_state.RunPlan,
        window: Window,
        transitions: Transitions,
        joins: ByteCode,
        absence: AbsencePlan,
        waiting: WaitingPlan,
    ) -> None:
        self._plan, self._window = plan, window
        self._automaton = transitions.table(joins)
        scalars = len(transitions.slots.scalars)
        self._barrier = Barrier()
        width = FIELDS + 2 * scalars + len(transitions.slots.events)
        self._runs = _runs(width, len(absence.joins), self._barrier.of(1))
        self._negatives = absence.negatives(self._runs.heads, joins)
        self._buffer = run_state.Buffer(np.zeros((RUNS, NODE_WIDTH), np.int64), np.zeros(2, np.int64))
        self._waiting_plan, self._waiting = waiting, Waiting()
        self._scratch = scratch(scalars)
        self._work = _work(FIELDS + 2 * scalars + len(transitions.match_slots.events))
        self._output = run_state.Output(NOBODYS, NO_SPANS, np.zeros(run_state.SIZES, np.int64))
        self._swept = RUNS
        self._cut = 0

    def run(
        self, first: int, now: int, events: EventTable, program: Program, keys: int, groups: int
    ) -> Found:
        self._grow(len(events), keys, groups)
        self._output = self._new_output()
        finals, lacking = 0, -1
        while lacking != run_state.NOTHING:
            first, finals, lacking, need = runs.advance(
                first,
                events.end,
                finals,
                now,
                self._runs,
                self._buffer,
                self._automaton,
                self._plan,
                program,
                events.rows,
                events.base,
                self._negatives,
                self._waiting.pending,
                self._output,
                self._work,
                self._scratch,
            )
            self._make_room(lacking, need)
        return self._waiting_plan.dated(self._found(self._output), events)

    def _grow(self, events: int, keys: int, groups: int) -> None:
        heads = extended(self._runs.heads, keys, -1)
        heads[len(self._runs.heads) :, [run_state.COUNT, run_state.WANTS]] = 0
        self._runs = self._runs._replace(heads=heads, barrier=self._barrier.of(groups))
        self._negatives = self._negatives._replace(heads=heads)
        deep = events + 2  # no path is longer than the window
        self._work = self._work._replace(
            path=extended(self._work.path, deep), stack=extended(self._work.stack, deep)
        )

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
                self._waiting.make_room()
            case run_state.ROWS:
                self._runs = _with_rows(self._runs, need)
            case run_state.NODES:
                nodes = self._buffer.nodes
                self._buffer = self._buffer._replace(nodes=extended(nodes, len(nodes) + need))
            case run_state.FINALS:
                self._work = self._work._replace(final=np.empty(2 * need, np.int64))

    def _found(self, output: run_state.Output) -> Found:
        self._cut += int(output.size[run_state.CUT] + output.size[run_state.REFUSED])
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
        steps = nodes[:, STEP]
        return Graph(
            int(base[FIRST]),
            steps >> 8,
            steps & 255,
            previous,
            other,
            self._window.size,
            self._window.counts_events,
        )

    def sweep(self, now: int) -> None:
        """Once expired runs may be as many as the live ones."""
        if self._plan.prune and self._runs.rows[run_state.ALIVE] > 2 * self._swept:
            runs.sweep(now, self._runs, self._plan)
            self._swept = max(int(self._runs.rows[run_state.ALIVE]), RUNS)

    def forget(self, before: int) -> None:
        buffer = self._buffer
        self._buffer = buffer._replace(nodes=without_front(buffer.nodes, buffer.base, before << 8))

    def spent(self, group: int) -> int:
        return self._barrier.spent(group)

    def spend(self, group: int, event: int) -> None:
        self._barrier.spend(group, event)

    @property
    def next_deadline(self) -> int | None:
        return self._waiting.next_deadline

    @property
    def live(self) -> int:
        return int(self._runs.rows[run_state.ALIVE]) + len(self._waiting)

    @property
    def cut(self) -> int:
        return self._cut


def _with_rows(state: run_state.Runs, need: int) -> run_state.Runs:
    """Room for so many more runs: the new rows are the first free ones."""
    old = len(state.table)
    table = extended(state.table, old + need)
    table[old:, NEXT] = np.arange(old + 1, len(table) + 1)
    table[-1, NEXT] = state.rows[run_state.FREE]
    state.rows[run_state.FREE] = old
    return state._replace(table=table)


def _runs(width: int, negatives: int, barrier: Table) -> run_state.Runs:
    rows = np.zeros((RUNS, width), np.int64)
    rows[:, NEXT] = np.arange(1, RUNS + 1)
    rows[-1, NEXT] = -1
    heads = np.array([[-1, 0, 0, *[-1] * negatives]], np.int64)
    return run_state.Runs(rows, heads, barrier, np.zeros(2, np.int64))


def _work(width: int) -> run_state.Work:
    return run_state.Work(
        np.zeros((RUNS, 2), np.int64),
        np.zeros(RUNS, np.int64),
        np.zeros(RUNS, np.int64),
        np.full((TWINS, 2), -1, np.int64),
        np.zeros((1, width), np.int64),
    )

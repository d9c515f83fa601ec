"""Holds the stacks of one plan between pushes and runs their kernel."""

from __future__ import annotations

import numpy as np

from sase.events.growth import extended, used, without_front
from sase.events.table import Window
from sase.kernels import stacks
from sase.kernels.layout import FIELDS
from sase.kernels.pending import pending, with_room
from sase.kernels.program import Program, scratch
from sase.operators.tables import negatives, spans, stack_plan, table
from sase.plan.plan import Plan
from sase.results.found import Found

ROOM = 4096


class StackMachine:
    def __init__(self, plan: Plan) -> None:
        self._plan = stack_plan(plan)
        heads = np.full((1, self._plan.length + len(plan.shape.negatives)), -1, np.int64)
        self._negatives = negatives(plan, heads)
        self._stacks = stacks.Stacks(
            np.zeros((1024, 3), np.int64),
            heads,
            np.full(1, -1, np.int64),
            np.zeros(2, np.int64),
            table(spans(plan.joins), 2),
        )
        self._pending = pending()
        self._scratch = scratch(0)
        self._work = _work(self._plan.length)
        self._expected = 0  # events in the matches of the next push, going by the last one
        self.cut = 0  # matches beyond the limit

    def run(self, first: int, now: int, window: Window, program: Program, keys: int, groups: int) -> Found:
        """Process the window's events from `first` on and let the clock reach `now`."""
        events = window.end - first
        state = self._stacks
        self._stacks = state._replace(
            instances=extended(state.instances, used(state.base) + events * self._plan.length),
            heads=extended(state.heads, keys, -1),
            barrier=extended(state.barrier, groups, -1),
        )
        self._negatives = self._negatives._replace(heads=self._stacks.heads)
        output = stacks.Output(np.empty(self._expected + ROOM, np.int64), np.zeros(3, np.int64))
        lacking = -1
        while lacking != stacks.NOTHING:
            first, lacking = stacks.scan(
                first,
                window.end,
                now,
                self._stacks,
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
            if lacking == stacks.OUTPUT:
                output = output._replace(path=extended(output.path, len(output.path) + 1))
            elif lacking == stacks.WAITING:
                self._pending = with_room(self._pending)
        self.cut += int(output.size[2])
        self._expected = int(output.size[1]) * 5 // 4
        return Found(int(output.size[0]), output.path[: output.size[1]], self._plan.length)

    def forget(self, before: int) -> None:
        """Events numbered below `before` are gone."""
        state = self._stacks
        self._stacks = state._replace(instances=without_front(state.instances, state.base, before))

    @property
    def live(self) -> int:
        """Instances on the stacks and matches that wait."""
        return used(self._stacks.base) + int(self._pending.size[0])

    def spent(self, group: int) -> int:
        """The last event that NON-OVERLAP has used up in a group."""
        return int(self._stacks.barrier[group])

    def spend(self, group: int, event: int) -> None:
        self._stacks = self._stacks._replace(barrier=extended(self._stacks.barrier, group + 1, -1))
        self._stacks.barrier[group] = event


def _work(length: int) -> stacks.Work:
    path = np.zeros((length, 2), np.int64)
    path[:, 1] = np.arange(length)
    return stacks.Work(np.zeros((1, FIELDS + length), np.int64), path, np.zeros(length, np.int64))

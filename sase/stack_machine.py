"""Holds the stacks of one plan between pushes and runs their kernel."""

from __future__ import annotations

import numpy as np

from sase.found import Found
from sase.kernels import absence, stacks
from sase.kernels.pending import pending
from sase.kernels.program import Program, Scalars, scratch
from sase.plan import Plan
from sase.room import extended, filled, index_of_negatives, without_front
from sase.tables import negatives, stack_plan
from sase.window import Window


class StackMachine:
    def __init__(self, plan: Plan) -> None:
        self._plan = stack_plan(plan)
        self._negatives = negatives(plan)
        self._stacks = stacks.Stacks(
            *(np.zeros(1024, np.int64) for _ in range(3)),
            filled((1, self._plan.length)),
            filled(1),
            np.zeros(2, np.int64),
        )
        self._index = index_of_negatives(len(plan.shape.negatives))
        self._pending = pending()
        self._scratch = scratch(0)
        self._scalars = Scalars(
            np.zeros((1, 1), np.uint8), np.zeros((1, 1), np.int64), np.zeros((1, 1), np.float64)
        )
        self.cut = 0  # matches beyond the limit

    def run(self, first: int, now: int, window: Window, program: Program, keys: int, groups: int) -> Found:
        """Process the window's events from `first` on and let the clock reach `now`."""
        n = window.end - first
        state = self._stacks
        used = int(state.base[1] - state.base[0])
        state = state._replace(
            event=extended(state.event, used + n * self._plan.length),
            previous=extended(state.previous, used + n * self._plan.length),
            pointer=extended(state.pointer, used + n * self._plan.length),
            heads=extended(state.heads, keys, -1),
            barrier=extended(state.barrier, groups, -1),
        )
        self._stacks = state
        self._index = absence_with_room(self._index, n, keys, window)
        output = stacks.Output(np.empty(4096, np.int64), np.zeros(3, np.int64))
        self._pending, output = stacks.scan(
            first,
            window.end,
            now,
            state,
            self._plan,
            program,
            window.events,
            window.base,
            self._negatives,
            self._index,
            self._pending,
            output,
            self._scratch,
            self._scalars,
        )
        self.cut += int(output.size[2])
        return Found(int(output.size[0]), output.path[: output.size[1]], self._plan.length)

    def forget(self, before: int) -> None:
        """Events numbered below `before` are gone."""
        state = self._stacks
        kept = without_front(before, state.base, state.event, state.previous, state.pointer)
        self._stacks = state._replace(event=kept[0], previous=kept[1], pointer=kept[2])
        self._index = absence_without_front(self._index, before)

    @property
    def live(self) -> int:
        """Instances on the stacks and matches that wait."""
        return int(self._stacks.base[1] - self._stacks.base[0] + self._pending.size[0])

    def spent(self, group: int) -> int:
        """The last event that NON-OVERLAP has used up in a group."""
        return int(self._stacks.barrier[group])

    def spend(self, group: int, event: int) -> None:
        self._stacks = self._stacks._replace(barrier=extended(self._stacks.barrier, group + 1, -1))
        self._stacks.barrier[group] = event


def absence_with_room(index: absence.Index, more: int, keys: int, window: Window) -> absence.Index:
    negative_count = index.heads.shape[1]
    used = int(index.base[1] - index.base[0])
    return index._replace(
        event=extended(index.event, used + more * negative_count),
        previous=extended(index.previous, used + more * negative_count),
        heads=extended(index.heads, keys, -1),
        latest=window.latest,
    )


def absence_without_front(index: absence.Index, before: int) -> absence.Index:
    event, previous = without_front(before, index.base, index.event, index.previous)
    return index._replace(event=event, previous=previous)

"""The states of cases, numbered as they come up: what an event makes of each is worked out once.

A product of the constraints' automata would have every set of types as a state; a stream visits few of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sase.constraints.declared import CaseGroup
from sase.constraints.obeying import CaseRules, CaseState
from sase.events.growth import extended

UNKNOWN = -1


class CaseStates:
    """`following[state, type]` is the state after an event, `following[state, types + type]` that after one
    that may not have happened; UNKNOWN until somebody asks."""

    def __init__(self, group: CaseGroup) -> None:
        self.rules = CaseRules(group)
        self.types = {name: number for number, name in enumerate(group.types)}
        self._states: list[CaseState] = []
        self._numbers: dict[CaseState, int] = {}
        self.following = np.full((16, 2 * len(self.types)), UNKNOWN, np.int64)
        self.broken = np.zeros(16, np.bool_)  # per state whether it has broken a constraint
        self.breaches: dict[tuple[int, int], int] = {}  # the constraints that a step breaks, as bits
        self.number(CaseState())

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, number: int) -> CaseState:
        return self._states[number]

    def number(self, state: CaseState) -> int:
        found = self._numbers.setdefault(state, len(self._states))
        if found == len(self._states):
            self._states.append(state)
            self.following = extended(self.following, len(self._states), UNKNOWN)
            self.broken = _room(self.broken, len(self._states))
            self.broken[found] = state.told != 0
        return found

    def work_out(self, number: int, step: int) -> int:
        """What becomes of a state by an event of one type; from now on it is known."""
        certain, one = step < len(self.types), 1 << step % len(self.types)
        state, broken = self.rules.after(self._states[number], one, certain)
        found = self.number(state)
        self.following[number, step] = found
        if broken:
            self.breaches[number, step] = broken
        return found


def _room(flags: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    if count <= len(flags):
        return flags
    return np.concatenate([flags, np.zeros(len(flags), np.bool_)])

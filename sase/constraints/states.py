"""The states of cases, numbered as they come up: what an event makes of each is worked out once.

A product of the constraints' automata would have every set of types as a state; a stream visits few of them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sase.constraints.declared import CaseGroup
from sase.constraints.obeying import CaseRules, CaseState
from sase.events.growth import extended
from sase.kernels.cases import BREAKING, HEEDED, STAYS_BROKEN, UNKNOWN

Heeds = Callable[[CaseState, CaseState, str | None], bool]
"""Whether something is to be done about an event between two states; None: of no type that is spoken of."""


class CaseStates:
    """`following[state, type]` is the state after an event, `following[state, types + type]` that after one
    that may not have happened; UNKNOWN until somebody asks. Two more columns, `beside` and `ignored`, are of
    events that change nothing. What leads into or out of a broken state, or stays in it, is marked. Beside a
    state HEEDED is set where a query can make less of such an event than of others of its type."""

    def __init__(self, group: CaseGroup) -> None:
        self.rules = CaseRules(group)
        self.types = {name: number for number, name in enumerate(group.types)}
        self._states: list[CaseState] = []
        self._numbers: dict[CaseState, int] = {}
        self.beside = 2 * len(self.types)  # the event is one of the case, but no constraint speaks of it
        self.ignored = self.beside + 1  # it does not count
        self.following = np.full((16, self.ignored + 1), UNKNOWN, np.int64)
        self.breaches: dict[tuple[int, int], int] = {}  # the constraints that a step breaks, as bits
        self._broken: dict[tuple[int, int], int] = {}  # the state after a step that `following` only marks
        self._heeding: list[Heeds] = []
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
            self.following[found, self.beside :] = (
                STAYS_BROKEN if state.told else found | self._heeded(state, state, None)
            )
        return found

    def heed(self, asked: Heeds) -> None:
        """Set HEEDED where this says so, too; before anything was worked out but the first state."""
        self._heeding.append(asked)
        (first,) = self._states
        self.following[0, self.beside :] |= self._heeded(first, first, None)

    def _heeded(self, before: CaseState, after: CaseState, name: str | None) -> int:
        return HEEDED if any(asked(before, after, name) for asked in self._heeding) else 0

    def work_out(self, number: int, step: int) -> int:
        """What becomes of a state by an event of one type; from now on it is known."""
        if (number, step) in self._broken:
            return self._broken[number, step]
        certain, one = step < len(self.types), 1 << step % len(self.types)
        state, broken = self.rules.after(self._states[number], one, certain)
        found = self.number(state)
        mended = bool(self._states[number].told and not state.told)  # another case has begun
        if state.told or mended:
            self._broken[number, step] = found
        if state.told or mended:
            self.following[number, step] = STAYS_BROKEN if found == number else BREAKING
        else:
            name = self.rules.group.types[step % len(self.types)]
            self.following[number, step] = found | self._heeded(self._states[number], state, name)
        if broken:
            self.breaches[number, step] = broken
        return found

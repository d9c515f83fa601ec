"""Watches the cases of a stream: in which state each one is, and which constraints it has broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.constraints.declared import CaseGroup
from sase.constraints.obeying import CaseState, bits
from sase.constraints.states import CaseStates
from sase.events.growth import extended
from sase.events.table import events_of
from sase.events.ts_and_prob import CHANCE
from sase.kernels.cases import (
    BESIDE,
    BROKE_AT,
    CASE_STATE,
    CASE_WIDTH,
    IGNORED,
    SEEN_AT,
    UNBROKEN,
    UNBROKEN_YET,
    CaseEvents,
    CaseVerdicts,
    follow,
)
from sase.operators.coded import CodedBatch
from sase.operators.coding import Coding
from sase.operators.pruning import WatchedBatch
from sase.plan.window import FOREVER, NEVER

Numbers = NDArray[np.int64]
Violation = tuple[tuple[Any, ...], str, dict[str, Any]]  # the case, the constraint, the event that broke it


@dataclass(frozen=True, slots=True)
class CaseMemory:
    """For how long a case is remembered after its last event."""

    size: int
    counts_events: bool = False

    @property
    def ends(self) -> bool:
        return self.size < FOREVER


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """One group of constraints at work."""

    group: CaseGroup
    numbered: tuple[str, ...]  # its attributes, in the order in which the query's partitions have them
    memory: CaseMemory
    certain_only: bool  # events that may not have happened neither prune nor break
    beside: frozenset[str]  # types of which no constraint speaks, whose events are events of the case
    states: CaseStates = field(compare=False)

    def step(self, name: object) -> int:
        """What an event of this type is to a case."""
        return self.states.types.get(name, BESIDE if name in self.beside else IGNORED)  # type: ignore[call-overload, no-any-return]


@dataclass(frozen=True, slots=True)
class KeptCases:
    """The cases of one group when a matcher is stopped: states by their place among the distinct ones."""

    values: tuple[tuple[Any, ...], ...]  # of the attributes, per case
    states: tuple[CaseState, ...]
    rows: Numbers  # as the kernel has them, with places among `states` for their numbers


class GroupWatch:
    """The cases of one group, between two batches."""

    def __init__(self, plan: WatchPlan, coding: Coding) -> None:
        self.plan = plan
        self._coding = coding
        self._cases = np.zeros((0, CASE_WIDTH), np.int64)
        self._make_room()

    def take(self, batch: CodedBatch, position: int, told: list[Violation] | None) -> WatchedBatch:
        """Follow the cases of a batch's events; what they break is told."""
        states, count = self.plan.states, len(batch)
        events = self._events(batch, position)
        self._make_room()
        verdicts = CaseVerdicts(*(np.empty(count, np.int64) for _ in range(3)))
        size, done = self.plan.memory.size, 0
        while done < count:
            stop = follow(done, events, size, states.following, states.broken, self._cases, verdicts)
            if stop < 0:
                done = -stop
                self._break(done - 1, events, verdicts, batch, told)
            elif stop < count:
                row = self._cases[events.cases[stop]]
                states.work_out(int(row[CASE_STATE]), int(events.steps[stop]))
                done = stop
            else:
                done = count
        return WatchedBatch(events, verdicts)

    @property
    def cases(self) -> Numbers:
        """As the kernel has them."""
        return self._cases

    def _events(self, batch: CodedBatch, position: int) -> CaseEvents:
        plan = self.plan
        codes, names = batch.batch.types()
        of_type = np.array([plan.step(name) for name in names] or [IGNORED], np.int64)
        steps = of_type[codes[batch.rows]]
        if plan.certain_only:
            chances = batch.column(CHANCE)[0].view(np.float64)
            steps = np.where((steps >= 0) & (chances < 1), steps + len(plan.states.types), steps)
        counted = plan.memory.counts_events
        clocks = batch.places + position if counted else batch.ts
        return CaseEvents(batch.numbers(plan.numbered), steps, clocks, batch.places, position)

    def _break(
        self,
        i: int,
        events: CaseEvents,
        verdicts: CaseVerdicts,
        batch: CodedBatch,
        told: list[Violation] | None,
    ) -> None:
        """A step that breaks a constraint, or one of a case that has."""
        row, step = self._cases[events.cases[i]], int(events.steps[i])
        state = int(row[CASE_STATE])
        row[CASE_STATE], row[SEEN_AT] = self.plan.states.following[state, step], events.clocks[i]
        row[BROKE_AT] = min(int(row[BROKE_AT]), events.position + int(events.positions[i]))
        verdicts.before[i], verdicts.after[i] = row[UNBROKEN], row[CASE_STATE]
        verdicts.broke_at[i] = row[BROKE_AT]
        broken = self.plan.states.breaches.get((state, step), 0)
        if broken and told is not None:
            (event,) = events_of(batch.batch.taken(batch.rows[i : i + 1]))
            values = tuple(event.get(name) for name in self.plan.group.by)
            named = (str(self.plan.group.constraints[one.bit_length() - 1]) for one in bits(broken))
            told.extend((values, constraint, event) for constraint in named)

    def _make_room(self) -> None:
        count, known = len(self._coding.keys(self.plan.numbered)), len(self._cases)
        if count > known:
            self._cases = extended(self._cases, max(count, 1024), 0)
            new = self._cases[known:]
            new[:, SEEN_AT], new[:, BROKE_AT] = NEVER, UNBROKEN_YET

    # What is kept

    def kept(self, clock: int) -> KeptCases:
        """The cases that are remembered."""
        cases = self._cases
        live = np.flatnonzero(
            (cases[:, SEEN_AT] > NEVER) & (clock - cases[:, SEEN_AT] < self.plan.memory.size)
        )
        rows, states = cases[live].copy(), self.plan.states
        numbers = np.unique(rows[:, [CASE_STATE, UNBROKEN]])
        for column in (CASE_STATE, UNBROKEN):
            rows[:, column] = np.searchsorted(numbers, rows[:, column])
        values = self._coding.values_of(self.plan.numbered, live)
        return KeptCases(values, tuple(states[int(number)] for number in numbers), rows)

    def restore(self, kept: KeptCases) -> None:
        """Go on with the cases of another watch."""
        if not len(kept.rows):
            return
        numbers = np.array([self.plan.states.number(state) for state in kept.states], np.int64)
        rows = kept.rows.copy()
        for column in (CASE_STATE, UNBROKEN):
            rows[:, column] = numbers[rows[:, column]]
        cases = self._coding.number_values(self.plan.numbered, kept.values)
        self._make_room()
        self._cases[cases] = rows

    @property
    def remembered(self) -> int:
        return len(self._cases)


class CaseWatch:
    """All groups of constraints of a query."""

    def __init__(self, plans: Sequence[WatchPlan], coding: Coding) -> None:
        self.groups = [GroupWatch(plan, coding) for plan in plans]
        self.violations: list[Violation] = []

    def take(self, batch: CodedBatch, position: int, silent: bool) -> list[WatchedBatch]:
        told = None if silent else self.violations
        return [group.take(batch, position, told) for group in self.groups]

    def kept(self, now: int, position: int) -> tuple[KeptCases, ...]:
        clocks = (position if each.plan.memory.counts_events else now for each in self.groups)
        return tuple(group.kept(clock) for group, clock in zip(self.groups, clocks, strict=True))

    def restore(self, kept: Sequence[KeptCases]) -> None:
        """A snapshot of a time without constraints has none."""
        for group, own in zip(self.groups, kept, strict=False):
            group.restore(own)

    def renewed(self, coding: Coding, kept: Sequence[KeptCases]) -> CaseWatch:
        """The same in other numbers."""
        watch = CaseWatch([group.plan for group in self.groups], coding)
        watch.violations = self.violations
        watch.restore(kept)
        return watch

    @property
    def cases(self) -> list[Numbers]:
        return [group.cases for group in self.groups]

    @property
    def live_cases(self) -> int:
        return sum(group.remembered for group in self.groups)

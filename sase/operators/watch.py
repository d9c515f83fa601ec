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
    ASKED_ABOUT,
    BREACHED,
    BREAKS,
    BROKE_AT,
    BROKEN,
    CASE_STATE,
    CASE_WIDTH,
    CASES_AT_ONCE,
    FOLLOWED,
    HEEDED,
    NEW_STEP,
    NOBODYS,
    OUT_OF_NUMBERS,
    SEEN_AT,
    STEP_FROM,
    UNBROKEN,
    UNBROKEN_YET,
    CaseStream,
    CaseVerdicts,
    FollowWork,
    Steps,
    follow,
)
from sase.kernels.keys import keys
from sase.operators.coded import NO_ROWS, CodedBatch
from sase.operators.coding import Coding
from sase.operators.interest import Interest
from sase.operators.pruning import WatchedBatch
from sase.plan.window import FOREVER, NEVER

Numbers = NDArray[np.int64]
NO_KEYS, NO_KINDS, NO_CHANCES = keys(1), np.zeros(0, np.uint8), np.zeros(0)


class Violation(tuple[tuple[Any, ...], str, dict[str, Any]]):
    """The case, the constraint, the event that broke it. What was remembered of the case beside them: when
    its event before came, and whether it had broken nothing yet."""

    since: int
    first: bool

    @classmethod
    def told(
        cls, case: tuple[Any, ...], constraint: str, event: dict[str, Any], since: int, first: bool
    ) -> Violation:
        found = cls((case, constraint, event))
        found.since, found.first = since, first
        return found


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
        states = self.states
        return states.types.get(name, states.beside if name in self.beside else states.ignored)  # type: ignore[call-overload, no-any-return]


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
        self._said = _verdicts(0)
        self._work = FollowWork(*(np.zeros(CASES_AT_ONCE, np.int64) for _ in FollowWork._fields))
        self._steps: dict[Any, int] = {}  # per type what its events are to a case, and ASKED_ABOUT
        self._asked_by: Interest | None = None
        self._make_room()

    def take(self, batch: CodedBatch, position: int, told: list[Violation] | None) -> WatchedBatch:
        """Follow the cases of a batch's events; what they break is told."""
        done, at, why = 0, 0, NEW_STEP
        stream = self._stream(batch, position)
        if len(batch) >= len(self._said.cases):
            self._said = _verdicts(2 * len(batch) + 1)
        self._said.heeded[0] = 0
        while why != FOLLOWED:
            done, at, why = self._follow(done, at, stream)
            if why == OUT_OF_NUMBERS:
                self._coding.keys(self.plan.numbered).grow()
            elif why == NEW_STEP:
                self.plan.states.work_out(*self._step(done, at, stream))
            elif why == BREAKS:
                self._break(done, at, stream, position, batch, told)
                at += int(stream.steps[stream.codes[done]]) & ASKED_ABOUT
                done += 1
            self._make_room()
        batch.know_numbers(self.plan.numbered, self._said.cases)
        return WatchedBatch(self._said, self._cases, batch.rows, position)

    def _follow(self, first: int, at: int, stream: CaseStream) -> tuple[int, int, int]:
        states = self.plan.states
        table = self._coding.keys(self.plan.numbered).sole or NO_KEYS
        steps = Steps(states.following, len(states.types))
        memory = self.plan.memory.size
        done, at, why = follow(first, at, stream, table, memory, steps, self._cases, self._said, self._work)
        return int(done), int(at), int(why)

    def clock(self, now: int, position: int) -> int:
        """What its memory counts."""
        return position if self.plan.memory.counts_events else now

    @property
    def cases(self) -> Numbers:
        """As the kernel has them: all that have a number, those too of which nothing is remembered."""
        self._make_room()
        return self._cases

    def looks_at(self, names: Sequence[Any]) -> NDArray[np.bool_]:
        """Which of the types count for its cases."""
        return np.array([self.plan.step(name) != self.plan.states.ignored for name in names], np.bool_)

    def _stream(self, batch: CodedBatch, position: int) -> CaseStream:
        plan, ts = self.plan, batch.batch.ts
        codes, names = batch.types
        steps = self._steps_of(names, batch)
        clocks = np.arange(position, position + len(ts)) if plan.memory.counts_events else ts
        counting = steps != NOBODYS
        values, kinds, numbered = self._told_apart(batch, counting)
        chances = batch.everywhere(CHANCE, counting)[0].view(np.float64) if plan.certain_only else NO_CHANCES
        return CaseStream(codes, steps, values, kinds, numbered, clocks, chances)

    def _steps_of(self, names: Sequence[Any], batch: CodedBatch) -> Numbers:
        """Of the types of a batch, whose codes may be others in each."""
        if self._asked_by is not batch.interest:
            self._steps, self._asked_by = {}, batch.interest
        known = self._steps
        for name in names:
            if name not in known:
                known[name] = self._step_of(name, batch)
        return np.array([known[name] for name in names] or [NOBODYS], np.int64)

    def _step_of(self, name: Any, batch: CodedBatch) -> int:
        step, wanted = self.plan.step(name), batch.wants(name)
        return NOBODYS if step == self.plan.states.ignored and not wanted else step << STEP_FROM | wanted

    def _told_apart(
        self, batch: CodedBatch, counting: NDArray[np.bool_]
    ) -> tuple[Numbers, NDArray[np.uint8], bool]:
        """By what cases are told apart: a column, or where there are several, numbers."""
        columns = [batch.everywhere(name, counting) for name in self.plan.numbered]
        if len(columns) == 1:
            return *columns[0], False
        rows = np.flatnonzero(counting[batch.types[0]])
        numbers = np.full(len(batch.batch), -1)
        chosen = [(values[rows], kinds[rows]) for values, kinds in columns]
        numbers[rows] = self._coding.keys(self.plan.numbered).number(chosen)
        return numbers, NO_KINDS, True

    def _step(self, i: int, at: int, stream: CaseStream) -> tuple[int, int]:
        step = int(stream.steps[stream.codes[i]]) >> STEP_FROM
        if len(stream.chances) and stream.chances[i] < 1:
            step += len(self.plan.states.types)
        return int(self._row(at)[CASE_STATE]), step

    def _row(self, at: int) -> Numbers:
        """The case of an event that has just been looked at."""
        found: Numbers = self._cases[self._said.cases[at]]
        return found

    def _break(
        self,
        i: int,
        at: int,
        stream: CaseStream,
        position: int,
        batch: CodedBatch,
        told: list[Violation] | None,
    ) -> None:
        """A step that breaks a constraint, or one of a case that has; it may be the first of another case."""
        said, row = self._said, self._row(at)
        said.heeded[0] |= HEEDED | BREACHED
        state, step = self._step(i, at, stream)
        since, first = int(row[SEEN_AT] if state else stream.clocks[i]), row[BROKE_AT] == UNBROKEN_YET
        row[CASE_STATE], row[SEEN_AT] = self.plan.states.work_out(state, step), stream.clocks[i]
        if not self.plan.states[row[CASE_STATE]].told:
            row[BROKE_AT] = UNBROKEN_YET
            said.before[at], said.after[at] = 0, row[CASE_STATE]
            return
        if first:
            row[UNBROKEN], row[BROKE_AT] = state, position + i
        said.before[at], said.after[at], said.broke_at[at] = row[UNBROKEN], BROKEN, row[BROKE_AT]
        broken = self.plan.states.breaches.get((state, step), 0)
        if broken and told is not None:
            (event,) = events_of(batch.batch.taken(np.array([i])))
            values = tuple(event.get(name) for name in self.plan.group.by)
            named = (str(self.plan.group.constraints[one.bit_length() - 1]) for one in bits(broken))
            told.extend(Violation.told(values, each, event, since, bool(first)) for each in named)

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
        live = np.flatnonzero(self._live(clock))
        rows, states = cases[live].copy(), self.plan.states
        rows[:, UNBROKEN] = last_unbroken(rows)
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

    def remembered(self, clock: int) -> int:
        return int(np.count_nonzero(self._live(clock)))

    def _live(self, clock: int) -> NDArray[np.bool_]:
        """The cases of which there is something to remember."""
        cases = self._cases
        begun = (cases[:, SEEN_AT] > NEVER) & (cases[:, CASE_STATE] != 0)
        live: NDArray[np.bool_] = begun & (clock - cases[:, SEEN_AT] < self.plan.memory.size)
        return live


class CaseWatch:
    """All groups of constraints of a query."""

    def __init__(self, plans: Sequence[WatchPlan], coding: Coding) -> None:
        self.groups = [GroupWatch(plan, coding) for plan in plans]
        self.violations: list[Violation] = []

    def take(self, batch: CodedBatch, position: int, silent: bool) -> list[WatchedBatch]:
        told = None if silent else self.violations
        return [group.take(batch, position, told) for group in self.groups]

    def kept(self, now: int, position: int) -> tuple[KeptCases, ...]:
        return tuple(group.kept(group.clock(now, position)) for group in self.groups)

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

    def looks_at(self, batch: CodedBatch) -> Numbers:
        """The rows of a batch that count for the cases of some group."""
        codes, names = batch.types
        if not self.groups or not names:
            return NO_ROWS
        return np.flatnonzero(np.logical_or.reduce([group.looks_at(names) for group in self.groups])[codes])

    def live_cases(self, now: int, position: int) -> int:
        """How many cases are remembered."""
        return sum(group.remembered(group.clock(now, position)) for group in self.groups)


def last_unbroken(cases: Numbers) -> Numbers:
    """The last state of cases before they broke a constraint, or since they have not."""
    found: Numbers = np.where(cases[:, BROKE_AT] == UNBROKEN_YET, cases[:, CASE_STATE], cases[:, UNBROKEN])
    return found


def _verdicts(count: int) -> CaseVerdicts:
    cases, before, after, broke_at = (np.empty(count, np.int64) for _ in range(4))
    return CaseVerdicts(cases, before, after, broke_at, np.zeros(1, np.int64))

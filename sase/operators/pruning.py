"""What constraints leave no future, once per state of a case: dead partial matches, useless events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sase.constraints.completing import Demand, Prospects
from sase.constraints.following import following, impossible
from sase.constraints.obeying import CaseState, union
from sase.constraints.states import CaseStates
from sase.events.growth import extended
from sase.kernels.cases import BREACHED, BROKEN, HEEDED, UNBROKEN_YET, CaseVerdicts
from sase.kernels.pruning import (
    NOBODY,
    Outlook,
    Pruned,
    count_useless,
    first_of_use,
    judge,
    name_cases,
    stamp,
)
from sase.operators.machine import PartialStates
from sase.operators.outlet import NOT_PRUNED

Numbers = NDArray[np.int64]
States = tuple[CaseState, ...]  # of a case in every group that serves

EVERYTHING = -1  # every bit
SHOWN = 64  # states of which `explain` tells what fails them
SELDOM = 8  # batches, in one of which it is looked whether it is worth it to look
WORTH = 16  # one event of so many that need not be laid
SPARED = 0  # the verdict on a case that has broken a constraint, or of which nothing is known


@dataclass(frozen=True, slots=True)
class PruningPlan:
    """What the groups of constraints that serve a query do for one alternative of it."""

    groups: tuple[int, ...]  # their places among all groups
    states: tuple[CaseStates, ...]
    numbered: tuple[str, ...]  # the attributes of the first group's cases
    demand: Demand
    partial: PartialStates
    releases: bool  # matches that wait for a negated end may come out early
    drops: bool  # partial matches of one partition are all of one case
    ignores: bool  # a partial match may ignore any event
    judged: dict[States, tuple[list[bool], bool]] = field(default_factory=dict, compare=False)

    def judge(self, states: States) -> tuple[list[bool], bool]:
        """What is dead and whether the end is settled, worked out once for all matchers."""
        if states not in self.judged:
            self.judged[states] = self.dead(states), self.settled(states)
        return self.judged[states]

    def heeds(self, before: CaseState, after: CaseState, name: str | None) -> bool:
        """Whether events between these states matter: else they are laid and matched as if nobody watched.
        None: of any type that no constraint speaks of."""
        if self.outspoken:
            return True
        here, _ = self.usable((before,))
        _, there = self.usable((after,))
        return self._bits_of(name) & ~(here & there) != 0

    @property
    def outspoken(self) -> bool:
        """Whether partial matches, or those that wait, are told of every event; else only of those of a case
        that has broken a constraint, for what can make nothing of an event is not offered it."""
        return len(self.states) > 1 or self.releases or not self.partial.idle

    def _bits_of(self, name: str | None) -> int:
        """What events of a type may be to the query."""
        shape, spoken_of = self.demand.shape, self.states[0].types
        count = len(shape.components)
        taken = [(1 << c | each.kleene << count + c, each.types) for c, each in enumerate(shape.components)]
        taken += [(1 << 2 * count + n, each.types) for n, each in enumerate(shape.negatives)]
        if name is None:
            return union(bit for bit, types in taken if not {*types} <= {*spoken_of})
        return union(bit for bit, types in taken if name in types)

    def usable(self, states: States) -> tuple[int, int]:
        """Bits of events before which, and after which, some partial match is alive that they are of use to.

        Only where a match may ignore any event can it be kept from one that leads nowhere: else it would wait
        for another one.
        """
        dead, settled = self.judge(states)
        here, there = 0, 0
        for source, bit, target in self.partial.moves:
            leads = self.partial.complete[target] or not dead[target] or not (self.ignores or all(dead))
            here |= (not dead[source]) << bit
            there |= leads << bit
        for n in range(len(self.demand.shape.negatives)):
            wanted = not settled if n in self.trailing else not all(dead)
            there |= wanted << 2 * len(self.demand.shape.components) + n
            here |= 1 << 2 * len(self.demand.shape.components) + n
        return here, there

    @property
    def prospects(self) -> tuple[Prospects, ...]:
        return tuple(Prospects(states.rules, self.demand) for states in self.states)

    @property
    def trailing(self) -> tuple[int, ...]:
        """The numbers of the negative components at the end."""
        return tuple(n for n, each in enumerate(self.demand.shape.negatives) if not each.high)

    @property
    def completing(self) -> int:
        """The bits of events with which a match may complete."""
        return union(1 << bit for _, bit, target in self.partial.moves if self.partial.complete[target])

    @property
    def ending(self) -> list[str]:
        """The types that may rule a match out at its end."""
        negatives = self.demand.shape.negatives
        return [name for n in self.trailing for name in negatives[n].types]

    def dead(self, states: States) -> list[bool]:
        """Per state of a partial match whether none can complete, or, being complete, take more."""
        return [self._is_dead(number, states) for number in range(len(self.partial.begun))]

    def _is_dead(self, number: int, states: States) -> bool:
        served = list(zip(self.prospects, states, strict=True))
        if not all(each.may_have_begun(state, self.partial.begun[number]) for each, state in served):
            return True  # nobody is there
        if not self.partial.complete[number]:
            return not all(each.possible(state, self.partial.begun[number]) for each, state in served)
        components = self.demand.shape.components
        taken = [bit % len(components) for source, bit, _ in self.partial.moves if source == number]
        types = [name for component in taken for name in components[component].types]
        return not types or not all(each.can_come(state, types) for each, state in served)

    def settled(self, states: States) -> bool:
        """Whether nothing can come any more that would rule a match out at its end."""
        served = zip(self.prospects, states, strict=True)
        return self.releases and any(not each.can_come(state, self.ending) for each, state in served)


def explain_pruning(plan: PruningPlan) -> Iterator[str]:
    """What follows from the constraints, which event fails the query in which state, and what comes early."""
    for number, states in enumerate(plan.states):
        rules = states.rules
        by = ", ".join(rules.group.by)
        yield f"Constraints   by {by}: {', '.join(map(str, rules.group.constraints))}"
        derived = [str(each) for each in following(rules)]
        derived += [f"{name} never happens" for name in impossible(rules)]
        yield f"  {'so also':<12}{', '.join(derived) or 'nothing else'}"
        for at, begun in enumerate(plan.partial.begun[:SHOWN]):
            if not plan.partial.complete[at]:
                yield from _explain_state(plan, number, begun)
        if plan.releases:
            early = [name for name in states.types if not _ends_open(plan, number, name)]
            yield f"  {'early':<12}after {' or '.join(early) or 'no single event'}"


def _explain_state(plan: PruningPlan, number: int, begun: frozenset[int]) -> Iterator[str]:
    rules, prospects = plan.states[number].rules, plan.prospects[number]
    components = plan.demand.shape.components
    state = CaseState()
    for c in sorted(begun):
        state, _ = rules.after(state, rules.bit.get(components[c].types[0], 0))
    names = ", ".join(components[c].name for c in sorted(begun)) or "nothing yet"
    failing = []
    for name, bit in rules.bit.items():
        after, broken = rules.after(state, bit)
        takes = any(name in components[c].types for c in range(len(components)) if c not in begun)
        if not broken and not takes and not prospects.possible(after, begun):
            failing.append(name)
    if failing:
        yield f"  {'fails':<12}{names}: {', '.join(failing)}"


def _ends_open(plan: PruningPlan, number: int, name: str) -> bool:
    rules = plan.states[number].rules
    state, broken = rules.after(CaseState(), rules.bit[name])
    return bool(broken) or plan.prospects[number].can_come(state, plan.ending)


@dataclass(frozen=True, slots=True)
class WatchedBatch:
    """What is known of the cases of a batch's events, until the next batch comes."""

    said: CaseVerdicts
    cases: Numbers  # all of the group, as they stand at the end of the batch
    rows: Numbers  # of the events that somebody wants
    position: int  # of the batch


class Pruning:
    """The verdicts on cases, numbered as they come up; what the kernels read of them."""

    def __init__(self, plan: PruningPlan, column: int) -> None:
        self.plan, self.column = plan, column
        self.listed: list[States] = []
        self._known: dict[States, int] = {}
        self._combinations: dict[tuple[int, ...], int] = {}
        self._verdict_of = np.zeros(0, np.int64)  # per state of a case, or combination of them
        count = len(plan.partial.begun)
        self._dead = np.zeros((16, count), np.uint8)
        self._settled = np.zeros(16, np.uint8)
        self._usable = np.full((16, 2), EVERYTHING, np.int64)  # bits of events: from where, and to where
        self._over = np.zeros(16, np.bool_)
        self._laid_at = np.full(1, -1, np.int64)  # per partition the position of its last event
        self._completes = np.full(1, -1, np.int64)  # per case the last batch in which a match may have come
        self._batches = 0
        self._release = np.array([NOBODY, 0], np.int64)
        self._looks = True  # the end of the last batch that was asked has told enough
        self.speaks = False  # verdicts are there on events that are laid and have not run
        self.dropped = 0  # events that are of no use
        self.verdict(())
        self._known_outlook = self._looked_out()

    @property
    def table(self) -> Pruned:
        if not (self.speaks or self.plan.outspoken):
            return NOT_PRUNED
        return Pruned(self.column, self._dead, self._settled, self._release)

    def verdict(self, states: States) -> int:
        """The number of the verdict on a case; without states everything is spared."""
        found = self._known.setdefault(states, len(self.listed))
        if found == len(self.listed):
            self.listed.append(states)
            self._make_room(found + 1)
            if states:
                self._judge(found, states)
        return found

    def _judge(self, verdict: int, states: States) -> None:
        dead, settled = self.plan.judge(states)
        self._dead[verdict] = dead if self.plan.drops else False
        self._settled[verdict] = settled
        self._usable[verdict] = self.plan.usable(states)
        self._over[verdict] = all(dead) and (settled or not self.plan.trailing)

    def learn(self, watched: Sequence[WatchedBatch]) -> WatchedBatch:
        """What all groups say as if they were one, whose states this one knows from now on."""
        if len(watched) > 1:
            return self._combined(watched)
        self._learn_states()
        return watched[0]

    def _learn_states(self) -> None:
        states, known = self.plan.states[0], len(self._verdict_of)
        if known < len(states):
            new = [self.verdict((states[number],)) for number in range(known, len(states))]
            self._verdict_of = np.append(self._verdict_of, new)

    def _combined(self, watched: Sequence[WatchedBatch]) -> WatchedBatch:
        first, count = watched[0], len(watched[0].rows)
        before, after, broke_at = (
            np.stack([said[:count] for said in column], axis=1)
            for column in list(zip(*(each.said for each in watched), strict=True))[1:4]
        )
        broken = after == BROKEN
        gone = broken.any(axis=1)
        said = CaseVerdicts(
            first.said.cases,
            self._numbered(before),
            np.where(gone, BROKEN, self._numbered(np.where(broken, 0, after))),
            np.where(broken, broke_at, UNBROKEN_YET).min(axis=1),
            np.array([HEEDED | BREACHED]),
        )
        return WatchedBatch(said, first.cases, first.rows, first.position)

    def _numbered(self, numbers: Numbers) -> Numbers:
        """One number for the states of a case in several groups."""
        distinct, at = np.unique(numbers, axis=0, return_inverse=True)
        for row in map(tuple, distinct.tolist()):
            if row not in self._combinations:
                self._combinations[row] = len(self._combinations)
                pairs = zip(self.plan.states, row, strict=True)
                verdict = self.verdict(tuple(states[number] for states, number in pairs))
                self._verdict_of = np.append(self._verdict_of, verdict)
        found = np.array([self._combinations[tuple(row)] for row in distinct.tolist()], np.int64)
        return found[at.reshape(-1)]

    def holds_back(self, watched: WatchedBatch) -> bool:
        """Whether events of a batch may be of no use, or settle a case."""
        self._batches += 1
        return bool(watched.said.heeded[0] & HEEDED) or self._looks_now

    def has_to_say(self, watched: WatchedBatch) -> bool:
        """Whether those that are laid bring verdicts."""
        return self.plan.outspoken or bool(watched.said.heeded[0] & BREACHED)

    @property
    def _looks_now(self) -> bool:
        """Whether the end of this batch is to tell of the use of its events: if that of the last one that was
        asked has told enough, or it is time to ask again."""
        return self.looks_ahead and (self._looks or self._batches % SELDOM == 0)

    def judge(self, rows: Numbers, bits: Numbers, watched: WatchedBatch) -> NDArray[np.bool_]:
        """Clear the bits of what events can be to no partial match; which of the rows settle a case."""
        settles = np.zeros(len(rows) if self.plan.releases else 0, np.bool_)
        self._completes = extended(self._completes, len(watched.cases), -1)
        looks = self._looks_now
        outlook = self._outlook if looks else self._outlook._replace(completing=0)
        numbers = self._completes, self._batches
        useless, over = judge(rows, bits, watched.said, outlook, watched.cases, *numbers, settles)
        self.dropped += useless + over
        if looks and len(rows):
            self._looks = WORTH * over >= len(rows)
        return settles

    @property
    def _outlook(self) -> Outlook:
        if len(self._known_outlook.verdict_of) != len(self._verdict_of):
            self._known_outlook = self._looked_out()
        return self._known_outlook

    def _looked_out(self) -> Outlook:
        """What each state that has come up so far means: no look at its verdict is left to the kernels."""
        of, completing = self._verdict_of, self.plan.completing if self.looks_ahead else 0
        return Outlook(of, self._usable[of], self._settled[of], self._over[of], completing)

    @property
    def looks_ahead(self) -> bool:
        """Whether the end of a batch tells of the use of its events, and the state of one case of that of all
        its events: a match may ignore any of them, and none waits for its end."""
        plan = self.plan
        return plan.drops and plan.ignores and not plan.trailing and len(plan.states) == 1

    def stamp(self, chosen: Numbers, partitions: int, watched: WatchedBatch, table: Numbers) -> None:
        """Write the verdicts behind the other cells of the events that are laid."""
        if not self.has_to_say(watched):
            name_cases(chosen, watched.said.cases, table, self.column)
            return
        self._laid_at = laid_at = extended(self._laid_at, partitions, -1)
        self.speaks = True
        where = chosen, watched.rows, watched.position
        idle = self.plan.partial.idle
        stamp(*where, watched.said, self._outlook.verdict_of, idle, laid_at, table, self.column)

    def first_of_use(self, first: int, last: int, table: Numbers, cases: Numbers) -> int:
        """The first of these rows of the event table whose case is not over."""
        self._learn_states()
        return int(first_of_use(first, last, table, self.column, self._outlook, cases))

    def count_useless(self, table: Numbers, cases: Numbers) -> int:
        self._learn_states()
        return int(count_useless(table, self.column, self._outlook, cases))

    def restamp(self, keys: Numbers, partitions: int, positions: Numbers) -> None:
        """Events are laid again that bring their verdicts."""
        self.speaks = True
        self._laid_at = extended(self._laid_at, partitions, -1)
        self._laid_at[np.maximum(keys, 0)] = positions

    def over_of(self, states: Sequence[Numbers]) -> NDArray[np.bool_]:
        """Per case whether no event so far can be of any use to it any more, by its states in every group."""
        if len(states) > 1:
            numbers = self._numbered(np.stack(states, axis=1))
        else:
            numbers = states[0]
            self._learn_states()
        return self._over[self._verdict_of[numbers]]

    def _make_room(self, count: int) -> None:
        self._dead = _longer(self._dead, count, 0)
        self._settled = _longer(self._settled, count, 0)
        self._usable = _longer(self._usable, count, EVERYTHING)
        self._over = _longer(self._over, count, False)


def _longer(array: NDArray, count: int, value: int | bool) -> NDArray:  # type: ignore[type-arg]
    if count <= len(array):
        return array
    new = np.full((2 * len(array), *array.shape[1:]), value, array.dtype)
    new[: len(array)] = array
    return new

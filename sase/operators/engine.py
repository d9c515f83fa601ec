"""Runs one plan: takes batches into the event table, lets the machine match, and forgets what is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import batch_of
from sase.events.dictionary import Tagged
from sase.events.growth import counting
from sase.events.table import EventReader, EventTable, Origin, Source
from sase.kernels.cases import BROKE_AT
from sase.kernels.cells import (
    BITS,
    CASE_OF,
    CLOCK,
    GROUP,
    KIND,
    ORDER,
    VERDICT_AFTER,
    VERDICT_BEFORE,
    VERDICTS,
)
from sase.operators.coded import CodedBatch
from sase.operators.coding import Coding
from sase.operators.intake import Intake, Watched
from sase.operators.interest import Interest
from sase.operators.kept import Kept
from sase.operators.plan import Plan
from sase.operators.programs import attribute_column
from sase.operators.scan import Scanner
from sase.operators.watch import last_unbroken
from sase.plan.window import FOREVER
from sase.results.found import Found

Numbers = NDArray[np.int64]
FEW_KEPT = 256  # events that are kept, of use or not
SPARSE = 16  # one event of so many is of use: then it is worth starting over with those that are


class Engine:
    """Events are laid, kept and run, in this order: so that many engines can keep a batch's events once."""

    def __init__(self, plan: Plan, coding: Coding) -> None:
        self.plan = plan
        self.reach = plan.reach
        self.counts_events = plan.counts_events
        self._coding = coding
        self._intake = Intake(plan, coding)
        more = 0 if plan.pruning is None else VERDICTS
        self._table = EventTable(len(plan.joins.attributes), len(plan.absence.joins) + more)
        self._machine = plan.machine()
        self._done = 0  # events that the machine has taken
        self._looked = 0  # up to where it was asked how many of them are of use
        self._asked = 0  # up to where it was asked which of them are of use
        self._of_use = 0  # all events before are of cases that are over
        self._swept = True  # since the machine last ran
        self._fades = 2 * FOREVER  # when there will be something to forget

    @property
    def scanner(self) -> Scanner:
        return self._intake.scanner

    def lay(
        self, batch: CodedBatch, position: int, kept: Kept | None = None, watched: Watched = ()
    ) -> Numbers:
        """Write down the events that some component wants; which rows of the batch they are."""
        return self._intake.take(batch, position, kept, self._table, watched)

    def refill(self, kept: Iterable[Kept], clock: int) -> None:
        """Take in again what another engine has kept, up to where its stream stood.

        What is found on the way is known already, or false for want of what is forgotten: it uses nothing up.
        """
        self._machine.outlet.uses_up = False
        for events in kept:
            self._replay(events)
        self.run(clock)
        self._machine.outlet.uses_up = True

    def _replay(self, kept: Kept) -> None:
        batch = CodedBatch(batch_of(kept.source), Interest([self.scanner]), self._coding, kept.positions)
        keep([Laid(self, batch, self.lay(batch, 0, kept), 0)])
        self.run(int(kept.positions[-1] if self.counts_events else batch.batch.ts[-1]))

    def append(self, source: Source, rows: Numbers, position: int) -> None:
        """Take over what was laid: rows of the source, which came from a batch at that position."""
        self._table.append(source, rows, position)
        self._look_ahead()

    def run(self, clock: int) -> Found | None:
        """Match the new events, then let the clock reach a position or a time; None: there was no need to."""
        if self._done == self._table.end and not self._is_due(clock):
            return None
        intake = self._intake
        if intake.pruning is not None:
            self._machine.outlet.pruned = intake.pruning.table
        self._machine.outlet.doubted = intake.doubted
        found = self._machine.run(
            self._done, clock, self._table, intake.programs.joins, intake.keys, intake.groups
        )
        stopped = self._machine.outlet.stopped
        self._done = self._table.end if stopped is None else stopped.event
        self._swept = not self.plan.matching.window.pruned
        if intake.pruning is not None and stopped is None:
            intake.pruning.speaks = False
        return found

    def _is_due(self, clock: int) -> bool:
        deadline = self.next_deadline
        return deadline is not None and deadline <= clock

    def wants(self, batch: CodedBatch) -> Numbers:
        """The rows that some component can use."""
        return self._intake.wants(batch)

    def forget(self, now: int) -> None:
        """Drop what no match can reach any more when the clock stands at `now`."""
        if not self._swept:
            self._machine.sweep(now)
            self._swept = True
        if now >= self._fades:
            self._drop(now)

    def _drop(self, now: int) -> None:
        table = self._table
        expired = int(np.searchsorted(table.live[:, CLOCK], now - self.reach, side="right"))
        self._cut(table.base + expired)
        self._look_ahead()

    def _cut(self, before: int) -> None:
        table, base = self._table, self._table.base
        table.forget(before)
        if table.base != base:
            self._machine.forget(table.base)
            self._look_ahead()

    def _look_ahead(self) -> None:
        """To when there will be something to forget."""
        last, table = self._table.fading, self._table
        if last is None or last >= table.end or not self.plan.matching.window.pruned:
            self._fades = 2 * FOREVER
        else:
            self._fades = int(table.live[last - table.base, CLOCK]) + self.reach

    def origin(self) -> Origin:
        return self._table.origin()

    @property
    def live_events(self) -> int:
        return len(self._table)

    @property
    def held(self) -> Iterator[Tagged]:
        """Where codes of the dictionary may be: constants, events, running values."""
        yield from self._intake.programs.held
        live = self._table.live
        for column in map(attribute_column, range(len(self.plan.joins.attributes))):
            yield live[:, column], live[:, column + KIND]
        yield from self._machine.held

    @property
    def most_held(self) -> int:
        """No more codes than this are held by events and running values."""
        events = len(self._table) * len(self.plan.joins.attributes)
        return events + self._machine.live * len(self.plan.matching.scalars)

    @property
    def dropped(self) -> int:
        """Events that constraints have left no use for, before they were laid."""
        return 0 if self._intake.pruning is None else self._intake.pruning.dropped

    @property
    def live_matches(self) -> int:
        return self._machine.live

    @property
    def cut(self) -> int:
        return self._machine.cut

    @property
    def unlikely(self) -> int:
        return self._machine.unlikely

    @property
    def clashes(self) -> int:
        """How often values met that cannot be compared or computed with."""
        return self._intake.programs.clashes

    @property
    def next_deadline(self) -> int | None:
        return self._machine.outlet.next_deadline

    def kept(self, now: int, cases: Sequence[Numbers] = ()) -> list[Kept]:
        """The window's events, enough to rebuild this engine; `cases` are those of all constraints."""
        table, events = self._table, self._table.live
        groups = events[:, GROUP]
        spent = self._spent(groups)
        reachable = (events[:, CLOCK] > now - self.reach) & ~self._of_no_use(cases)
        counted = self._intake.counted(groups)
        found = []
        for chunk in table.origin().chunks:
            here = slice(max(chunk.first - table.base, 0), chunk.first - table.base + len(chunk.rows))
            at = here.start + np.flatnonzero(reachable[here])
            if len(at):
                raw, positions = chunk.taken(table.base + at), chunk.positions(table.base + at)
                own = Kept(raw, positions, events[at, ORDER], spent[at], counted[at])
                found.append(own if self._intake.pruning is None else self._with_verdicts(own, at))
        return found

    def _with_verdicts(self, kept: Kept, at: Numbers) -> Kept:
        assert self._intake.pruning is not None
        events, column = self._table.live, self._intake.pruning.column
        chosen = [column + VERDICT_BEFORE, column + VERDICT_AFTER, BITS]
        return replace(kept, verdicts=events[at][:, chosen], said=tuple(self._intake.pruning.listed))

    def _of_no_use(self, cases: Sequence[Numbers]) -> NDArray[np.bool_]:
        """The events of cases that no match can come of any more, whatever follows."""
        pruning, table, origin = self._intake.pruning, self._table, self._table.origin()
        found = np.zeros(len(table), np.bool_)
        if pruning is None or not len(cases) or not origin.count:
            return found
        own = [cases[group] for group in pruning.plan.groups]
        numbers = np.arange(max(table.base, origin.firsts[0]), table.end)
        of_case = table.live[numbers - table.base, pruning.column + CASE_OF]
        over = pruning.over_of([last_unbroken(each[of_case]) for each in own])
        broke_at = np.minimum.reduce([each[of_case, BROKE_AT] for each in own])
        found[numbers - table.base] = over & (origin.all_positions(numbers) < broke_at)
        return found

    def forget_over(self, cases: Sequence[Numbers]) -> None:
        """Drop the oldest events, as far as their cases are over: nothing that comes can use them."""
        pruning, table = self._intake.pruning, self._table
        if pruning is None or not pruning.looks_ahead or 2 * (self._done - self._asked) < len(table):
            return
        self._asked = self._done
        first = max(self._of_use, table.base)
        (own,) = (cases[group] for group in pruning.plan.groups)
        rows = first - table.base, self._done - table.base
        self._of_use = table.base + pruning.first_of_use(*rows, table.rows, own)
        self._cut(self._of_use)

    def is_crowded(self, cases: Sequence[Numbers]) -> bool:
        """Whether most events are of no use, asked for so seldom that it costs little per event."""
        pruning, table = self._intake.pruning, self._table
        if pruning is None or self._done < self._looked + max(FEW_KEPT, SPARSE * len(table)):
            return False
        self._looked = self._done
        if pruning.looks_ahead:
            (own,) = (cases[group] for group in pruning.plan.groups)
            useless = pruning.count_useless(table.live, own)
        else:
            useless = int(np.count_nonzero(self._of_no_use(cases)))
        return SPARSE * useless > (SPARSE - 1) * len(table)

    def _spent(self, groups: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Per event of the table whether NON-OVERLAP has used it up."""
        numbers = self._table.base + np.arange(len(groups))
        if not self.plan.emission.once:
            return np.zeros(len(groups), np.bool_)
        distinct, at = np.unique(groups, return_inverse=True)
        limits = np.array([self._machine.outlet.spent(int(group)) for group in distinct], np.int64)
        # What was used up before this engine began has come back as what can only rule out.
        spent: NDArray[np.bool_] = (numbers <= limits[at]) | self._intake.only_rules_out(self._table.live)
        return spent

    # NON-OVERLAP over several disjuncts, which share what is used up

    def take_turns(self, count: int) -> None:
        """Complete so many matches, then stop before the next one."""
        self._machine.outlet.take_turns(count)

    @property
    def completion(self) -> Completion | None:
        """The match that it would complete next, if it has stopped because it had no turn."""
        stopped = self._machine.outlet.stopped
        if stopped is None:
            return None
        table, position = self._table, self._table.origin().position
        age = -position(stopped.start)
        if stopped.deadline is not None:
            return Completion(stopped.deadline, False, 0, age, stopped.start)
        event = stopped.event
        return Completion(table.clock(event), True, position(event), age, stopped.start)

    def completed(self, found: Found, i: int) -> Completion:
        """When a match of this engine has completed: its last event has come, or its deadline."""
        table, position = self._table, self._table.origin().position
        events, _ = found.match(i)
        age, clock = -position(events[0]), table.clock(events[-1])
        if found.detected is not None and found.detected[i] > clock:
            return Completion(int(found.detected[i]), False, 0, age, events[0])
        return Completion(clock, True, position(events[-1]), age, events[0])

    def has_used_up(self, event: int) -> bool:
        group = int(self._table.live[event - self._table.base, GROUP])
        return event <= self._machine.outlet.spent(group)

    def yields(self, winner: Engine, won: Completion) -> bool:
        """Another one has completed a match; whether that makes void what this one would complete."""
        table, outlet = self._table, self._machine.outlet
        until = table.last_until(won.position) if won.on_event else table.last_before(won.clock)
        outlet.spend(self._group_of(winner, won.start), until)
        if outlet.stopped is None:
            return False
        group = int(table.live[outlet.stopped.start - table.base, GROUP])
        return outlet.stopped.start <= outlet.spent(group)

    def _group_of(self, other: Engine, number: int) -> int:
        """The group of another engine's event."""
        if self.plan.scan.partitioning.groups == other.plan.scan.partitioning.groups:
            return int(other._table.live[number - other._table.base, GROUP])
        (event, _, _) = EventReader(other.origin())[number]
        return self._intake.group(event)


class Completion(NamedTuple):
    """In the order in which NON-OVERLAP looks at matches that several disjuncts could complete."""

    clock: int  # of its last event, or its deadline
    on_event: bool  # deadlines come before the events of their moment
    position: int  # of that event
    age: int  # of several at one moment the one that began last comes first
    start: int  # the number of its first event


class Laid(NamedTuple):
    """What an engine has written down of a batch."""

    engine: Engine
    batch: CodedBatch
    rows: Numbers
    position: int  # of the batch in its stream


def keep(laid: Iterable[Laid]) -> None:
    """Keep events once for all engines that need them for about as long."""
    alike: dict[tuple[CodedBatch, bool, int], list[Laid]] = {}
    for each in laid:
        if len(each.rows):
            # Together with events of a far longer window those of a short one would stay for as long.
            span = each.engine.counts_events, each.engine.reach.bit_length()
            alike.setdefault((each.batch, *span), []).append(each)
    for several in alike.values():
        _keep_together(several[0].batch, several)


def _keep_together(batch: CodedBatch, laid: list[Laid]) -> None:
    if len(laid) == 1:
        (each,) = laid
        each.engine.append(batch.source(each.rows), counting(len(each.rows)), each.position)
        return
    wanted = np.zeros(len(batch), np.bool_)
    for each in laid:
        wanted[each.rows] = True
    source, places = batch.source(np.flatnonzero(wanted)), np.cumsum(wanted) - 1
    for each in laid:
        each.engine.append(source, places[each.rows], each.position)

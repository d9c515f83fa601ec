"""The incremental matcher: events in, in order; matches out; state bounded by the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import Batch, batch_of, check_order
from sase.events.dictionary import Tagged
from sase.events.ts_and_prob import check_time
from sase.operators.coded import NO_ROWS, CodedBatch
from sase.operators.coding import Coding
from sase.operators.competition import compete, first_ones
from sase.operators.emission import EmissionPlan
from sase.operators.engine import Engine, Laid, keep
from sase.operators.intake import MissingKey, Watched
from sase.operators.interest import Interest
from sase.operators.kept import Kept
from sase.operators.plan import Plan
from sase.operators.scan import Scanner
from sase.operators.watch import CaseWatch, KeptCases, Violation, WatchPlan
from sase.plan.window import FOREVER, NEVER
from sase.results.found import Found
from sase.results.match import CompositeType
from sase.results.matches import Groups, Matches, distinct
from sase.results.plan_matches import PlanMatches
from sase.results.united import united

Numbers = NDArray[np.int64]

END_OF_TIME = 2 * FOREVER - 1
NOTHING_FOUND = Matches(())


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a matcher needs to go on elsewhere: the window's relevant events, per disjunct."""

    position: int
    time: int
    kept: tuple[tuple[Kept, ...], ...]
    loose: bool
    cases: tuple[KeptCases, ...] = ()  # per group of constraints


class Counted(NamedTuple):
    cut: int  # matches, by the limits
    clashes: int  # of values that cannot be compared
    unlikely: int  # partial and finished matches, dropped by HAVING


NOTHING_COUNTED = Counted(0, 0, 0)


class Matcher:
    def __init__(
        self,
        plans: Sequence[Plan],
        loose_plans: Callable[[], Sequence[Plan]],
        composite: CompositeType,
        snapshot: Snapshot | None = None,
        coding: Coding | None = None,
        watched: Sequence[WatchPlan] = (),
    ) -> None:
        """`loose_plans` are the same without inferred partitions: few streams need them.

        `coding` is that of the set it belongs to; a matcher on its own has one of its own.
        """
        self._loose_plans = loose_plans
        self._composite = composite
        self._alone = coding is None
        self._coding = coding or Coding()
        self._watch = CaseWatch(watched, self._coding)
        self.silent = False  # breaches are told
        self._loose = snapshot is not None and snapshot.loose
        self._dropped, self._engines = 0, list[Engine]()
        self._begin(loose_plans() if self._loose else plans)
        self._position = 0
        self.time = NEVER
        self._laid: list[tuple[Numbers, Numbers]] = []  # rows of the last batch, and which of them
        self._last: CodedBatch | None = None  # the last batch, where constraints are asked about it
        self._before = NOTHING_COUNTED
        if snapshot is not None:
            self._restore(snapshot, self._before)

    def _begin(self, plans: Sequence[Plan]) -> None:
        self._dropped += sum(engine.dropped for engine in self._engines)
        self._engines = [Engine(plan, self._coding) for plan in plans]
        self._interest = Interest(self.scanners)
        self._coding.changes += 1

    def push(self, events: Any) -> Matches:
        """Take in a record batch or dicts, in order."""
        batch = batch_of(events)
        check_order(batch, self.time)
        keep(self.lay(CodedBatch(batch, self._interest, self._coding)))
        found = self.run(batch)
        if self._alone:
            self._tidy()
        return found

    def lay(self, batch: CodedBatch) -> list[Laid]:
        """Write down the events that the query wants; they are matched by `run`, once they are kept."""
        watched = self._watch.take(batch, self._position, self.silent)
        self._last = batch if watched else None
        try:
            laid = self._lay(batch, watched)
        except MissingKey:
            self._loosen()
            laid = self._lay(CodedBatch(batch.batch, self._interest, self._coding), watched)
        self._laid = [(each.batch.rows, each.rows) for each in laid]
        return laid

    def run(self, batch: Batch) -> Matches:
        """Match the events that were laid; the stream stands at the end of their batch."""
        if not len(batch):
            return NOTHING_FOUND
        ts, first = batch.ts, self._position
        self._position, self.time = first + len(ts), max(self.time, int(ts[-1]))
        found = self._matched(self._clock)
        if self._counts_events:
            # A window that ended with an event of this batch was known at the time of that event.
            found = [(engine, _detected(each, lambda at: ts[at - first])) for engine, each in found]
        merged = self._merged(found)
        self._forget()
        return merged

    def advance(self, ts: int) -> Matches:
        """Event time has reached ts: negated ends that are due fire."""
        check_time(ts, "the time that is reached")
        self.time = max(self.time, ts)
        if self._counts_events:
            return NOTHING_FOUND
        found = self._matched(ts)
        merged = self._merged(found)
        self._forget()
        return merged

    def finish(self) -> Matches:
        """The end of time: everything that waits fires."""
        found = self._matched(END_OF_TIME)
        if self._counts_events:
            found = [
                (engine, _detected(each, lambda at: np.full(len(at), self.time))) for engine, each in found
            ]
        return self._merged(found)

    def replay(self, events: Any) -> None:
        """Push without telling: for events whose matches and breaches are known already."""
        silent, self.silent = self.silent, True
        self.push(events)
        self.silent = silent

    def relevant(self, events: Any) -> NDArray[np.bool_]:
        """Which rows of a batch could take part in a match: the ones to keep for a later replay."""
        batch = CodedBatch(batch_of(events), self._interest, self._coding)
        found = np.zeros(len(batch.batch), np.bool_)
        self.mark(found, batch)
        return found

    def mark(self, found: NDArray[np.bool_], batch: CodedBatch) -> None:
        """Mark the rows of a batch that are relevant; to constraints all are that they speak of."""
        found[self._watch.looks_at(batch)] = True
        for engine in self._engines:
            found[engine.wants(batch)] = True

    @property
    def laid(self) -> Numbers:
        """Which rows of the batch that was pushed last could take part in a match: as `relevant` says."""
        found = [rows[chosen] for rows, chosen in self._laid if len(chosen)]
        found += [] if self._last is None else [self._watch.looks_at(self._last)]
        return np.unique(np.concatenate(found)) if len(found) > 1 else found[0] if found else NO_ROWS

    def snapshot(self) -> Snapshot:
        kept = tuple(tuple(engine.kept(self._clock, self._watch.cases)) for engine in self._engines)
        cases = self._watch.kept(self.time, self._position)
        return Snapshot(self._position, self.time, kept, self._loose, cases)

    def renew(self, coding: Coding) -> None:
        """Start over with the window's events, in other codes and numbers."""
        counted, old, self._coding = self.counted, self._engines, coding
        kept = [engine.kept(self._clock, self._watch.cases) for engine in old]
        self._watch = self._watch.renewed(coding, self._watch.kept(self.time, self._position))
        self._begin([engine.plan for engine in old])
        self._refill(kept, counted)

    def _restore(self, snapshot: Snapshot, counted: Counted) -> None:
        self._position, self.time = snapshot.position, snapshot.time
        self._watch.restore(snapshot.cases)
        self._refill(snapshot.kept, counted)

    @property
    def scanners(self) -> list[Scanner]:
        return [engine.scanner for engine in self._engines]

    @property
    def horizon(self) -> int:
        """Events at or before this time are needed no more (NEVER without a time window, or with cases)."""
        reach = max(engine.reach for engine in self._engines)
        endless = self._counts_events or reach >= FOREVER or self._watch.groups
        return NEVER if endless else self.time - reach

    @property
    def next_deadline(self) -> int | None:
        """The time at which `advance` will next find something to do; None: nothing waits for the time."""
        if self._counts_events:
            return None
        waiting = [engine.next_deadline for engine in self._engines]
        return min((deadline for deadline in waiting if deadline is not None), default=None)

    @property
    def live_events(self) -> int:
        return sum(engine.live_events for engine in self._engines)

    @property
    def violations(self) -> list[Violation]:
        """The breaches of constraints so far: the case, the constraint and the event that broke it."""
        return self._watch.violations

    @property
    def dropped(self) -> int:
        """How many events were dropped because constraints leave their case no match."""
        return self._dropped + sum(engine.dropped for engine in self._engines)

    def take_violations(self) -> list[Violation]:
        """The breaches since they were last taken."""
        found = self._watch.violations.copy()
        self._watch.violations.clear()
        return found

    @property
    def live_cases(self) -> int:
        """How many cases are remembered."""
        return self._watch.live_cases(self.time, self._position)

    @property
    def held(self) -> Iterator[Tagged]:
        """Where codes of the dictionary may be."""
        return chain.from_iterable(engine.held for engine in self._engines)

    @property
    def most_held(self) -> int:
        return sum(engine.most_held for engine in self._engines)

    @property
    def live_matches(self) -> int:
        return sum(engine.live_matches for engine in self._engines)

    @property
    def overflow(self) -> int:
        """How many partial or finished matches the limits have cut off."""
        return self.counted.cut

    @property
    def incomparable(self) -> int:
        """How often values met that cannot be compared, a text and a number, or cannot be computed with."""
        return self.counted.clashes

    @property
    def unlikely(self) -> int:
        """How many partial and finished matches HAVING has dropped because they are not likely enough."""
        return self.counted.unlikely

    @property
    def counted(self) -> Counted:
        """All that it tells of itself in numbers that grow."""
        cut = sum(engine.cut for engine in self._engines)
        clashes = sum(engine.clashes for engine in self._engines)
        unlikely = sum(engine.unlikely for engine in self._engines)
        before = self._before
        return Counted(before.cut + cut, before.clashes + clashes, before.unlikely + unlikely)

    @property
    def _competing(self) -> bool:
        """Whether several disjuncts share the partitions of NON-OVERLAP, and each knows its own matches."""
        return len(self._engines) > 1 and self._emission.once and not self._emission.likelihood.united

    @property
    def _emission(self) -> EmissionPlan:
        return self._engines[0].plan.emission

    @property
    def _counts_events(self) -> bool:
        return self._engines[0].plan.counts_events

    def _lay(self, batch: CodedBatch, watched: Watched) -> list[Laid]:
        at = self._position
        return [Laid(engine, batch, engine.lay(batch, at, None, watched), at) for engine in self._engines]

    def _matched(self, clock: int) -> list[tuple[Engine, Found]]:
        """Let every engine take what was laid, and the clock reach a position or a time."""
        if self._competing:
            return compete(self._engines, clock)
        found = ((engine, engine.run(clock)) for engine in self._engines)
        return [(engine, each) for engine, each in found if each is not None and each.count]

    def _tidy(self) -> None:
        if self._coding.crowded([self]):
            self.renew(Coding())
        else:
            self._coding.tidy([self])

    def _loosen(self) -> None:
        """Give up inferred partitions for good: start over from the window without them."""
        counted, snapshot = self.counted, replace(self.snapshot(), loose=True)
        self._loose = True
        self._begin(self._loose_plans())
        self._restore(snapshot, counted)

    def _forget(self) -> None:
        for engine in self._engines:
            engine.forget(self._clock)
            engine.forget_over(self._watch.cases)
        if any(engine.is_crowded(self._watch.cases) for engine in self._engines):
            self._compact()

    def _compact(self) -> None:
        """Start over with the events that are of use: cases that no match can come of are forgotten."""
        counted, old, live = self.counted, self._engines, self.live_events
        kept = [engine.kept(self._clock, self._watch.cases) for engine in old]
        self._begin([engine.plan for engine in old])
        self._refill(kept, counted)
        self._dropped += live - self.live_events

    def _refill(self, kept: Iterable[Iterable[Kept]], counted: Counted) -> None:
        """Bring empty engines to where the stream stands; what they find on the way is known already.

        So is what they count on the way: `counted` is all there was so far.
        """
        self._before = NOTHING_COUNTED
        for engine, own in zip(self._engines, kept, strict=True):
            engine.refill(own, self._clock)
        again = self.counted
        self._before = Counted(*(old - new for old, new in zip(counted, again, strict=True)))

    @property
    def _clock(self) -> int:
        """Where the stream stands in what the window counts: the last position, or the time."""
        return self._position - 1 if self._counts_events else self.time

    def _merged(self, found: list[tuple[Engine, Found]]) -> Matches:
        if not found:
            return NOTHING_FOUND
        pieces = [PlanMatches(each, engine.origin(), self._composite) for engine, each in found]
        if self._emission.in_groups:
            return Groups(Matches(pieces, self._distinct(pieces)))
        if self._competing or len(self._engines) == 1:
            return Matches(pieces)
        chosen = self._distinct(pieces)
        if self._emission.once:
            chosen = first_ones(self._engines, found, chosen)
        return Matches(pieces, chosen)

    def _distinct(self, pieces: list[PlanMatches]) -> list[tuple[int, int]]:
        """Every match of several disjuncts once."""
        likelihood = self._emission.likelihood
        if not likelihood.united:
            return distinct(pieces)
        chosen, unlikely = united(pieces, likelihood.bound)
        self._before = self._before._replace(unlikely=self._before.unlikely + unlikely)
        return chosen


def _detected(found: Found, moment: Callable[[Numbers], Numbers]) -> Found:
    """With the moments at which matches were known, of their positions."""
    return found if found.detected is None else replace(found, detected=moment(found.detected))

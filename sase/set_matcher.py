"""Many queries over one stream: what they have in common of a batch is done once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sase.events.batch import batch_of, check_order
from sase.matcher import Matcher, Snapshot
from sase.operators.coded import CodedBatch
from sase.operators.coding import Coding
from sase.operators.engine import keep
from sase.operators.interest import Interest
from sase.operators.watch import Violation
from sase.plan.window import NEVER
from sase.query import Query
from sase.results.matches import Matches

T = TypeVar("T")

Found = dict[str, Matches]
Raised = dict[str, Exception]
NO_SNAPSHOTS: Mapping[str, Snapshot] = {}


class SetMatcher:
    """Gives what the matcher of each query would give alone; queries may come and go while it runs."""

    def __init__(
        self, queries: Mapping[str, Query], snapshots: Mapping[str, Snapshot] = NO_SNAPSHOTS
    ) -> None:
        self._coding = Coding()
        self._matchers: dict[str, Matcher] = {}
        self._interest: Interest | None = None
        self._changes = 0
        for name, query in queries.items():
            self.add(name, query, snapshots.get(name))

    def add(self, name: str, query: Query, snapshot: Snapshot | None = None) -> Matcher:
        """From now on this query too, under this name; it goes on from the snapshot, or has seen nothing."""
        self._matchers[name] = query.matcher(snapshot, self._coding)
        return self._matchers[name]

    def remove(self, name: str) -> None:
        """This query no more, if it is there."""
        self._matchers.pop(name, None)
        self._interest = None

    @property
    def matchers(self) -> Mapping[str, Matcher]:
        """The matcher of each query, to ask it, or to show one alone what it has not seen."""
        return self._matchers

    def push(self, events: Any, raised: Raised | None = None) -> Found:
        """Take in a record batch or dicts, in order.

        A query that raises leaves the set where `raised` is there to hold its error; the others go on.
        """
        batch = batch_of(events)
        check_order(batch, max((matcher.time for matcher in self._matchers.values()), default=NEVER))
        coded = CodedBatch(batch, self._wanted(), self._coding)
        keep(chain.from_iterable(self._each(lambda matcher: matcher.lay(coded), raised).values()))
        found = self._each(lambda matcher: matcher.run(batch), raised)
        self._tidy()
        return found

    def advance(self, ts: int, raised: Raised | None = None) -> Found:
        """Event time has reached ts: negated ends that are due fire."""
        return self._each(lambda matcher: matcher.advance(ts), raised)

    def finish(self, raised: Raised | None = None) -> Found:
        """The end of time: everything that waits fires."""
        return self._each(Matcher.finish, raised)

    def replay(self, events: Any) -> None:
        """Push without telling: for events whose matches and breaches are known already."""
        for matcher in self._matchers.values():
            matcher.silent = True
        self.push(events)
        for matcher in self._matchers.values():
            matcher.silent = False

    def relevant(self, events: Any) -> NDArray[np.bool_]:
        """Which rows of a batch could take part in a match of some query: the ones to keep for a replay."""
        coded = CodedBatch(batch_of(events), self._wanted(), self._coding)
        found = np.zeros(len(coded.batch), np.bool_)
        for matcher in self._matchers.values():
            matcher.mark(found, coded)
        return found

    def snapshot(self) -> dict[str, Snapshot]:
        return {name: matcher.snapshot() for name, matcher in self._matchers.items()}

    @property
    def next_deadline(self) -> int | None:
        """The time at which `advance` will next find something to do; None: nothing waits for the time."""
        waiting = (matcher.next_deadline for matcher in self._matchers.values())
        return min((deadline for deadline in waiting if deadline is not None), default=None)

    @property
    def horizon(self) -> int:
        """Events at or before this time are needed no more (NEVER where a query needs them for ever)."""
        return min((matcher.horizon for matcher in self._matchers.values()), default=NEVER)

    @property
    def violations(self) -> list[Violation]:
        """The breaches of constraints so far, each once, however many queries they are declared beside."""
        found = (each for matcher in self._matchers.values() for each in matcher.violations)
        return list({repr(violation): violation for violation in found}.values())

    @property
    def live_events(self) -> int:
        return sum(matcher.live_events for matcher in self._matchers.values())

    @property
    def live_matches(self) -> int:
        return sum(matcher.live_matches for matcher in self._matchers.values())

    @property
    def overflow(self) -> int:
        """How many partial or finished matches the limits have cut off."""
        return sum(matcher.overflow for matcher in self._matchers.values())

    @property
    def incomparable(self) -> int:
        """How often values met that cannot be compared, a text and a number, or cannot be computed with."""
        return sum(matcher.incomparable for matcher in self._matchers.values())

    @property
    def unlikely(self) -> int:
        """How many partial and finished matches HAVING has dropped because they are not likely enough."""
        return sum(matcher.unlikely for matcher in self._matchers.values())

    def _each(self, act: Callable[[Matcher], T], raised: Raised | None) -> dict[str, T]:
        found = {}
        for name, matcher in list(self._matchers.items()):
            try:
                found[name] = act(matcher)
            except Exception as error:
                if raised is None:
                    raise
                raised[name] = error
                self.remove(name)
        return found

    def _wanted(self) -> Interest:
        """What all queries want; found out anew where one has come, gone, or changed its plan."""
        if self._interest is None or self._changes != self._coding.changes:
            self._changes = self._coding.changes
            self._interest = Interest([s for m in self._matchers.values() for s in m.scanners])
        return self._interest

    def _tidy(self) -> None:
        if self._coding.crowded(self._matchers.values()):
            self._coding = Coding()
            for matcher in self._matchers.values():
                matcher.renew(self._coding)
        else:
            self._coding.tidy(self._matchers.values())

"""One query at work in a bucket: its matcher, and which events of the past it still needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

import sase
from sase.plan.window import FOREVER
from sase.spark.bucket import past, snapshot
from sase.spark.bucket.past import Reach
from sase.spark.bucket.state import Head
from sase.spark.control import Rule
from sase.spark.input.columns import POSITION

_FEW = 4096  # events that are replayed rather than written into a new snapshot


@dataclass(slots=True)
class BucketQuery:
    """`since` is the place in the bucket's order where the query begins to see."""

    rule: Rule
    compiled: sase.Query
    matcher: sase.Matcher
    since: int
    base: int = 0  # its snapshot knows all events before this place
    fresh: int = 0  # events kept for it since then

    @property
    def snapped(self) -> bool:
        """Whether it begins from a snapshot, because its events alone would not do."""
        return not self.compiled.replayable

    @property
    def reach(self) -> Reach:
        """For how long it needs an event."""
        return reach_of(self.compiled)

    def horizon(self, head: Head) -> int:
        """Events at or before this time are needed no more."""
        if self.snapped:
            return past.before(head, self.base)
        if self.compiled.reach_in_events is not None:
            return past.before(head, head.position - self.compiled.reach_in_events)
        return self.matcher.horizon

    def needs(self, events: pa.Table) -> NDArray[np.int64]:
        """Which of the events just matched it must see again in a replay; contiguity is about all of them."""
        return np.arange(events.num_rows) if self.compiled.counts_all else self.matcher.laid

    @property
    def outgrown(self) -> bool:
        """Whether its snapshot should be written anew: so seldom that the cost of an event does not grow."""
        return self.fresh > max(_FEW, self.matcher.live_events)

    def saved(self) -> bytes:
        return snapshot.to_bytes(self.matcher.snapshot())

    def replay(self, events: pa.Table) -> None:
        """See events again, without a word."""
        seen = events.filter(pc.greater_equal(events[POSITION], self.since)) if self.since else events
        self.matcher.replay(seen)
        self.fresh += seen.num_rows


def reach_of(query: sase.Query) -> Reach:
    """For how long a query needs an event."""
    if query.reach == FOREVER:
        return Reach(FOREVER, FOREVER)  # what is never dropped need not lie in slices, of events neither
    return Reach(query.reach or 0, query.reach_in_events or 0)


def begin(
    together: sase.SetMatcher, name: str, rule: Rule, since: int, saved: bytes | None = None
) -> BucketQuery:
    """One more query for those of the bucket."""
    query = rule.compiled(name)
    matcher = together.add(name, query, None if saved is None else snapshot.from_bytes(saved))
    matcher.silent = not rule.watches
    return BucketQuery(rule, query, matcher, since)

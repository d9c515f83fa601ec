"""The matchers of a bucket in a Python worker's memory, brought up to date from the bucket's state."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

import sase
from sase.matcher import NEVER
from sase.plan.plan import FOREVER
from sase.spark import snapshot
from sase.spark.control import Rule
from sase.spark.segments import POSITION, Span
from sase.spark.state import Head

_FEW = 4096  # events that are replayed rather than written into a new snapshot
_BUCKETS = 256  # a worker that has seen more forgets those it has not used for longest


@dataclass(slots=True)
class Live:
    """A query at work in a bucket; `since` is the place in the bucket's order where it begins to see."""

    rule: Rule
    query: sase.Query
    matcher: sase.Matcher
    since: int
    base: int = 0  # its snapshot knows all events before this place
    fresh: int = 0  # events kept for it since then

    @property
    def snapped(self) -> bool:
        """Whether it begins from a snapshot: its state depends on more than the events of its window.

        Contiguity in a partition could be either; appending its events is cheaper than rewriting a snapshot.
        """
        return self.query.tree.output == "NON-OVERLAP" or (self.query.counts_all and not self._contiguous)

    @property
    def _contiguous(self) -> bool:
        return any(plan.strategy == "partition_contiguity" for plan in self.query.plans)

    @property
    def span(self) -> Span:
        """For how long it needs an event."""
        window = self.query.window
        if window is None or not isinstance(window.size, int):
            return Span(FOREVER, FOREVER)
        return Span(window.size, 0) if window.unit == "ms" else Span(0, window.size)

    def horizon(self, head: Head) -> int:
        """Events at or before this time are needed no more."""
        if self.snapped:
            return _before(head, self.base)
        if self.span.events:
            return _before(head, head.position - self.span.events)
        return self.matcher.horizon

    def needs(self, events: pa.Table) -> NDArray[np.bool_]:
        """Which events it must see again in a replay; contiguity is about all of them."""
        return np.full(events.num_rows, True) if self.query.counts_all else self.matcher.relevant(events)

    @property
    def waits(self) -> bool:
        """Whether time alone can complete a match."""
        return any(plan.trailing for plan in self.query.plans) and self.matcher.live_events > 0

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


def _before(head: Head, position: int) -> int:
    """A time up to which every event kept is before this place; one of the same time may come after it."""
    return max((each.high - 1 for each in head.segments if each.last < position), default=NEVER)


def begin(name: str, rule: Rule, since: int, saved: bytes | None = None) -> Live:
    query = rule.compiled(name)
    matcher = query.matcher(None if saved is None else snapshot.from_bytes(saved))
    return Live(rule, query, matcher, since)


@dataclass(slots=True)
class Memory:
    """All queries of a bucket, and the step after which they stand."""

    live: dict[str, Live]
    token: str = ""
    position: int = 0


_memories: OrderedDict[str, Memory] = OrderedDict()


def take(lineage: str, steps: Iterable[tuple[str, int]]) -> Memory | None:
    """What this worker remembers of a bucket, if its state knows that step; a failed task keeps nothing."""
    memory = _memories.pop(lineage, None)
    return memory if memory is not None and memory.token in dict(steps) else None


def keep(lineage: str, memory: Memory) -> None:
    _memories[lineage] = memory
    if len(_memories) > _BUCKETS:
        _memories.popitem(last=False)

"""The matchers of a bucket in a Python worker's memory, brought up to date from the bucket's state."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

import sase
from sase.plan import FOREVER
from sase.spark import snapshot
from sase.spark.control import Rule
from sase.spark.segments import POSITION

_BUCKETS = 256  # a worker that has seen more forgets those it has not used for longest


@dataclass(slots=True)
class Live:
    """A query at work in a bucket; `since` is the place in the bucket's order where it begins to see."""

    rule: Rule
    query: sase.Query
    matcher: sase.Matcher
    since: int
    moved: bool = False  # whether its snapshot is out of date

    @property
    def snapped(self) -> bool:
        """Whether its state is a snapshot, not events: it depends on more than the events of its window."""
        return self.query.counts_all or self.query.tree.output == "NON-OVERLAP"

    @property
    def span(self) -> int:
        """For how long it needs an event."""
        window = self.query.window
        return window.size if window is not None and isinstance(window.size, int) else FOREVER

    @property
    def waits(self) -> bool:
        """Whether time alone can complete a match."""
        return any(plan.trailing for plan in self.query.plans) and self.matcher.live_events > 0

    def saved(self) -> bytes:
        return snapshot.to_bytes(self.matcher.snapshot())

    def replay(self, events: pa.Table) -> None:
        """See events again, without a word."""
        seen = events.filter(pc.greater_equal(events[POSITION], self.since)) if self.since else events
        self.matcher.replay(seen)


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

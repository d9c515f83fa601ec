"""What the stateful operator of one level has to do; it travels to the workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pyspark.sql.types import StructType

import sase
from sase.options import Limits
from sase.spark.control import Rule
from sase.spark.input.fit import ColumnKind, Misfit, misfits
from sase.spark.input.lanes import Lane, lane_of


@dataclass(frozen=True, slots=True)
class Level:
    """The queries that read events of earlier levels only, and how their rows come."""

    rules: Mapping[str, Rule]
    lanes: tuple[Lane, ...]
    buckets: int
    number: int  # from 1
    levels: int
    made: Mapping[str, int]  # composite event type -> the level that makes it
    lateness: int  # how far the clock stays behind the youngest row
    ordered: bool  # whether rows of one time may be matched before all of them are here
    history: int
    limits: Limits | None  # of queries that bring none of their own
    streaming: bool
    nested: frozenset[str]  # attributes that travel as JSON text
    shape: StructType  # the columns of composite events, as far as later levels read them
    kinds: Mapping[str, ColumnKind]  # of attributes; empty where no query comes or goes: all is known before
    reads_events: bool = True  # the stream's own, beside composite events
    deadlines: bool = False  # whether rows say when time alone may bring something about
    dealt: str = ""  # the dealing whose files hold what the buckets begin with; "": each has its own state
    retired: tuple[int, ...] = ()  # keys of buckets whose events were dealt to others
    retired_until: int = -1  # the last micro-batch in which they are told

    def lane(self, key: int) -> Lane | None:
        """The lane of a bucket; None: no query has that partition any more."""
        return next((lane for lane in self.lanes if key in lane.keys), None)

    def hosts(self, query: sase.Query, lane: Lane) -> bool:
        """Whether a query runs in this lane of this level."""
        level = max((self.made.get(name, 0) for name in query.types), default=0) + 1
        return min(level, self.levels) == self.number and lane_of(query, self.lanes) is lane

    def misfits(self, name: str, query: sase.Query) -> Iterator[Misfit]:
        """What a query takes for something else in the events of the stream; composite events are our own."""
        for each in misfits(name, query.tree, self.kinds):
            types = tuple(type_ for type_ in each.types if type_ not in self.made)
            if types:
                yield replace(each, types=types)

    @property
    def first(self) -> int:
        """The bucket that speaks for all where one voice is enough."""
        return self.lanes[0].keys[0]

"""What travels to the workers: the task of one level's operator, and the packed rows of one bucket."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

import sase
from sase.spark.control import Rule
from sase.spark.fit import Kind, Misfit, misfits
from sase.spark.layout import Lane, lane_of
from sase.spark.pack import decode


@dataclass(frozen=True, slots=True)
class Work:
    """What the operator of one level has to do."""

    rules: Mapping[str, Rule]
    lanes: tuple[Lane, ...]
    buckets: int
    level: int
    levels: int
    made: Mapping[str, int]  # composite event type -> the level that makes it
    lateness: int  # how far the clock stays behind the youngest row
    ordered: bool  # whether rows of one time may be matched before all of them are here
    history: int
    streaming: bool
    nested: frozenset[str]  # attributes that travel as JSON text
    kinds: Mapping[str, Kind]  # what attributes hold; empty where no query comes or goes: all is known before

    def lane(self, key: int) -> Lane:
        return next(lane for lane in self.lanes if key in lane.keys)

    def hosts(self, query: sase.Query, lane: Lane) -> bool:
        """Whether a query runs in this lane of this level."""
        level = max((self.made.get(name, 0) for name in query.types), default=0) + 1
        return min(level, self.levels) == self.level and lane_of(query, self.lanes) is lane

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


@dataclass(slots=True)
class Incoming:
    """The rows of one bucket in one micro-batch."""

    tables: list[pa.Table] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)
    top: int | None = None
    kept: int = 0


def unpacked(rows: Iterable[Any]) -> Incoming:
    """Packed rows in the order of their arrival."""
    found = Incoming()
    for row in sorted(rows, key=lambda row: (row.part, row.chunk)):
        if row.rows:
            found.tables.append(decode(row.blob))
        notice = json.loads(row.notice)
        found.said.extend(notice["said"])
        found.kept += notice["kept"]
        if row.top is not None:
            found.top = row.top if found.top is None else max(found.top, row.top)
    return found

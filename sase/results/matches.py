"""Matches as the user sees them: a lazy sequence, built from what the kernel found only when looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.events.table import Origin, Reader
from sase.language import tree
from sase.results.found import Found
from sase.results.returned import attributes

Event = dict[str, Any]
_BLOCK = 1024  # matches whose events are read at once


@dataclass(frozen=True)
class Layout:
    """What all matches of a query have in common."""

    name: str
    components: tuple[str, ...]
    kleene: tuple[bool, ...]
    returned: tuple[tree.Returned, ...]


@dataclass(frozen=True, eq=False)
class Match:
    """One composite event: its interval, when it was known, and the events of its positive components."""

    start: int
    end: int
    detected_at: int
    probability: float
    events: dict[str, Any]
    positions: tuple[int, ...]  # where its events stand in the stream
    layout: Layout

    @cached_property
    def attributes(self) -> Event:
        """RETURN's, or else all attributes of all events as `var.attr`."""
        return attributes(self.events, self.layout.returned)

    @property
    def event(self) -> Event:
        """The match as an event that another query can read."""
        return {**self.attributes, "event": self.layout.name, "ts": self.detected_at}

    def __repr__(self) -> str:
        return f"Match({self.layout.name}, {self.start}..{self.end}, {self.events!r})"


@dataclass(frozen=True, eq=False)
class Compressed:
    """OUTPUT COMPRESSED: all matches that end on one event, as the graph they share."""

    end: int
    detected_at: int
    segment: Segment
    nodes: tuple[int, ...]

    def enumerate(self) -> Iterator[Match]:
        """The matches one by one; nothing is built before it is asked for."""
        reader = Reader(self.segment.origin)
        for node in self.nodes:
            for path, parts in _paths(self.segment, node):
                yield self.segment.build(path, parts, self.detected_at, reader)

    __iter__ = enumerate

    @property
    def start(self) -> int:
        return min(match.start for match in self.enumerate())


@dataclass(frozen=True, eq=False)
class Group:
    """OUTPUT COMPRESSED where negation looked at whole matches: the same interface over a list."""

    end: int
    detected_at: int
    matches: tuple[Match, ...]

    def enumerate(self) -> Iterator[Match]:
        return iter(self.matches)

    __iter__ = enumerate

    @property
    def start(self) -> int:
        return min(match.start for match in self.matches)


Result = Match | Compressed | Group


@dataclass(frozen=True, eq=False)
class Segment:
    """The matches of one push of one plan."""

    found: Found
    origin: Origin
    layout: Layout
    detected: NDArray[np.int64]  # empty: when the last event came
    window: int
    unit: str

    def __len__(self) -> int:
        return self.found.count

    def match(self, i: int, reader: Reader | None = None) -> Match | Compressed:
        if self.found.graph is not None:
            last, *nodes = self.found.numbers(i)
            end = self.origin.ts(last)
            return Compressed(end, end, self, tuple(nodes))
        detected = int(self.detected[i]) if self.detected.size else None
        read = Reader(self.origin) if reader is None else reader
        return self.build(*self.found.match(i), detected, read)

    def build(self, path: Sequence[int], parts: Sequence[int], detected: int | None, reader: Reader) -> Match:
        layout = self.layout
        events: dict[str, Any] = dict.fromkeys(layout.components)
        probability = 1.0
        read = [reader[number] for number in path]
        for (event, _, _), part in zip(read, parts, strict=True):
            probability *= event.get("prob", 1.0) or 1.0
            name = layout.components[part]
            if not layout.kleene[part]:
                events[name] = event
            elif events[name] is None:
                events[name] = [event]
            else:
                events[name].append(event)
        start, end = read[0][1], read[-1][1]
        positions = tuple([position for _, _, position in read])
        return Match(
            start, end, end if detected is None else detected, probability, events, positions, layout
        )

    def numbers(self) -> list[tuple[int, ...]]:
        """Every match as (positions, components): the same match of two disjuncts has the same."""
        keys = []
        for i in range(len(self)):
            path, parts = self.found.match(i)
            keys.append((*map(self.origin.position, path), *parts))
        return keys


def _paths(segment: Segment, final: int) -> Iterator[tuple[list[int], list[int]]]:
    """Every way back from a node of the graph to the beginning of a match inside the window."""
    graph = segment.found.graph
    assert graph is not None
    stack: list[tuple[int, tuple[int, ...]]] = [(final, ())]
    while stack:
        node, behind = stack.pop()
        at = node - graph.base
        if at < 0:
            continue
        if graph.other[at] >= 0:
            stack.append((int(graph.other[at]), behind))
        path = (at, *behind)
        if graph.previous[at] >= 0:
            stack.append((int(graph.previous[at]), path))
        elif _inside(segment, [int(graph.event[x]) for x in (path[0], path[-1])]):
            yield [int(graph.event[x]) for x in path], [int(graph.part[x]) for x in path]


def _inside(segment: Segment, ends: list[int]) -> bool:
    origin = segment.origin
    if not origin.has(min(ends)):
        return False
    clock = origin.position if segment.unit == "events" else origin.ts
    return clock(ends[1]) - clock(ends[0]) < segment.window


class Matches(Sequence[Any]):
    """A lazy sequence: len() is cheap, iterating builds one match after the other."""

    def __init__(self, segments: Sequence[Segment], chosen: list[tuple[int, int]] | None = None) -> None:
        self._segments = segments
        self._chosen = chosen  # (segment, match) where matches of several disjuncts were merged

    def __len__(self) -> int:
        return sum(map(len, self._segments)) if self._chosen is None else len(self._chosen)

    def __iter__(self) -> Iterator[Any]:
        places: Iterable[tuple[int, int]] = (
            ((s, i) for s, segment in enumerate(self._segments) for i in range(len(segment)))
            if self._chosen is None
            else self._chosen
        )
        places = iter(places)
        while block := list(islice(places, _BLOCK)):
            readers = [Reader(segment.origin) for segment in self._segments]
            for s, reader in enumerate(readers):
                reader.read(self._segments[s].found.events([i for at, i in block if at == s]))
            yield from (self._segments[s].match(i, readers[s]) for s, i in block)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        if self._chosen is not None:
            segment, i = self._chosen[at]
            return self._segments[segment].match(i)
        for part in self._segments:
            if at < len(part):
                return part.match(at)
            at -= len(part)
        raise IndexError(index)

    def to_arrow(self) -> pa.Table:
        """One row per match: event, ts, start, end, probability, and the attributes."""
        rows = [
            {
                "event": match.layout.name,
                "ts": match.detected_at,
                "start": match.start,
                "end": match.end,
                "probability": match.probability,
                **match.attributes,
            }
            for result in self
            for match in (result.enumerate() if isinstance(result, Compressed | Group) else (result,))
        ]
        fixed = [("event", pa.string()), ("ts", pa.int64()), ("start", pa.int64()), ("end", pa.int64())]
        if not rows:
            return pa.schema([*fixed, ("probability", pa.float64())]).empty_table()
        names = list(dict.fromkeys(name for row in rows for name in row))
        return pa.table({name: [row.get(name) for row in rows] for name in names})


class Groups(Matches):
    """OUTPUT COMPRESSED without a graph: the matches that end on one event, together."""

    def __init__(self, matches: Matches) -> None:
        by_end: dict[tuple[int, int], list[Match]] = {}
        for match in matches:
            by_end.setdefault((match.positions[-1], match.detected_at), []).append(match)
        self._groups = [Group(found[0].end, at, tuple(found)) for (_, at), found in by_end.items()]

    def __len__(self) -> int:
        return len(self._groups)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __getitem__(self, index: int | slice) -> Any:
        return self._groups[index]

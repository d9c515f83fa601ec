"""What one plan found in one push, and how a match is built from it when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sase.events.table import EventReader, Origin
from sase.results.found import Found, Graph
from sase.results.match import CompositeType, Match


@dataclass(frozen=True, eq=False)
class Compressed:
    """OUTPUT COMPRESSED: all matches that end on one event, as the graph they share."""

    end: int
    detected_at: int
    source: PlanMatches
    nodes: tuple[int, ...]

    def enumerate(self) -> Iterator[Match]:
        """The matches one by one; nothing is built before it is asked for."""
        reader = EventReader(self.source.origin)
        for node in self.nodes:
            for path, components in _paths(self.source, node):
                yield self.source.build(path, components, self.detected_at, None, reader)

    __iter__ = enumerate

    @property
    def start(self) -> int:
        return min(match.start for match in self.enumerate())


@dataclass(frozen=True, eq=False)
class PlanMatches:
    """What one plan found in one push, with what is needed to read it."""

    found: Found
    origin: Origin
    composite: CompositeType

    def __len__(self) -> int:
        return self.found.count

    def match(self, i: int, reader: EventReader | None = None) -> Match | Compressed:
        if self.found.graph is not None:
            last, *nodes = self.found.numbers(i)
            end = self.origin.ts(last)
            return Compressed(end, end, self, tuple(nodes))
        detected, probability = self.found.detected, self.found.probability
        return self.build(
            *self.found.match(i),
            None if detected is None else int(detected[i]),
            None if probability is None else float(probability[i]),
            EventReader(self.origin) if reader is None else reader,
        )

    def build(
        self,
        path: Sequence[int],
        components: Sequence[int],
        detected: int | None,
        probability: float | None,
        reader: EventReader,
    ) -> Match:
        composite = self.composite
        events: dict[str, Any] = dict.fromkeys(composite.components)
        product = 1.0
        read = [reader[number] for number in path]
        for (event, _, _), component in zip(read, components, strict=True):
            product *= float(event.get("prob") or 1.0)
            name = composite.components[component]
            if not composite.kleene[component]:
                events[name] = event
            elif events[name] is None:
                events[name] = [event]
            else:
                events[name].append(event)
        if None in events.values():  # ANYONE left an alias unbound
            events = {name: event for name, event in events.items() if event is not None}
        start, end = read[0][1], read[-1][1]
        positions = tuple([position for _, _, position in read])
        known = end if detected is None else detected
        likely = product if probability is None else probability
        return Match(start, end, known, likely, events, positions, composite)

    def numbers(self) -> list[tuple[int, ...]]:
        """Every match as (positions, components): the same match of two disjuncts has the same."""
        keys = []
        for i in range(len(self)):
            path, components = self.found.match(i)
            keys.append((*map(self.origin.position, path), *components))
        return keys


def _paths(source: PlanMatches, final: int) -> Iterator[tuple[list[int], list[int]]]:
    """Every way back from a node of the graph to the beginning of a match inside the window."""
    graph, origin = source.found.graph, source.origin
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
        elif _inside(origin, graph, [int(graph.event[x]) for x in (path[0], path[-1])]):
            yield [int(graph.event[x]) for x in path], [int(graph.component[x]) for x in path]


def _inside(origin: Origin, graph: Graph, ends: list[int]) -> bool:
    if not origin.has(min(ends)):
        return False
    clock = origin.position if graph.counts_events else origin.ts
    return clock(ends[1]) - clock(ends[0]) < graph.window

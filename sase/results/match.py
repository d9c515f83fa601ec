"""A match as the user sees it: one composite event, or the group of those that end on one event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sase.language import tree
from sase.results.attributes import attributes

Event = dict[str, Any]


@dataclass(frozen=True)
class CompositeType:
    """What all matches of a query have in common."""

    name: str
    components: tuple[str, ...]
    kleene: tuple[bool, ...]
    returned: tuple[tree.Returned, ...]
    recurs: bool = False  # the same events may match again at another moment
    lasts: int | None = None  # with a negated end: its timestamp is so much after its first event


@dataclass(frozen=True, eq=False)
class Match:
    """One composite event: its interval, when it was known, and the events of its positive components."""

    start: int
    end: int
    detected_at: int
    probability: float
    events: dict[str, Any]
    positions: tuple[int, ...]  # where its events stand in the stream
    composite: CompositeType

    @cached_property
    def attributes(self) -> Event:
        """RETURN's, or else all attributes of all events as `var.attr`."""
        return attributes(self.events, self.composite.returned)

    @property
    def ts(self) -> int:
        """Its timestamp as a composite event: when it was known, or its deadline even if earlier."""
        return self.detected_at if self.composite.lasts is None else self.start + self.composite.lasts

    @property
    def event(self) -> Event:
        """The match as an event that another query can read."""
        own = {"event": self.composite.name, "ts": self.ts}
        return {**self.attributes, **own, **({"prob": self.probability} if self.probability < 1 else {})}

    def __repr__(self) -> str:
        return f"Match({self.composite.name}, {self.start}..{self.end}, {self.events!r})"


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

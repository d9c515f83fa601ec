"""What every part of a plan can say of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from sase.plan.normal import Simple


class Part(Protocol):
    @property
    def reach(self) -> int:
        """How far back from now its answers depend on events, in what the window counts."""
        ...

    @property
    def has_deadlines(self) -> bool:
        """Whether time alone, without an event, can make it answer."""
        ...

    @property
    def conditions(self) -> tuple[Simple, ...]:
        """The conditions that it tests."""
        ...

    @property
    def attributes(self) -> frozenset[str]:
        """The attributes of events that it reads."""
        ...

    def explain(self) -> Iterator[str]:
        """Its lines in `explain`."""
        ...

"""What every part of a plan can say of itself."""

from __future__ import annotations

from collections.abc import Iterator

from sase.plan.normal import Simple, attributes


class PlanPart:
    """A part says what is special about it; what it leaves out is as here."""

    __slots__ = ()

    @property
    def reach(self) -> int:
        """How far back from now its answers depend on events, in what the window counts."""
        return 0

    @property
    def has_deadlines(self) -> bool:
        """Whether time alone, without an event, can make it answer."""
        return False

    @property
    def conditions(self) -> tuple[Simple, ...]:
        """The conditions that it tests."""
        return ()

    @property
    def attributes(self) -> frozenset[str]:
        """The attributes of events that it reads."""
        return attributes(self.conditions)

    def explain(self) -> Iterator[str]:
        """Its lines in `explain`."""
        return iter(())

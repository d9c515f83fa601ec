"""Where the byte code finds the events and running values of a partial match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


class RegisterSlots(Protocol):
    """Gives each event and each running value that some condition reads a slot."""

    def event(self, component: int, which: str) -> int: ...
    def scalar(self, component: int, kind: int, attribute: str = "") -> int: ...


@dataclass(slots=True)
class RunSlots:
    """A run keeps what its conditions read, and nothing else: a slot is given at the first mention."""

    events: dict[tuple[int, str], int] = field(default_factory=dict)  # (component, "first" | "last")
    scalars: dict[tuple[int, int, str], int] = field(default_factory=dict)  # (component, kind, attribute)

    def event(self, component: int, which: str) -> int:
        return self.events.setdefault((component, which), len(self.events))

    def scalar(self, component: int, kind: int, attribute: str = "") -> int:
        return self.scalars.setdefault((component, kind, attribute), len(self.scalars))


@dataclass(frozen=True, slots=True)
class ComponentSlots:
    """In a match of single events slot c is the event of component c."""

    def event(self, component: int, which: str) -> int:  # noqa: ARG002
        return component

    def scalar(self, component: int, kind: int, attribute: str = "") -> int:  # noqa: ARG002
        raise TypeError("no running values without a Kleene component")

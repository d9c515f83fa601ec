"""The two kinds of sensors: one that hears who is in a place, and one that sees moves between two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Watch:
    """Hears who is in its place, at every poll with probability `hit`; elsewhere with `stray[place]`."""

    place: str
    hit: float = 0.9
    every: str = "1 second"
    stray: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Gate:
    """Sees a move between two places that adjoin."""

    a: str
    b: str
    hit: float = 0.9


Sensor = Watch | Gate

"""WITHIN as a plan knows it: how long a match may last, and whether that is counted in time or in events."""

from __future__ import annotations

from dataclasses import dataclass

from sase.language import tree

FOREVER = 2**62
NEVER = -FOREVER


@dataclass(frozen=True, slots=True)
class Window:
    size: int  # FOREVER where the query has none
    unit: str
    pruned: bool  # tested during scan and construction, and what has left it is dropped; else at the end

    @property
    def counts_events(self) -> bool:
        return self.unit == "events"

    def explain(self) -> str:
        if self.size >= FOREVER:
            return "none: nothing is ever forgotten"
        place = "pruned during scan and construction" if self.pruned else "tested at the end"
        return f"{self.size:,} {self.unit}, {place}"


def window_of(query: tree.QueryTree, pruned: bool) -> Window:
    if query.within is None:
        return Window(FOREVER, "ms", pruned)
    assert isinstance(query.within.size, int), "a parameter without a value"
    return Window(query.within.size, query.within.unit, pruned)

"""Emission: which of the matches that end on an event come out, and in what form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sase.events.growth import extended
from sase.operators.part import Part
from sase.operators.programs import Table
from sase.plan.alternative import Alternative


@dataclass(frozen=True, slots=True)
class EmissionPlan(Part):
    output: str
    compressed: bool  # as a shared graph
    limit: int  # matches per event

    @property
    def once(self) -> bool:
        """Whether an event is used up by the first match of its group."""
        return self.output == "NON-OVERLAP"

    @property
    def in_groups(self) -> bool:
        """Whether matches that end on one event come out together, from a list instead of a graph."""
        return self.output == "COMPRESSED" and not self.compressed

    def explain(self) -> Iterator[str]:
        yield f"Output        {self.output}{' as a shared graph' if self.compressed else ''}"


class Barrier:
    """NON-OVERLAP: per group the event up to which everything is used up."""

    def __init__(self) -> None:
        self._events: Table = np.full(1, -1, np.int64)

    def of(self, groups: int) -> Table:
        """With room for so many groups."""
        self._events = extended(self._events, groups, -1)
        return self._events

    def spent(self, group: int) -> int:
        return int(self._events[group])

    def spend(self, group: int, event: int) -> None:
        self.of(group + 1)[group] = event


def plan_emission(alternative: Alternative) -> EmissionPlan:
    limit = alternative.limits.matches_per_event
    return EmissionPlan(alternative.output, alternative.compressed, limit)

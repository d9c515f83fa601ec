"""Waiting: a match with a negative component at its end is known only when its window is over."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sase.events.table import EventTable
from sase.kernels.pending import Pending, pending, with_room
from sase.operators.part import Part
from sase.plan.alternative import Alternative
from sase.plan.window import Window
from sase.results.found import Found


@dataclass(frozen=True, slots=True)
class WaitingPlan(Part):
    window: Window
    waits: bool

    @property
    def reach(self) -> int:
        return self.window.size if self.waits else 0

    @property
    def has_deadlines(self) -> bool:
        return self.waits

    def dated(self, found: Found, events: EventTable) -> Found:
        """What has waited was known at its deadline."""
        if not self.waits or not found.count:
            return found
        return replace(found, detected=events.clock(found.firsts()) + self.window.size)


class Waiting:
    """The matches that wait, by their deadlines."""

    def __init__(self) -> None:
        self.pending: Pending = pending()

    def __len__(self) -> int:
        return int(self.pending.size[0])

    def make_room(self) -> None:
        self.pending = with_room(self.pending)

    @property
    def next_deadline(self) -> int | None:
        return int(self.pending.heap[0, 0]) if self.pending.size[0] else None


def plan_waiting(alternative: Alternative) -> WaitingPlan:
    return WaitingPlan(alternative.window, alternative.shape.trailing)

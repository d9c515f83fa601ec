"""Waiting: a match with a negative component at its end is known only when its window is over."""

from __future__ import annotations

from dataclasses import dataclass

from sase.operators.part import PlanPart
from sase.plan.alternative import Alternative
from sase.plan.window import Window


@dataclass(frozen=True, slots=True)
class WaitingPlan(PlanPart):
    window: Window
    waits: bool

    @property
    def reach(self) -> int:
        return self.window.size if self.waits else 0

    @property
    def has_deadlines(self) -> bool:
        return self.waits


def plan_waiting(alternative: Alternative) -> WaitingPlan:
    return WaitingPlan(alternative.window, alternative.shape.trailing)

"""What only a demo lays on the map: people as the simulator knows them, what was heard, what flashes."""

from __future__ import annotations

from collections.abc import Iterable

from app.store import Alert
from dashboard.context import Context
from dashboard.pictures import truth_marks
from dashboard.pictures.figure import Trace

FLASH_MS = 8_000
_STORIES = 3  # whose people stand out


def truth_traces(context: Context, alerts: Iterable[Alert]) -> list[Trace]:
    """Nothing where no simulator tells; `alerts` are those that flash while they are new."""
    truth = context.truth
    if truth is None:
        return []
    plan, now = context.scenario.plan, context.now_ms()
    staged = {step.who for one in truth.stage.stories()[:_STORIES] for step in one.steps if step.who}
    fresh = {alert.area for alert in alerts if now - alert.stored_ms < FLASH_MS}
    return [
        truth_marks.flash(plan, sorted(fresh), bright=now // 1000 % 2 == 0),
        truth_marks.pulses(plan, truth.stage.heard(now)),
        *truth_marks.truth(truth.stage.people(now), staged),
    ]

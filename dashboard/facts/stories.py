"""What was staged and what came of it: which steps decide, and which alert tells of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.store import Alert
from dashboard.context import Context
from dashboard.truth.stage import StagedStory, StoryStep


@dataclass(frozen=True)
class Staging:
    """An incident that can be staged: who tells of it, after which deed, and how long after the click."""

    detector: str
    decisive: str
    seconds: int
    kind: str = ""  # of the area, where the deed alone does not say it
    empty_handed: bool = False  # whether the deed decides though nothing was taken before


STAGINGS = {
    "shoplift": Staging("shoplifting", "arrives", 25, "exit"),
    "misplace": Staging("misplaced", "puts", 45),
    "sweep": Staging("shelf_sweep", "walks", 40, "exit"),
    "fitting_loss": Staging("fitting_room_loss", "hides", 55),
    "buy_up": Staging("understocked", "takes", 60),
    "copied_tag": Staging("impossible", "copies", 30),
    "overdose": Staging("overdose", "lifts", 45),
    "interaction": Staging("drug_interaction", "lifts", 35),
    "wrong_patient": Staging("wrong_patient", "lifts", 25),
    "missed_dose": Staging("missed_dose", "ordered", 45, empty_handed=True),
    "booklift": Staging("booklifting", "arrives", 35, "door"),
    "confusion": Staging("confusion", "arrives", 35, "door"),
    "over_limit": Staging("over_limit", "arrives", 40),
    "misplace_book": Staging("misplaced_book", "puts", 55),
    "leak": Staging("leak", "spills", 15, empty_handed=True),
    "leak_untold": Staging("leak_untold", "spills", 50, empty_handed=True),
    "long_in_bathroom": Staging("long_in_bathroom", "arrives", 50, "bathroom", empty_handed=True),
    "intruder": Staging("motion_nobody_home", "enters", 60, "living", empty_handed=True),
    "reader_down": Staging("reader_silent", "fails", 60),
}


def decisive(story: StagedStory, context: Context) -> StoryStep | None:
    """The last deed after which an alert must follow."""
    staging = STAGINGS.get(story.incident)
    if staging is None:
        return None
    kinds = {area.name: area.kind for area in context.scenario.plan.areas}
    carrying = staging.empty_handed
    found = None
    for step in story.steps:
        carrying = carrying or step.deed in ("takes", "lifts", "copies", "fails")
        fits = step.deed == staging.decisive and (not staging.kind or kinds.get(step.area) == staging.kind)
        found = step if fits and carrying else found
    return found


def told(story: StagedStory, alerts: Iterable[Alert], context: Context) -> Alert | None:
    """The first alert about whom or what the story is about."""
    staging = STAGINGS.get(story.incident)
    if staging is None:
        return None
    subjects = story.subjects | _products(story, context) | {context.scenario.name}
    fitting = [
        alert
        for alert in alerts
        if alert.detector == staging.detector
        and alert.subject in subjects
        and alert.stored_ms >= story.heard_ms
    ]
    return min(fitting, key=lambda alert: alert.stored_ms, default=None)


def _products(story: StagedStory, context: Context) -> set[str]:
    return {str(row["product"]) for row in rows_of(story.subjects, context) if row.get("product")}


def rows_of(ids: Iterable[str], context: Context) -> list[dict[str, object]]:
    """The catalog's rows of these things."""
    wanted = set(ids)
    items = context.scenario.items
    columns = [
        name for name in ("id", "product", "name", "patient", "medicine") if name in items.column_names
    ]
    numbers = [at for at, one in enumerate(items.column("id").to_pylist()) if one in wanted]
    found: list[dict[str, object]] = items.select(columns).take(numbers).to_pylist() if numbers else []
    return found

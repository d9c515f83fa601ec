"""The household of the place that is shown, and where everybody probably is."""

from __future__ import annotations

from app.place.floor_plan import OUTSIDE
from app.whereabouts.answers import GONE_OUT, Answers
from app.whereabouts.display import Chances, Resident, residents
from dashboard.context import Context


def residents_of(context: Context, answers: Answers) -> list[Resident]:
    def chances(row: int) -> Chances:
        places = answers.of(row).places
        return {OUTSIDE if place.name == GONE_OUT else place.name: place.chance for place in places}

    return residents(context.scenario.items, chances)

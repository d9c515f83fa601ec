"""How a place is cleaned: things by their tags, or people from room to room."""

from __future__ import annotations

from app.cleaning.cleaner import Cleaner
from app.cleaning.rooms.cleaner import RoomsCleaner
from app.place.scenario import Scenario


def cleaner_of(scenario: Scenario) -> Cleaner | RoomsCleaner:
    """The one that fits the place."""
    return Cleaner(scenario) if scenario.household is None else RoomsCleaner(scenario)

"""The place that this dashboard shows: its store, its scenario, its log, and the clock."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from app import clock
from app.place.scenario import Scenario
from dashboard.demo_truth import Witness


@dataclass(frozen=True)
class Place:
    """`demo` lets in whoever sits at the machine and shows the page that stages incidents."""

    store: sa.Engine
    scenario: Scenario
    log: Path | None = None
    data: Path | None = None
    demo: bool = False
    witness: Witness | None = None
    secure: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    now_ms: Callable[[], int] = clock.now_ms

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.scenario.timezone)


def area_title(place: Place, name: str) -> str:
    """What people call an area; its name if the plan no longer has it."""
    return next((area.title for area in place.scenario.plan.areas if area.name == name), name)


_shown: list[Place] = []


def show(place: Place) -> None:
    """Streamlit runs the pages as scripts, so what they show is set once per process and not passed in."""
    _shown[:] = [place]


def current() -> Place:
    if not _shown:
        raise LookupError("no place to show: start the dashboard with `vigil dashboard SCENARIO`")
    return _shown[0]

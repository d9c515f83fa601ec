"""What all pages share: the store, the scenario and the log of the place they show, and the clock."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from app import clock
from app.place.scenario import Scenario
from dashboard.demo_truth import DemoTruth


@dataclass(frozen=True)
class Context:
    """`demo` lets in whoever sits at the machine and shows the page that stages incidents."""

    store: sa.Engine
    scenario: Scenario
    log: Path | None = None
    data: Path | None = None
    demo: bool = False
    truth: DemoTruth | None = None
    secure: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    now_ms: Callable[[], int] = clock.now_ms

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.scenario.timezone)


def area_title(context: Context, name: str) -> str:
    """What people call an area; its name if the plan no longer has it."""
    return next((area.title for area in context.scenario.plan.areas if area.name == name), name)


_set: list[Context] = []


def set_context(context: Context) -> None:
    """Streamlit runs the pages as scripts, so what they show is set once per process and not passed in."""
    _set[:] = [context]


def current_context() -> Context:
    if not _set:
        raise LookupError("no place to show: start the dashboard with `vigil dashboard SCENARIO`")
    return _set[0]

"""What all pages share: the store, the scenario and the log of the place they show, and the clock."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from app import clock
from app.log import LogAddress
from app.place.scenario import Scenario
from app.settings import Settings
from app.store import Site
from dashboard.truth.heard import DemoTruth


@dataclass(frozen=True)
class Context:
    """`demo` lets in whoever sits at the machine and shows the page that stages incidents."""

    store: sa.Engine
    scenario: Scenario
    log: LogAddress | None = None
    path: Path | None = None  # of the scenario's file
    lateness_ms: int = Settings.lateness_ms
    data: Path | None = None
    checkpoint: Path | None = None
    demo: bool = False
    truth: DemoTruth | None = None
    secure: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(32))
    now_ms: Callable[[], int] = clock.now_ms
    has_other_sites: bool = False  # in its store, which its pages can show too
    log_of: Callable[[Site], LogAddress | None] = lambda _site: None  # where the recording of another one is

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.scenario.timezone)


def area_title(context: Context, name: str) -> str:
    """What people call an area; its name if the plan no longer has it."""
    return next((area.title for area in context.scenario.plan.areas if area.name == name), name)


def subject_name(context: Context, subject: str) -> str:
    """What the catalog calls an item or a person and the plan an area; else the subject itself."""
    return _names(context.scenario).get(subject) or area_title(context, subject)


MOST_SITES = 64  # that are looked at together, until what was read of them is read anew
_named: dict[int, tuple[Scenario, dict[str, str]]] = {}


def _names(place: Scenario) -> dict[str, str]:
    """Read once: a catalog has thousands of rows."""
    kept = _named.get(id(place))
    if kept is None or kept[0] is not place:
        if len(_named) >= MOST_SITES:
            _named.clear()
        kept = _named[id(place)] = (place, _read_names(place))
    return kept[1]


def _read_names(place: Scenario) -> dict[str, str]:
    columns = [name for name in ("id", "kind", "patient", "name") if name in place.items.column_names]
    if "name" not in columns:
        return {}
    rows = [row for row in place.items.select(columns).to_pylist() if row["name"]]
    named = {str(row["id"]): f"{row['name']} ({row['id']})" for row in rows}
    patients = {str(row["patient"]): str(row["name"]) for row in rows if row.get("kind") == "patient"}
    persons = {str(row["id"]): str(row["name"]) for row in rows if row.get("kind") == "person"}
    return named | patients | persons


def reader_name(context: Context, name: str) -> str:
    """A reader by the area that it listens to, with its own name where the area has several."""
    found = [one for one in context.scenario.plan.readers if one.name == name]
    if not found:
        return name
    alone = sum(one.area == found[0].area for one in context.scenario.plan.readers) == 1
    title = area_title(context, found[0].area)
    return title if alone else f"{title} ({name})"


_set: list[Context] = []


def set_context(context: Context) -> None:
    """Streamlit runs the pages as scripts, so what they show is set once per process and not passed in."""
    _set[:] = [context]


def home_context() -> Context:
    """The place that the pages were started for."""
    if not _set:
        raise LookupError("no place to show: start the dashboard with `vigil dashboard SCENARIO`")
    return _set[0]


_shown: ContextVar[Context | None] = ContextVar("shown", default=None)


@contextmanager
def showing(context: Context) -> Iterator[None]:
    """What runs within this is about that place: pages of several sites run in one process."""
    before = _shown.set(context)
    try:
        yield
    finally:
        _shown.reset(before)


def current_context() -> Context:
    return _shown.get() or home_context()

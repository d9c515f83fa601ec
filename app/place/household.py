"""The people of a home: how long they stay where, how well sensors know them, what a display says to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from app.place.columns_read import OF_PEOPLE
from app.place.floor_plan import OUTSIDE, FloorPlan
from detectors.document import Entry, Section

PERSON = "person"  # the kind of a row of the catalog that stands for somebody
EVERYBODY = "everybody"
_RATES = ("badges", "next_door", "ghosts", "camera", "doorways", "strangers", "above", "below")


@dataclass(frozen=True, slots=True)
class DisplayMessage:
    """What is meant for somebody: a person's id, a role, or everybody."""

    to: str
    say: str


@dataclass(frozen=True, slots=True)
class RoomDisplay:
    """A display in a room shows what is meant for those who are there, once that is so sure."""

    area: str
    sure: float
    messages: tuple[DisplayMessage, ...]


@dataclass(frozen=True, slots=True)
class Household:
    """Shares are from 0 to 1; `stays` by kind of room, and outside."""

    stays: Mapping[str, str]
    badges: float = 0.3  # of the polls in its own room that a badge answers
    next_door: float = 0.03  # of the polls in the room next door
    ghosts: float = 0.0005  # of the polls anywhere else
    camera: float = 0.9  # of those in view whom a camera sees
    doorways: float = 0.9  # of the moves that motion sensors between rooms see
    strangers: float = 0.1  # of the moves that are nobody's of the household
    above: float = 0.9  # how likely somebody must be in a room to be told to have entered
    below: float = 0.1  # and how unlikely, to have left
    display: RoomDisplay | None = None


def parse(section: Section, plan: FloorPlan, items: pa.Table) -> Household:
    section.only("stays", "display", *_RATES)
    if not plan.moves:
        section.fault("people are followed from room to room: the plan must say in 'moves' which adjoin")
    usual = Household({})
    rates = {name: entry.number(0, 1) for name in _RATES if (entry := section.get(name)) is not None}
    if rates.get("below", usual.below) > rates.get("above", usual.above):
        section.fault("'below' must not be above 'above'")
    _check_people(section, items)
    shown = section.get("display")
    return Household(
        stays=dict(_stays(section, plan)),
        display=_display(shown.section(), plan, items) if shown else None,
        **rates,
    )


def people(items: pa.Table) -> list[dict[str, Any]]:
    """The rows of the catalog that stand for people, each with its number."""
    rows = enumerate(items.to_pylist())
    return [{**row, "row": number} for number, row in rows if row.get("kind") == PERSON]


def _stays(section: Section, plan: FloorPlan) -> Iterator[tuple[str, str]]:
    kinds = {area.kind for area in plan.areas} | {OUTSIDE}
    given = dict(section.section("stays").items())
    for kind, entry in given.items():
        if kind not in kinds:
            entry.fault(f"no room is of the kind {kind!r}")
        elif not entry.duration():
            entry.fault("how long somebody stays is longer than nothing")
    for kind in sorted(kinds):
        if kind not in given:
            section.fault(f"'stays' does not say how long somebody typically stays in: {kind}")
        else:
            yield kind, given[kind].text()


def _check_people(section: Section, items: pa.Table) -> None:
    if not people(items):
        section.fault(f"nobody lives here: no row of the catalog has the kind {PERSON!r}")
    for column in sorted(OF_PEOPLE & set(items.column_names)):
        section.fault(f"column {column!r} of the catalog: that name belongs to what people do; rename it")


def _display(section: Section, plan: FloorPlan, items: pa.Table) -> RoomDisplay:
    section.only("area", "sure", "messages")
    known = [EVERYBODY, *(str(one[key]) for one in people(items) for key in ("id", "role") if one.get(key))]
    sure = section.get("sure")
    return RoomDisplay(
        section.need("area").choice([area.name for area in plan.areas]),
        sure.number(0.5, 1) if sure else 0.8,
        tuple(_message(entry, known) for entry in section.entries("messages")),
    )


def _message(entry: Entry, known: list[str]) -> DisplayMessage:
    fields = entry.section().only("to", "say")
    return DisplayMessage(fields.need("to").choice(list(dict.fromkeys(known))), fields.text("say"))

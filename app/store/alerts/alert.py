"""Alerts as data: what one holds, and reading one back with its history."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import sqlalchemy as sa

from app.store import schema
from app.store.alerts import confidence
from app.store.alerts.incidents import IncidentTie

STATES = ("new", "taken", "resolved")


@dataclass(frozen=True)
class Seen:
    """A component event of an alert; `app.log.by_time` finds the raw readings."""

    variable: str
    event: str
    at_ms: int
    area: str
    reader: str
    attributes: dict[str, Any]


@dataclass(frozen=True)
class ExpectedReader:
    """A reader that would have seen the absent event, and for how long it was silent meanwhile."""

    reader: str
    alive: bool
    silent_ms: int


@dataclass(frozen=True)
class Absence:
    """The time in which an event was expected and did not come."""

    variable: str
    event: str
    from_ms: int
    until_ms: int
    readers: tuple[ExpectedReader, ...]


@dataclass(frozen=True)
class Clause:
    """One condition of the query as it was met by this alert's events."""

    text: str
    holds: bool
    variables: tuple[str, ...]


@dataclass(frozen=True)
class Evidence:
    query: str
    parameters: dict[str, Any]
    events: tuple[Seen, ...]
    absent: tuple[Absence, ...] = ()
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True)
class Alert:
    """One alert; the fields from `state` on are its life and change, the others are what was detected."""

    id: str
    scenario: str
    detector: str
    version: str
    severity: str
    title: str
    subject: str
    area: str
    started_ms: int
    occurred_ms: int
    detected_ms: int
    explanation: str
    advice: str
    evidence: Evidence
    ties: tuple[IncidentTie, ...] = ()
    unproven: bool = False
    probability: float | None = None
    incident: str = ""
    stored_ms: int = 0
    state: str = "new"
    owner: str | None = None
    resolution: str | None = None
    reason: str | None = None
    snoozed_until_ms: int | None = None
    change: int = 0

    @property
    def doubt(self) -> str:
        """`96% sure`, or nothing."""
        return confidence.in_words(self.probability)

    @property
    def told(self) -> str:
        """The explanation with the doubt before it."""
        return f"{self.doubt}: {self.explanation}" if self.doubt else self.explanation


@dataclass(frozen=True)
class Step:
    """One line of an alert's history."""

    alert: str
    at_ms: int
    actor: str
    action: str
    detail: dict[str, Any] = field(default_factory=dict)


def find_alert(engine: sa.Engine, alert_id: str) -> Alert | None:
    with engine.connect() as connection:
        row = connection.execute(sa.select(*columns()).where(schema.alerts.c.id == alert_id)).first()
    return None if row is None else from_row(row)


def alert_history(engine: sa.Engine, alert_id: str) -> list[Step]:
    """Everything that happened to the alert, oldest first."""
    table = schema.history
    query = sa.select(*(table.c[f.name] for f in fields(Step))).where(table.c.alert == alert_id)
    with engine.connect() as connection:
        return [Step(*row) for row in connection.execute(query.order_by(table.c.number))]


def searchable(known: str, *added: object) -> str:
    """The words by which an alert is found, with those that have come: case-folded, each once."""
    fresh = (str(one).casefold() for one in added if one)
    return " ".join([known, *(one for one in dict.fromkeys(fresh) if one not in known)]).strip()


def columns() -> list[sa.Column[Any]]:
    """The table's columns in the order of Alert's fields."""
    return [schema.alerts.c[f.name] for f in fields(Alert)]


def from_row(row: sa.Row[Any]) -> Alert:
    """Whatever else the row says."""
    values = {column.name: row._mapping[column.name] for column in columns()}
    ties = tuple(IncidentTie(**one) for one in values["ties"])
    return Alert(**(values | {"evidence": _evidence(values["evidence"]), "ties": ties}))


def _evidence(kept: dict[str, Any]) -> Evidence:
    return Evidence(
        query=kept["query"],
        parameters=kept["parameters"],
        events=tuple(Seen(**seen) for seen in kept["events"]),
        absent=tuple(_absence(absent) for absent in kept["absent"]),
        clauses=tuple(
            Clause(**(clause | {"variables": tuple(clause["variables"])})) for clause in kept["clauses"]
        ),
    )


def _absence(kept: dict[str, Any]) -> Absence:
    return Absence(**(kept | {"readers": tuple(ExpectedReader(**reader) for reader in kept["readers"])}))

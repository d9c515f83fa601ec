"""Alerts as data: what one holds, recording them exactly once, and reading one back with its history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import sqlalchemy as sa

from app.mqtt import topics
from app.store import confidence, schema
from app.store.counters import add_to
from app.store.database import writing
from app.store.outbox import enqueue

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
    unproven: bool = False
    probability: float | None = None
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


def record_alerts(engine: sa.Engine, alerts: Sequence[Alert], now_ms: int) -> int:
    """Keep the alerts not yet known, queue them for MQTT, say how many. Repeating it changes nothing."""
    if not alerts:
        return 0
    with writing(engine) as connection:
        return record_alerts_in(connection, alerts, now_ms)


def record_alerts_in(connection: sa.Connection, alerts: Sequence[Alert], now_ms: int) -> int:
    """The same inside a transaction of the caller's."""
    fresh = _unknown(connection, alerts)
    if fresh:
        last = add_to(connection, "change", len(fresh))
        rows = [_row(alert, last - len(fresh) + 1 + i, now_ms) for i, alert in enumerate(fresh)]
        connection.execute(sa.insert(schema.alerts), rows)
        connection.execute(sa.insert(schema.history), [_raised(alert, now_ms) for alert in fresh])
        enqueue(
            connection,
            [(f"{topics.ALERTS}/{alert.severity}", _message(alert, now_ms)) for alert in fresh],
            now_ms,
        )
    return len(fresh)


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


def columns() -> list[sa.Column[Any]]:
    """The table's columns in the order of Alert's fields."""
    return [schema.alerts.c[f.name] for f in fields(Alert)]


def from_row(row: sa.Row[Any]) -> Alert:
    values = dict(row._mapping)
    return Alert(**(values | {"evidence": _evidence(values["evidence"])}))


def _unknown(connection: sa.Connection, alerts: Sequence[Alert]) -> list[Alert]:
    by_id = {alert.id: alert for alert in alerts}
    query = sa.select(schema.alerts.c.id).where(schema.alerts.c.id.in_(list(by_id)))
    known = set(connection.execute(query).scalars())
    return [alert for alert in by_id.values() if alert.id not in known]


def _row(alert: Alert, change: int, now_ms: int) -> dict[str, Any]:
    words = " ".join((alert.title, alert.subject, alert.area, alert.explanation)).casefold()
    return asdict(alert) | {"change": change, "stored_ms": now_ms, "words": words}


def _raised(alert: Alert, now_ms: int) -> dict[str, Any]:
    return asdict(Step(alert.id, now_ms, "pipeline", "raised"))


def _message(alert: Alert, now_ms: int) -> str:
    return json.dumps(asdict(alert) | {"stored_ms": now_ms, "told": alert.told}, ensure_ascii=False)


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

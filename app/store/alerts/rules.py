"""What Vigil itself does with open alerts: closes what has put itself right, withdraws what is refuted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

import sqlalchemy as sa

from app.mqtt import topics
from app.store import schema
from app.store.alerts.alert import Alert, Step, columns, from_row
from app.store.alerts.incidents import OPEN
from app.store.counters import add_to
from app.store.database import in_parts, writing
from app.store.outbox import enqueue

ITSELF = "pipeline"  # as history names it
PUT_RIGHT, WITHDRAWN = "put right", "withdrawn"


def close_by_rule(engine: sa.Engine, alerts: Sequence[str], reason: str, now_ms: int) -> list[str]:
    """Resolve those of the alerts that are still open as put right; which."""
    return _close(engine, alerts, ("resolved", PUT_RIGHT, reason), now_ms)


def withdraw(engine: sa.Engine, alerts: Sequence[str], reason: str, now_ms: int) -> list[str]:
    """Take back those of the alerts that are still open: what is known now refutes them; which."""
    return _close(engine, alerts, (WITHDRAWN, WITHDRAWN, reason), now_ms)


def remark(engine: sa.Engine, alerts: Sequence[str], text: str, now_ms: int) -> None:
    """A line in the history of each that has none like it yet."""
    table = schema.history
    with writing(engine) as connection:
        query = sa.select(table.c.alert).where(table.c.actor == ITSELF, table.c.action == "noted")
        known = {row.alert for row in in_parts(connection, query, table.c.alert, list(alerts))}
        steps = [
            Step(alert, now_ms, ITSELF, "noted", {"text": text}) for alert in alerts if alert not in known
        ]
        if steps:
            connection.execute(sa.insert(table), [asdict(step) for step in steps])


def open_of(engine: sa.Engine, detector: str) -> list[Alert]:
    """The open alerts of a detector."""
    table = schema.alerts
    query = sa.select(*columns()).where(table.c.detector == detector, table.c.state.in_(OPEN))
    with engine.connect() as connection:
        return [from_row(row) for row in connection.execute(query)]


def open_about(engine: sa.Engine, detector: str, subjects: Sequence[str]) -> list[Alert]:
    """The open alerts of a detector about one of these."""
    table = schema.alerts
    query = sa.select(*columns()).where(table.c.detector == detector, table.c.state.in_(OPEN))
    with engine.connect() as connection:
        return [from_row(row) for row in in_parts(connection, query, table.c.subject, list(subjects))]


def _close(engine: sa.Engine, alerts: Sequence[str], how: tuple[str, str, str], now_ms: int) -> list[str]:
    action, resolution, reason = how
    table = schema.alerts
    values = {"state": "resolved", "resolution": resolution, "reason": reason, "snoozed_until_ms": None}
    with writing(engine) as connection:
        query = sa.select(table.c.id).where(table.c.state.in_(OPEN)).with_for_update()
        found = [row.id for row in in_parts(connection, query, table.c.id, list(alerts))]
        for alert in found:
            change = add_to(connection, "change", 1)
            connection.execute(
                sa.update(table).where(table.c.id == alert).values(values | {"change": change})
            )
            step = Step(alert, now_ms, ITSELF, action, {"resolution": resolution, "reason": reason})
            connection.execute(sa.insert(schema.history).values(asdict(step)))
            told = {"id": alert, "change": change, **values}
            enqueue(connection, [(topics.CHANGED, json.dumps(told, ensure_ascii=False))], now_ms)
    return found

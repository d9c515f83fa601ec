"""Raising alerts: each is kept exactly once, joins its incident, and goes out, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy as sa

from app.mqtt import topics
from app.store import schema
from app.store.alerts.alert import Alert, Step, searchable
from app.store.alerts.incident_search import AlertIncident, with_members
from app.store.alerts.incidents import join_incidents
from app.store.counters import add_to
from app.store.database import in_parts, writing
from app.store.outbox import enqueue


def record_alerts(engine: sa.Engine, alerts: Sequence[Alert], now_ms: int) -> int:
    """Keep the alerts not yet known, queue them for MQTT, say how many. Repeating it changes nothing."""
    if not alerts:
        return 0
    with writing(engine) as connection:
        return _raise(connection, alerts, now_ms)


def _raise(connection: sa.Connection, alerts: Sequence[Alert], now_ms: int) -> int:
    unknown = _unknown(connection, alerts)
    if not unknown:
        return 0
    incidents = join_incidents(connection, unknown)
    fresh = [replace(alert, incident=incidents[alert.id], stored_ms=now_ms) for alert in unknown]
    last = add_to(connection, "change", len(fresh))
    rows = [_row(alert, last - len(fresh) + 1 + i) for i, alert in enumerate(fresh)]
    connection.execute(sa.insert(schema.alerts), rows)
    connection.execute(sa.insert(schema.history), [_raised(alert, now_ms) for alert in fresh])
    grown = with_members(connection, sorted(set(incidents.values())))
    enqueue(connection, [*map(_alert_message, fresh), *map(_incident_message, grown)], now_ms)
    return len(fresh)


def _unknown(connection: sa.Connection, alerts: Sequence[Alert]) -> list[Alert]:
    by_id = {alert.id: alert for alert in alerts}
    query, column = sa.select(schema.alerts.c.id), schema.alerts.c.id
    known = {row.id for row in in_parts(connection, query, column, list(by_id))}
    return [alert for alert in by_id.values() if alert.id not in known]


def _row(alert: Alert, change: int) -> dict[str, Any]:
    words = searchable("", alert.title, alert.subject, alert.area, alert.explanation)
    return asdict(alert) | {"change": change, "words": words}


def _raised(alert: Alert, now_ms: int) -> dict[str, Any]:
    return asdict(Step(alert.id, now_ms, "pipeline", "raised"))


def _alert_message(alert: Alert) -> tuple[str, str]:
    """What only the store needs does not go out."""
    told = {name: value for name, value in asdict(alert).items() if name != "ties"} | {"told": alert.told}
    return f"{topics.ALERTS}/{alert.severity}", json.dumps(told, ensure_ascii=False)


def _incident_message(incident: AlertIncident) -> tuple[str, str]:
    """One that grows: each time with the same id and all that belongs to it by now."""
    members = incident.members
    told = {
        "id": incident.id,
        "scenario": members[0].scenario,
        "severity": incident.severity,
        "started_ms": min(alert.started_ms for alert in members),
        "occurred_ms": max(alert.occurred_ms for alert in members),
        "alerts": [alert.id for alert in members],
        "titles": list(dict.fromkeys(alert.title for alert in members)),
        "subjects": list(dict.fromkeys(alert.subject for alert in members)),
        "areas": list(dict.fromkeys(alert.area for alert in members if alert.area)),
        "value": incident.value,
    }
    return f"{topics.INCIDENTS}/{incident.severity}", json.dumps(told, ensure_ascii=False)

"""Forgetting on purpose: what is older than its time to live is deleted; open alerts stay."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.database import writing

DAY_MS = 86_400_000


@dataclass(frozen=True)
class Retention:
    """Days to keep; alerts count from when they were stored and only once they are resolved."""

    alerts_days: float = 365
    moves_days: float = 2
    metrics_days: float = 7
    aside_days: float = 30


def apply_retention(engine: sa.Engine, keep: Retention, now_ms: int) -> dict[str, int]:
    """Delete what is too old; how many rows of each table went."""
    with writing(engine) as connection:
        return {
            table.name: connection.execute(sa.delete(table).where(condition)).rowcount
            for table, condition in _too_old(keep, now_ms)
        }


def _too_old(keep: Retention, now_ms: int) -> list[tuple[sa.Table, sa.ColumnElement[bool]]]:
    def before(days: float) -> int:
        return int(now_ms - days * DAY_MS)

    alerts, silences, outbox = schema.alerts, schema.silences, schema.outbox
    resolved = sa.and_(alerts.c.state == "resolved", alerts.c.stored_ms < before(keep.alerts_days))
    return [
        (alerts, resolved),
        (schema.incident_ties, schema.incident_ties.c.at_ms < before(keep.metrics_days)),
        (schema.moves, schema.moves.c.at_ms < before(keep.moves_days)),
        (schema.positions, schema.positions.c.at_ms < before(keep.moves_days)),
        (schema.metrics, schema.metrics.c.at_ms < before(keep.metrics_days)),
        (silences, silences.c.until_ms < before(keep.metrics_days)),
        (schema.held_readings, schema.held_readings.c.until_ms < before(keep.aside_days)),
        (schema.set_aside, schema.set_aside.c.at_ms < before(keep.aside_days)),
        (outbox, outbox.c.sent_ms < before(keep.metrics_days)),
    ]

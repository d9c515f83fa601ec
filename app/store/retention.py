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
    silences_days: float = 15  # alerts may rest on what was absent in the week before them
    aside_days: float = 30


def apply_retention(
    engine: sa.Engine, keep: Retention, now_ms: int, event_ms: int | None = None
) -> dict[str, int]:
    """Delete what is too old; how many rows of each table went. What readers tell is dated by `event_ms`,
    where their time is not that of the day."""
    with writing(engine) as connection:
        return {
            table.name: connection.execute(sa.delete(table).where(condition)).rowcount
            for table, condition in [
                *_too_old(keep, now_ms),
                *_too_old_events(keep, now_ms if event_ms is None else event_ms),
            ]
        }


def _too_old(keep: Retention, now_ms: int) -> list[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """What Vigil itself has dated."""
    alerts, metrics, outbox = schema.alerts, schema.metrics, schema.outbox
    resolved = sa.and_(alerts.c.state == "resolved", alerts.c.stored_ms < _before(keep.alerts_days, now_ms))
    return [
        (alerts, resolved),
        (metrics, metrics.c.at_ms < _before(keep.metrics_days, now_ms)),
        (outbox, outbox.c.sent_ms < _before(keep.metrics_days, now_ms)),
    ]


def _too_old_events(keep: Retention, now_ms: int) -> list[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """What has the readers' time."""
    moves, positions, silences = schema.moves, schema.positions, schema.silences
    held, aside = schema.held_readings, schema.set_aside
    return [
        (moves, moves.c.at_ms < _before(keep.moves_days, now_ms)),
        (positions, positions.c.at_ms < _before(keep.moves_days, now_ms)),
        (silences, silences.c.until_ms < _before(keep.silences_days, now_ms)),
        (held, held.c.until_ms < _before(keep.aside_days, now_ms)),
        (aside, aside.c.at_ms < _before(keep.aside_days, now_ms)),
    ]


def _before(days: float, now_ms: int) -> int:
    return int(now_ms - days * DAY_MS)

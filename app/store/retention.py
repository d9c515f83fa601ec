"""Forgetting on purpose: what is older than its time to live is deleted; open alerts stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.database import writing
from app.store.health import VIGIL

DAY_MS, HOUR_MS = 86_400_000, 3_600_000
# A file of which more than this is empty is written anew, if it is worth it.
EMPTY_SHARE, WORTH_BYTES = 0.3, 16 << 20


@dataclass(frozen=True)
class Retention:
    """Days to keep; alerts count from when they were stored and only once they are resolved."""

    alerts_days: float = 365
    moves_days: float = 2
    metrics_days: float = 7
    aside_rows: int = 20_000  # of each kind
    unknown_days: float = 7  # a reader that no plan knows and nobody hears
    silences_days: float = 15  # alerts may rest on what was absent in the week before them
    aside_days: float = 30


def apply_retention(
    engine: sa.Engine, keep: Retention, now_ms: int, event_ms: int | None = None
) -> dict[str, int]:
    """Delete what is too old; how many rows of each table went. What readers tell is dated by `event_ms`,
    where their time is not that of the day."""
    with writing(engine) as connection:
        gone: Counter[str] = Counter()
        for table, condition in [
            *_too_old(keep, now_ms),
            *_too_old_events(keep, now_ms if event_ms is None else event_ms),
            *_too_many(connection, keep),
            *_too_fine(now_ms),
        ]:
            gone[table.name] += connection.execute(sa.delete(table).where(condition)).rowcount
        return dict(gone)


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
    held, aside, readers = schema.held_readings, schema.set_aside, schema.readers
    ties = schema.incident_ties
    unheard = sa.func.coalesce(readers.c.last_seen_ms, 0) < _before(keep.unknown_days, now_ms)
    known = silences.c.reader.in_(sa.select(readers.c.reader))
    gone = sa.and_(silences.c.reader != VIGIL, silences.c.until_ms.is_(None), sa.not_(known))
    return [
        (ties, ties.c.at_ms < _before(keep.moves_days, now_ms)),
        (moves, moves.c.at_ms < _before(keep.moves_days, now_ms)),
        (positions, positions.c.at_ms < _before(keep.moves_days, now_ms)),
        (silences, silences.c.until_ms < _before(keep.silences_days, now_ms)),
        (held, held.c.until_ms < _before(keep.aside_days, now_ms)),
        (aside, aside.c.at_ms < _before(keep.aside_days, now_ms)),
        (readers, sa.and_(readers.c.area == "", unheard)),
        (silences, gone),
    ]


def _too_many(
    connection: sa.Connection, keep: Retention
) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Of what was set aside the newest are enough: anybody who may publish can bring more about."""
    aside = schema.set_aside
    for kind in connection.execute(sa.select(aside.c.kind).distinct()).scalars().all():
        newest = sa.select(aside.c.at_ms).where(aside.c.kind == kind).order_by(aside.c.at_ms.desc())
        limit = connection.execute(newest.offset(keep.aside_rows).limit(1)).scalar()
        if limit is not None:
            yield aside, sa.and_(aside.c.kind == kind, aside.c.at_ms <= limit)


def _too_fine(now_ms: int) -> Iterator[tuple[sa.Table, sa.ColumnElement[bool]]]:
    """Of figures older than an hour one a minute is kept, of those older than a day one in ten minutes."""
    metrics = schema.metrics
    for age_ms, step_ms in ((HOUR_MS, 60_000), (DAY_MS, 600_000)):
        old = metrics.c.at_ms < now_ms - age_ms
        last = sa.select(sa.func.max(metrics.c.at_ms)).where(old)
        kept = last.group_by(metrics.c.name, metrics.c.at_ms // step_ms)
        yield metrics, sa.and_(old, metrics.c.at_ms.not_in(kept))


def _before(days: float, now_ms: int) -> int:
    return int(now_ms - days * DAY_MS)


def compact(engine: sa.Engine) -> bool:
    """Give back the room of what was deleted, which a file does not do by itself; whether it was worth it."""
    if engine.dialect.name != "sqlite":
        return False
    with engine.connect() as connection:
        pages, free, size = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for name in ("page_count", "freelist_count", "page_size")
        )
    if free * size < WORTH_BYTES or free < EMPTY_SHARE * pages:
        return False
    with engine.connect() as connection:
        connection.connection.driver_connection.execute("VACUUM")  # type: ignore[union-attr]
    return True

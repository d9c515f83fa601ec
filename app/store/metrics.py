"""Metrics as series of points, and the rows that were set aside (late, unreadable) to look into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.counters import add_to
from app.store.database import insert_new, upsert, writing


@dataclass(frozen=True)
class Point:
    at_ms: int
    value: float


@dataclass(frozen=True)
class Aside:
    """A row that was not matched: `kind` is `late` or `dead` (could not be read)."""

    id: str
    kind: str
    at_ms: int
    origin: str
    reason: str
    payload: str


def record_metrics(engine: sa.Engine, values: Mapping[str, float], now_ms: int) -> None:
    rows = [{"name": name, "at_ms": now_ms, "value": float(value)} for name, value in values.items()]
    with writing(engine) as connection:
        upsert(connection, schema.metrics, rows)


def series(engine: sa.Engine, name: str, from_ms: int, until_ms: int | None = None) -> list[Point]:
    table = schema.metrics
    query = sa.select(table.c.at_ms, table.c.value).where(table.c.name == name, table.c.at_ms >= from_ms)
    if until_ms is not None:
        query = query.where(table.c.at_ms <= until_ms)
    with engine.connect() as connection:
        return [Point(*row) for row in connection.execute(query.order_by(table.c.at_ms))]


def latest(engine: sa.Engine) -> dict[str, Point]:
    """The newest point of every series."""
    table = schema.metrics
    newest = (
        sa.select(table.c.name, sa.func.max(table.c.at_ms).label("at_ms")).group_by(table.c.name).subquery()
    )
    same = sa.and_(table.c.name == newest.c.name, table.c.at_ms == newest.c.at_ms)
    query = sa.select(table.c.name, table.c.at_ms, table.c.value).join(newest, same)
    with engine.connect() as connection:
        return {name: Point(at, value) for name, at, value in connection.execute(query)}


def record_aside(engine: sa.Engine, rows: Sequence[Aside]) -> None:
    """Keep rows set aside and count those not yet known."""
    with writing(engine) as connection:
        table = schema.set_aside
        known = sa.select(table.c.id).where(table.c.id.in_([row.id for row in rows]))
        before = set(connection.execute(known).scalars())
        fresh = {row.id: row for row in rows if row.id not in before}
        insert_new(connection, table, [asdict(row) for row in fresh.values()])
        for kind in {row.kind for row in fresh.values()}:
            add_to(connection, kind, sum(row.kind == kind for row in fresh.values()))


def list_aside(engine: sa.Engine, kind: str, limit: int = 100, offset: int = 0) -> list[Aside]:
    """Rows of one kind, newest first."""
    table = schema.set_aside
    query = sa.select(table).where(table.c.kind == kind).order_by(table.c.at_ms.desc(), table.c.id)
    with engine.connect() as connection:
        return [Aside(*row) for row in connection.execute(query.limit(limit).offset(offset))]

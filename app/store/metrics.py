"""Metrics as series of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.database import upsert, writing


@dataclass(frozen=True)
class Point:
    at_ms: int
    value: float


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

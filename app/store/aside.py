"""Rows that were set aside (late, unreadable), to look into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.counters import add_to
from app.store.database import in_parts, insert_new, writing


@dataclass(frozen=True)
class Aside:
    """A row that was not matched: `kind` is `late`, `dead` (could not be read) or
    `unsent` (no broker takes it)."""

    id: str
    kind: str
    at_ms: int
    origin: str
    reason: str
    payload: str


def record_aside(engine: sa.Engine, rows: Sequence[Aside]) -> None:
    """Keep rows set aside and count those not yet known."""
    with writing(engine) as connection:
        table = schema.set_aside
        known = in_parts(connection, sa.select(table.c.id), table.c.id, [row.id for row in rows])
        before = {row.id for row in known}
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

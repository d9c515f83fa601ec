"""Totals that grow: readings, late and unreadable rows, and the number of the last change."""

from __future__ import annotations

import sqlalchemy as sa

from app.store import schema
from app.store.database import insert_new


def add_to(connection: sa.Connection, name: str, amount: int) -> int:
    """Add and give the new total. The row stays locked until commit, so that totals are seen in order."""
    table = schema.counters
    insert_new(connection, table, [{"name": name, "value": 0}])
    raised = sa.update(table).where(table.c.name == name).values(value=table.c.value + amount)
    return int(connection.execute(raised.returning(table.c.value)).scalar_one())


def set_to(connection: sa.Connection, name: str, value: int) -> None:
    table = schema.counters
    insert_new(connection, table, [{"name": name, "value": value}])
    connection.execute(sa.update(table).where(table.c.name == name).values(value=value))


def totals(engine: sa.Engine) -> dict[str, int]:
    """Every counter by name: `late`, `dropped`, `dead`, `readings`, `change`, …"""
    with engine.connect() as connection:
        return dict(connection.execute(sa.select(*schema.told(schema.counters))).all())

"""Messages to publish: written in the transaction that causes them, marked once a broker has them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.database import writing


@dataclass(frozen=True)
class OutboxMessage:
    number: int
    topic: str
    payload: str


def enqueue(connection: sa.Connection, messages: Iterable[tuple[str, str]], now_ms: int) -> None:
    """Queue (topic, payload) pairs in the caller's transaction."""
    rows = [{"topic": topic, "payload": payload, "created_ms": now_ms} for topic, payload in messages]
    connection.execute(sa.insert(schema.outbox), rows)


def unsent(engine: sa.Engine, limit: int = 500) -> list[OutboxMessage]:
    """The oldest messages that no broker has acknowledged yet."""
    table = schema.outbox
    query = sa.select(table.c.number, table.c.topic, table.c.payload).where(table.c.sent_ms.is_(None))
    with engine.connect() as connection:
        return [
            OutboxMessage(*row) for row in connection.execute(query.order_by(table.c.number).limit(limit))
        ]


def mark_sent(engine: sa.Engine, numbers: Sequence[int], now_ms: int) -> None:
    table = schema.outbox
    with writing(engine) as connection:
        connection.execute(sa.update(table).where(table.c.number.in_(numbers)).values(sent_ms=now_ms))

"""Where items are: each one as last seen, and the moves between areas that a replay on the map shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from app.store import schema
from app.store.database import in_parts, insert_new, upsert

_last = schema.positions
_moves = schema.moves


@dataclass(frozen=True)
class Position:
    tag: str
    item: str
    area: str
    reader: str
    at_ms: int


@dataclass(frozen=True)
class ItemMove:
    """An item has come into another area."""

    tag: str
    at_ms: int
    area: str
    reader: str


def record_positions(connection: sa.Connection, seen: Sequence[Position]) -> None:
    """Keep where tags were seen, in order of time; a tag in another area than before has moved. What is older
    than what is known changes nothing."""
    known = _last_known(connection, [position.tag for position in seen])
    moved, last = [], {}
    for position in seen:
        area, at_ms = known.get(position.tag, (None, 0))
        if position.at_ms < at_ms:
            continue
        if area != position.area:
            moved.append(asdict(ItemMove(position.tag, position.at_ms, position.area, position.reader)))
        known[position.tag] = (position.area, position.at_ms)
        last[position.tag] = position
    insert_new(connection, _moves, moved)
    upsert(connection, _last, [asdict(position) for position in last.values()])


def positions(engine: sa.Engine, since_ms: int = 0, limit: int = 5000) -> list[Position]:
    """Items as last seen, the latest first; `since_ms` makes polling cheap."""
    query = (
        sa.select(*schema.told(_last))
        .where(_last.c.at_ms > since_ms)
        .order_by(_last.c.at_ms.desc())
        .limit(limit)
    )
    with engine.connect() as connection:
        return [Position(*row) for row in connection.execute(query)]


def find_position(engine: sa.Engine, tag: str) -> Position | None:
    with engine.connect() as connection:
        row = connection.execute(sa.select(*schema.told(_last)).where(_last.c.tag == tag)).first()
    return None if row is None else Position(*row)


def trail(engine: sa.Engine, from_ms: int, until_ms: int, limit: int = 20_000) -> list[ItemMove]:
    """The moves of some time in order, for the slider."""
    meanwhile = (_moves.c.at_ms >= from_ms, _moves.c.at_ms <= until_ms)
    query = (
        sa.select(*schema.told(_moves)).where(*meanwhile).order_by(_moves.c.at_ms, _moves.c.tag).limit(limit)
    )
    with engine.connect() as connection:
        return [ItemMove(*row) for row in connection.execute(query)]


def way(engine: sa.Engine, tag: str, from_ms: int, until_ms: int, limit: int = 1000) -> list[ItemMove]:
    """The moves of one tag in order, and first the one that brought it where it was at the beginning."""
    mine = sa.select(*schema.told(_moves)).where(_moves.c.tag == tag, _moves.c.at_ms <= until_ms)
    before = mine.where(_moves.c.at_ms < from_ms).order_by(_moves.c.at_ms.desc()).limit(1)
    since = mine.where(_moves.c.at_ms >= from_ms).order_by(_moves.c.at_ms.desc()).limit(limit)
    with engine.connect() as connection:
        rows = [*connection.execute(since), *connection.execute(before)]
    return [ItemMove(*row) for row in reversed(rows)]


def standing(engine: sa.Engine, at_ms: int, tags: Sequence[str]) -> list[ItemMove]:
    """Where these tags were at a moment: the last move of each before it."""
    latest = sa.select(_moves.c.tag, sa.func.max(_moves.c.at_ms).label("at_ms"))
    latest = latest.where(_moves.c.tag.in_(tags), _moves.c.at_ms <= at_ms).group_by(_moves.c.tag)
    last = latest.subquery()
    query = sa.select(*schema.told(_moves)).join(
        last, sa.and_(_moves.c.tag == last.c.tag, _moves.c.at_ms == last.c.at_ms)
    )
    with engine.connect() as connection:
        return [ItemMove(*row) for row in connection.execute(query)]


def _last_known(connection: sa.Connection, tags: Sequence[str]) -> dict[str, tuple[str | None, int]]:
    query = sa.select(_last.c.tag, _last.c.area, _last.c.at_ms)
    found = in_parts(connection, query, _last.c.tag, tags)
    return {row.tag: (row.area, row.at_ms) for row in found}

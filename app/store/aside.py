"""Rows that were set aside (late, unreadable), to look into."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import sqlalchemy as sa

from app.store import schema
from app.store.counters import add_to
from app.store.database import in_parts, insert_new, writing

MOST_AT_ONCE = 1_000


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
    """Keep rows set aside and count those not yet known. Of a great many at once the first are kept, the rest
    in one row that says how many there were: nobody looks at a million late readings one by one."""
    kept = _aggregated(list({row.id: row for row in rows}.values()))
    with writing(engine) as connection:
        table = schema.set_aside
        known = in_parts(connection, sa.select(table.c.id), table.c.id, [row.id for row, _ in kept])
        before = {row.id for row in known}
        fresh = [(row, count) for row, count in kept if row.id not in before]
        insert_new(connection, table, [asdict(row) for row, _ in fresh])
        for kind in {row.kind for row, _ in fresh}:
            add_to(connection, kind, sum(count for row, count in fresh if row.kind == kind))


def _aggregated(rows: Sequence[Aside]) -> list[tuple[Aside, int]]:
    """Each row that is kept, with how many it stands for; the same rows give the same."""
    by_kind: defaultdict[str, list[Aside]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    kept = [(row, 1) for some in by_kind.values() for row in some[:MOST_AT_ONCE]]
    return kept + [_together(some[MOST_AT_ONCE:]) for some in by_kind.values() if some[MOST_AT_ONCE:]]


def _together(rows: Sequence[Aside]) -> tuple[Aside, int]:
    name = hashlib.sha256("\0".join(row.id for row in rows).encode()).hexdigest()[:32]
    origins = Counter(row.origin for row in rows).most_common(5)
    shown = ", ".join(f"{origin} {count:,}" for origin, count in origins)
    last = rows[-1]
    whole = replace(last, id=name, origin=f"and {len(rows):,} more at once", payload=shown)
    return whole, len(rows)


def list_aside(engine: sa.Engine, kind: str, limit: int = 100, offset: int = 0) -> list[Aside]:
    """Rows of one kind, newest first."""
    table = schema.set_aside
    query = (
        sa.select(*schema.told(table)).where(table.c.kind == kind).order_by(table.c.at_ms.desc(), table.c.id)
    )
    with engine.connect() as connection:
        return [Aside(*row) for row in connection.execute(query.limit(limit).offset(offset))]

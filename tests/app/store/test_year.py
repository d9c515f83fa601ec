"""A year in the store, with a stubbed clock: it grows for as long as things are kept, and no longer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Absence, Alert, Aside, Evidence, Position, ReaderState, Retention, Silence, schema
from app.store.outbox import mark_sent, unsent
from app.store.retention import DAY_MS

START = 1_800_000_000_000
DAYS = [34, pytest.param(365, marks=pytest.mark.soak)]
# As a year keeps them, in the time of this test.
KEEP = Retention(alerts_days=12, aside_days=10, aside_rows=2_000)
STEP_MS = 1_800_000


def lived(engine: sa.Engine, day: int) -> None:
    """A day: figures, items that move, late and unreadable messages, alerts, readers that nobody knows."""
    began = START + day * DAY_MS
    for tick in range(0, DAY_MS, STEP_MS):
        stores.record_metrics(engine, {f"figure {n}": float(n) for n in range(7)}, began + tick)
    late = [Aside(f"{day}-{n}", "late", began + n, "shelf", "late", "{}") for n in range(2_500)]
    dead = [Aside(f"d{day}-{n}", "dead", began + n, "x", "no JSON", "?" * 4096) for n in range(200)]
    stores.record_aside(engine, [*late, *dead])
    names = [f"{day}-{n}" for n in range(20)]
    stores.record_alerts(engine, [_alert(name, began) for name in names], began)
    stores.close_by_rule(engine, names, "it went home", began + 1)
    mark_sent(engine, [message.number for message in unsent(engine)], began + 2)
    with stores.writing(engine) as connection:
        moved = [Position(f"tag {n % 500}", "item", f"a{n % 3}", "r", began + n) for n in range(2_000)]
        stores.record_positions(connection, moved)
        unknown = [ReaderState(name, "", last_seen_ms=began) for name in names]
        stores.record_readers(connection, [ReaderState("till", "till", last_seen_ms=began), *unknown])
        stores.record_silences(connection, [Silence(name, began, None) for name in names])
        stores.record_silences(connection, [Silence("till", began, began + 5)])


def _alert(name: str, at: int) -> Alert:
    absent = (Absence("y", "COUNTER-READING", at, at, ()),)
    words = ("shop", "misplaced", "1", "low", "Misplaced", name, "kids")
    return Alert(name, *words, at, at, at, "x" * 200, "y" * 200, Evidence("q" * 300, {}, (), absent))


def counts(engine: sa.Engine) -> dict[str, int]:
    with engine.connect() as connection:
        return {
            name: int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
            for name, table in schema.metadata.tables.items()
        }


def _hasty(connection: Any, _record: object) -> None:
    """What a crash would lose is no matter here."""
    connection.execute("PRAGMA synchronous = OFF")


@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("days", DAYS)
def test_a_store_grows_no_longer_than_it_keeps(tmp_path: Path, days: int) -> None:
    path = tmp_path / "store.db"
    engine = stores.open_store(f"sqlite:///{path}")
    sa.event.listen(engine, "connect", _hasty)
    engine.dispose()
    sizes, rows = list[int](), list[dict[str, int]]()
    for day in range(days):
        lived(engine, day)
        stores.apply_retention(engine, KEEP, START + (day + 1) * DAY_MS)
        stores.compact(engine)
        sizes.append(path.stat().st_size)
        rows.append(counts(engine))
    engine.dispose()
    settled = {name: count for name, count in rows[24].items() if count}
    assert {name: rows[-1][name] for name in settled} == pytest.approx(settled, rel=0.05, abs=30)
    assert sizes[-1] < 1.2 * max(sizes[20:28])
    assert rows[-1]["set_aside"] < 2 * (KEEP.aside_rows + 10)
    assert rows[-1]["readers"] <= 1 + 20 * 8

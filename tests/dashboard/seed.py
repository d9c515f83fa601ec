"""Fills a store as a running product would: alerts and their evidence, readers, items, metrics, accounts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import sqlalchemy as sa

import detectors
from app import store
from app.cleaning.placed import ELSEWHERE, LEFT_THE_PLACE, Placed
from app.log.row import Row, to_batch
from app.place import scenario
from app.place.scenario import Scenario
from app.store import (
    Absence,
    Actor,
    Alert,
    Clause,
    Evidence,
    ExpectedReader,
    Position,
    ReaderState,
    Seen,
    Switch,
)
from app.whereabouts import written
from app.whereabouts.written import WrittenWhereabouts

ADMIN, STAFF, VIEWER = Actor("ada", "admin"), Actor("stan", "staff"), Actor("vera", "viewer")
PASSWORD = "correct horse battery"
MINUTE = 60_000
# A Monday morning in Berlin; tests with a browser use the present instead.
NOW = 1_763_366_400_000
_ROOT = Path(__file__).parents[2]


@cache
def shop(name: str = "store") -> Scenario:
    return scenario.load(_ROOT / "scenarios" / f"{name}.yaml")


def whereabouts(
    checkpoint: Path,
    now_ms: int,
    *,
    learned: str = "",
    found: Sequence[str] = (),
    in_stock: Sequence[int] = (),
) -> None:
    """Item 0 is in the fitting room or on its shelf, 1 has gone out, 2 was never heard; all others are at
    home, but for those in stock."""
    place = shop()
    areas = [area.name for area in place.plan.areas]
    count = place.items.num_rows
    homes = np.array([areas.index(home) for home in place.items["home"].to_pylist()])
    chances = np.zeros((count, len(areas) + ELSEWHERE), np.float32)
    chances[np.arange(count), homes] = 1.0
    chances[0], chances[1], chances[2] = 0.0, 0.0, 0.0
    chances[0, [areas.index("fitting"), homes[0]]] = 0.7, 0.3
    chances[1, len(areas) + LEFT_THE_PLACE] = 1.0
    chances[list(in_stock)] = 0.0
    chances[list(in_stock), areas.index("stock")] = 1.0
    seen = np.full(count, now_ms - 5_000, np.int64)
    seen[2] = 0
    reader = [one.name for one in place.plan.readers].index("fitting-room")
    placed = Placed(chances, homes, seen - 30 * MINUTE, seen, np.full(count, reader, np.int64))
    checkpoint.mkdir(parents=True, exist_ok=True)
    began = now_ms - 5 * MINUTE
    known = WrittenWhereabouts(placed, now_ms, began, "", place.name, learned, tuple(found))
    written.write(checkpoint / written.FILE, known)


def accounts(engine: sa.Engine, now_ms: int) -> None:
    for actor in (ADMIN, STAFF, VIEWER):
        store.add_account(engine, ADMIN, actor.name, actor.role, PASSWORD, now_ms=now_ms)


def shoplifting(number: int, at_ms: int, **changes: object) -> Alert:
    """An alert as the pipeline stores it, about item `number` of the catalog."""
    place = shop()
    item = place.items.slice(number % place.items.num_rows, 1).to_pylist()[0]
    detector = detectors.load()["shoplifting"]
    shelf, leaving = at_ms - 4 * MINUTE, at_ms
    seen = (
        _seen("x", "SHELF-READING", shelf, item["home"], f"shelf-{item['home']}", item),
        _seen("z", "EXIT-READING", leaving, "main-exit", "main-exit-gate", item),
    )
    tills = (ExpectedReader("till-1-pad", True, 0), ExpectedReader("till-2-pad", True, 0))
    evidence = Evidence(
        query=detector.query,
        parameters=dict(detector.values()),
        events=seen,
        absent=(
            Absence("before", "COUNTER-READING", leaving - 12 * 60 * MINUTE, shelf, ()),
            Absence("y", "COUNTER-READING", shelf, leaving, tills),
        ),
        clauses=(
            Clause("!(COUNTER-READING before)", True, ("before",)),
            Clause("ANY(SHELF-READING, FITTING-READING, STOCK-READING) x", True, ("x",)),
            Clause("!(COUNTER-READING y)", True, ("y",)),
            Clause("EXIT-READING z", True, ("z",)),
            Clause("[id]", True, ("x", "z")),
            Clause("WITHIN 12 hours", True, ("x", "z")),
        ),
    )
    values: dict[str, object] = {
        "id": f"{number:064x}",
        "scenario": place.name,
        "detector": detector.name,
        "version": detector.version,
        "severity": detector.severity,
        "title": detector.title,
        "subject": item["id"],
        "area": "main-exit",
        "started_ms": shelf,
        "occurred_ms": leaving,
        "detected_ms": leaving,
        "explanation": f"{item['name']} ({item['id']}) left through Main exit and was last seen in "
        f"{place.plan.area(item['home']).title}; no checkout has read it in 12 hours.",
        "advice": detector.advice,
        "evidence": evidence,
    }
    return Alert(**(values | changes))  # type: ignore[arg-type]


def many(count: int, now_ms: int) -> list[Alert]:
    """Alerts of all kinds over the past days, most of them old."""
    chance = random.Random(7)
    severities = ("info", "low", "medium", "high", "critical")
    areas = [area.name for area in shop().plan.areas]
    return [
        shoplifting(
            number,
            now_ms - number * 2 * MINUTE,
            severity=chance.choice(severities),
            area=chance.choice(areas),
            detector=chance.choice(("shoplifting", "misplaced", "shelf_sweep")),
            unproven=number % 10 == 0,
        )
        for number in range(count)
    ]


def busy(engine: sa.Engine, now_ms: int, alerts: int = 10_000) -> None:
    """A shop in full swing."""
    store.record_alerts(engine, many(alerts, now_ms), now_ms - 1_000)
    ids = [f"{number:064x}" for number in range(alerts)]
    store.take(engine, STAFF, ids[1:4], now_ms=now_ms)
    store.resolve(engine, STAFF, ids[5:9], "false alarm", "the till was open", now_ms=now_ms)
    store.note(engine, STAFF, ids[:1], "asked at the door", now_ms=now_ms)
    switches(engine, now_ms)
    store.switch(engine, ADMIN, "store", "shoplifting", now_ms=now_ms, parameters={"memory": 6 * 60 * MINUTE})
    with store.writing(engine) as connection:
        store.record_readers(connection, readers(now_ms))
        store.record_positions(connection, positions(now_ms - 20 * MINUTE))
        store.record_silences(connection, [store.Silence("shelf-kids", now_ms - 3 * MINUTE, None)])
    walk(engine, now_ms)
    for second in range(0, 600, 10):
        store.record_metrics(engine, figures(second), now_ms - second * 1000)
    store.record_aside(engine, [dead(number, now_ms) for number in range(5)])
    parts(engine, now_ms)


def switches(engine: sa.Engine, now_ms: int) -> None:
    chosen = shop().detectors
    store.record_defaults(
        engine, [Switch("store", name, True, dict(values)) for name, values in chosen.items()], now_ms
    )


def parts(engine: sa.Engine, now_ms: int, down: Sequence[str] = ()) -> None:
    for name in ("broker", "simulator", "ingest", "pipeline"):
        detail = "exit code 1: disk full" if name in down else ""
        store.record_part(engine, name, "down" if name in down else "up", detail, now_ms)


def readers(now_ms: int) -> list[ReaderState]:
    return [
        ReaderState(
            one.name,
            one.area,
            last_seen_ms=now_ms - 500,
            readings=12_345,
            per_second=41.5,
            silent_since_ms=now_ms - 3 * MINUTE if one.name == "shelf-kids" else None,
        )
        for one in shop().plan.readers
    ]


def positions(at_ms: int) -> list[Position]:
    rows = shop().items.select(["tag", "name", "home"]).to_pylist()
    return [
        Position(row["tag"], row["name"], row["home"], f"shelf-{row['home']}", at_ms + number)
        for number, row in enumerate(rows)
    ]


def walk(engine: sa.Engine, now_ms: int) -> None:
    """The item of alert 0 goes from its shelf to the fitting room and out."""
    item = shop().items.slice(0, 1).to_pylist()[0]
    stops = (("fitting", "fitting-room", 3), ("main-exit", "main-exit-gate", 0))
    for area, reader, minutes in stops:
        with store.writing(engine) as connection:
            seen = Position(item["tag"], item["name"], area, reader, now_ms - minutes * MINUTE)
            store.record_positions(connection, [seen])


def figures(second: int) -> dict[str, float]:
    return {
        "readings_per_s": 420 + second % 70,
        "delay_ms": 480 + second % 90,
        "lag_rows": second % 400,
        "batch_ms": 310 + second % 60,
        "batch_rows": 150 + second % 40,
        "state_rows": 41_000 + second,
        "state_bytes": 9_400_000 + 1000 * second,
    }


def dead(number: int, now_ms: int) -> store.Aside:
    payload = '{"epc": "<b>not a tag</b>", "rssi": "loud"}'
    return store.Aside(
        f"dead-{number}",
        "dead",
        now_ms - number * 1000,
        "vigil/readings/till-1-pad",
        "rssi: a number expected",
        payload,
    )


def recording(count: int, now_ms: int) -> list[Row]:
    """Rows of the log: row 2n the shelf's reading and row 2n+1 the exit's of alert n."""
    rows = []
    for number in range(count):
        item = shop().items.slice(number, 1).to_pylist()[0]
        for reader in (f"shelf-{item['home']}", "main-exit-gate"):
            rows.append(Row("reading", reader, 1, item["tag"], now_ms, -51.5, number, None, now_ms, "t"))
    return rows


def batch(count: int, now_ms: int) -> object:
    return to_batch(recording(count, now_ms))


def _seen(variable: str, event: str, at_ms: int, area: str, reader: str, item: dict[str, object]) -> Seen:
    kept = {name: item[name] for name in ("tag", "id", "name", "price")}
    attributes = kept | {"area": area, "reader": reader}
    return Seen(variable, event, at_ms, area, reader, attributes)

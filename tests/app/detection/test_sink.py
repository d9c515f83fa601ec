"""A store that is away for a while holds the pipeline up and loses nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.detection import found
from app.detection.pipeline import Pipeline
from app.detection.queries import defaults
from app.detection.sink import Sink
from app.place import scenario
from app.place.find import find_scenario
from app.running.log_follower import LogFollower
from app.spark.next_deadline import NEVER, NextDeadline
from app.store import Filter

THEFT = {
    "kind": "match",
    "query": "shoplifting",
    "id": "m1",
    "ts": 60_000,
    "start": 0,
    "end": 60_000,
    "probability": 1.0,
    "events": json.dumps(
        {
            "x": {"event": "SHELF-READING", "ts": 0, "id": "J1", "name": "Jeans", "area": "denim"},
            "z": {"event": "EXIT-READING", "ts": 60_000, "id": "J1", "name": "Jeans", "area": "main-exit"},
        }
    ),
}


class Row(dict[str, Any]):
    asDict = dict.copy  # noqa: N815


@dataclass
class Frame:
    """What Spark hands to the sink."""

    rows: Sequence[dict[str, Any]] = (THEFT,)

    def collect(self) -> list[Row]:
        return [Row(row) for row in self.rows]


def test_an_alert_waits_for_the_store_to_come_back(
    postgres: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found, "FIRST_STORE_PAUSE_S", 0.05)
    engine = stores.open_store(postgres.new_database())
    path = find_scenario("store")
    shop = scenario.load(path)
    stores.record_defaults(engine, defaults(shop), now_ms=1)
    cleaning = CleaningSetup(path, tmp_path / "log", tmp_path / "snapshots", 500)
    follower = LogFollower(engine, shop, cleaning)
    sink = Sink(
        Pipeline(shop, cleaning, tmp_path / "checkpoint", engine, 0),
        follower.catch_up,
        threading.Event(),
        NextDeadline(tmp_path / "deadline"),
    )
    postgres.stop()
    waiting = threading.Thread(target=sink, args=(Frame(), 0))
    waiting.start()
    waiting.join(0.5)
    assert waiting.is_alive()
    postgres.start()
    waiting.join(30)
    assert [alert.id for alert in stores.all_alerts(engine, Filter())] == ["m1"]
    engine.dispose()


def test_a_store_that_is_broken_ends_the_stream_in_words(tmp_path: Path) -> None:
    engine = stores.open_store(f"sqlite:///{tmp_path / 'store.db'}")
    path = find_scenario("store")
    shop = scenario.load(path)
    stores.record_defaults(engine, defaults(shop), now_ms=1)
    cleaning = CleaningSetup(path, tmp_path / "log", tmp_path / "snapshots", 500)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE alert_history"))
    pipeline = Pipeline(shop, cleaning, tmp_path / "checkpoint", engine, 0)
    sink = Sink(pipeline, lambda: None, threading.Event(), NextDeadline(tmp_path / "deadline"))
    with pytest.raises(stores.StoreBrokenError, match="no such table: alert_history"):
        sink(Frame(), 0)  # type: ignore[arg-type]
    engine.dispose()


@pytest.mark.parametrize(("told_until_ms", "raised"), [(59_999, 1), (60_000, 0)])
def test_what_was_told_before_the_checkpoint_was_lost_is_not_told_again(
    tmp_path: Path, engine: sa.Engine, told_until_ms: int, raised: int
) -> None:
    path = find_scenario("store")
    cleaning = CleaningSetup(path, tmp_path / "log", tmp_path / "snapshots", 500)
    pipeline = Pipeline(
        scenario.load(path), cleaning, tmp_path / "checkpoint", engine, 0, told_until_ms=told_until_ms
    )
    Sink(pipeline, lambda: None, threading.Event(), NextDeadline(tmp_path / "deadline"))(Frame(), 0)
    assert len(list(stores.all_alerts(engine, Filter()))) == raised


def test_the_source_is_told_when_something_is_next_due(tmp_path: Path, engine: sa.Engine) -> None:
    path = find_scenario("store")
    cleaning = CleaningSetup(path, tmp_path / "log", tmp_path / "snapshots", 500)
    pipeline = Pipeline(scenario.load(path), cleaning, tmp_path / "checkpoint", engine, 0)
    deadline = NextDeadline(tmp_path / "deadline")
    sink = Sink(pipeline, lambda: None, threading.Event(), deadline)
    assert deadline.known() is None
    sink(Frame([{"kind": "deadline", "ts": 90_000}, {"kind": "deadline", "ts": 70_000}]), 0)  # type: ignore[arg-type]
    assert deadline.known() == 70_000
    sink(Frame([]), 1)  # type: ignore[arg-type]
    assert deadline.known() == NEVER
    assert list(stores.all_alerts(engine, Filter())) == []

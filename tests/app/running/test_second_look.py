"""What a reader held back is looked at again: an alert that it refutes is withdrawn, what follows is told."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from app import log
from app import store as stores
from app.cleaning.rebuild import stream_at
from app.cleaning.setup import CleaningSetup
from app.detection.in_process import InProcess
from app.detection.pipeline import Pipeline
from app.detection.queries import defaults
from app.log.row import Row, heartbeat_row
from app.place.scenario import Scenario
from app.running.log_follower import LogFollower
from app.running.second_look import LOOKED, SecondLook
from app.store import Alert, Filter, HeldReadings
from tests.app.rows import NOON, Write, online, read, stay, theft

LATER = NOON + 600_000


class Running:
    """A pipeline without Spark: what the stream finds goes to the store, then what was held back."""

    def __init__(self, pipeline: Pipeline, write: Write) -> None:
        self.pipeline, self._write = pipeline, write
        self.follower = LogFollower(pipeline.engine, pipeline.scenario, pipeline.cleaning)
        self.look = SecondLook(pipeline, self.follower)

    def live(self, rows: list[Row]) -> None:
        """Rows that come in time, and what the stream makes of them."""
        start = self.follower.position
        self._write(rows)
        stream = stream_at(self.pipeline.cleaning, start)
        self.follower.catch_up()
        folder = self.pipeline.cleaning.log
        [batch] = log.read(folder, start, log.end(folder))
        raised = InProcess(self.pipeline.scenario).push(stream.push(batch))
        stores.record_alerts(self.pipeline.engine, raised, NOON)

    def delivers(self, rows: list[Row]) -> None:
        """Rows that were held back until later; afterwards everything that is due is done."""
        self._write([row._replace(received=LATER) for row in rows])
        self._write([heartbeat_row(LATER + 25_000, LATER + 30_000)])
        self.follower.catch_up()
        for delivery in self.look._due():
            self.look.consider(delivery)

    def alerts(self) -> list[Alert]:
        return list(stores.search(self.pipeline.engine, Filter(detectors=("shoplifting",))).alerts)


@pytest.fixture
def site(engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write, tmp_path: Path) -> Running:
    stores.record_defaults(engine, defaults(shop), now_ms=1)
    write([online("till-1-pad", NOON - 1_000)])
    return Running(Pipeline(shop, cleaning, tmp_path / "checkpoint", engine, 0), write)


def test_an_alert_that_a_till_refutes_later_is_withdrawn(site: Running, tag: str) -> None:
    site.live([*theft(tag, NOON), online("shelf-denim", LATER)])
    [raised] = site.alerts()
    site.delivers(stay("till-1-pad", tag, NOON + 45_000, 250, 8))
    [found] = site.alerts()
    assert (found.id, found.state, found.resolution) == (raised.id, "resolved", "withdrawn")
    last = stores.alert_history(site.pipeline.engine, raised.id)[-1]
    assert (last.action, last.actor) == ("withdrawn", "pipeline")
    assert last.detail["reason"].startswith("till-1-pad delivered later what it had held back")


def test_what_follows_from_a_late_delivery_is_told_once_and_dated_by_its_arrival(
    site: Running, tag: str
) -> None:
    rows = theft(tag, NOON)
    gate = [row for row in rows if row.reader == "main-exit-gate"]
    site.live([*(row for row in rows if row not in gate), online("shelf-denim", LATER)])
    assert site.alerts() == []
    site.delivers(gate)
    [raised] = site.alerts()
    assert (raised.occurred_ms // 1000, raised.detected_ms) == ((NOON + 60_000) // 1000, LATER)
    steps = [(step.action, step.detail) for step in stores.alert_history(site.pipeline.engine, raised.id)]
    assert steps == [
        ("raised", {}),
        ("noted", {"text": "It follows from readings that main-exit-gate had held back."}),
    ]
    [delivery] = stores.list_held(site.pipeline.engine, 0)
    site.look.consider(delivery)
    assert site.alerts() == [raised]


def test_what_changes_nothing_is_neither_told_nor_withdrawn(site: Running, tag: str) -> None:
    site.live([*theft(tag, NOON), online("shelf-denim", LATER)])
    [before] = site.alerts()
    site.delivers([read("shelf-kids", tag, NOON - 120_000 + ms) for ms in range(0, 3_000, 250)])
    [after] = site.alerts()
    assert (after.id, after.state) == (before.id, "new")
    assert stores.totals(site.pipeline.engine)["second_look"] == LATER
    assert site.look._due() == []


def test_a_look_into_a_log_whose_server_is_away_is_taken_up_later(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise log.LogUnreachableError("nats://host:4222/vigil", OSError("away"))

    monkeypatch.setattr("app.running.second_look.look_again", away)
    before = stores.totals(site.pipeline.engine).get(LOOKED, 0)
    held = HeldReadings("till", NOON, NOON + 1_000, NOON - 60_000, 3)
    with pytest.raises(log.LogUnreachableError):
        site.look.consider(held)
    assert stores.totals(site.pipeline.engine).get(LOOKED, 0) == before

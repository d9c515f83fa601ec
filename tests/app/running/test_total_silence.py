"""Nobody heard at all is an alert of its own, raised from outside the stream, and closed when somebody is."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.detection.pipeline import Pipeline
from app.detection.queries import defaults
from app.log.row import heartbeat_row
from app.place.scenario import Scenario
from app.running.log_follower import LogFollower
from app.running.total_silence import TotalSilence
from app.store import Actor
from tests.app.rows import NOON, Write, online


class Watch:
    """The silence of a place, and the seconds that have passed."""

    def __init__(self, pipeline: Pipeline, heartbeat_ms: int = 1_000) -> None:
        self.pipeline, self.seconds = pipeline, 0.0
        self.follower = LogFollower(pipeline.engine, pipeline.scenario, pipeline.cleaning, heartbeat_ms)
        self.follower.catch_up()
        self.silence = TotalSilence(pipeline, self.follower, lambda: self.seconds)

    def after(self, seconds: float) -> list[str]:
        """The titles of the open alerts when so much time has passed."""
        self.seconds += seconds
        self.follower.catch_up()
        self.silence.look(NOON + int(self.seconds * 1000))
        return [one.title for one in stores.open_alerts(self.pipeline.engine, NOON)]


@pytest.fixture
def pipeline(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write, tmp_path: Path
) -> Pipeline:
    write([online("till-1-pad", NOON)])
    stores.record_defaults(engine, defaults(shop), now_ms=1)
    return Pipeline(shop, cleaning, tmp_path / "checkpoint", engine, 0)


def test_a_log_into_which_nothing_comes_is_told_once_and_closed_when_something_comes(
    pipeline: Pipeline, write: Write
) -> None:
    watch = Watch(pipeline)
    assert watch.after(100) == []
    assert watch.after(21) == ["All readers silent"]
    assert watch.after(500) == ["All readers silent"]
    watch = Watch(pipeline)  # a pipeline that starts anew meanwhile does not tell it again
    assert watch.after(121) == ["All readers silent"]
    write([online("till-1-pad", NOON + 700_000)])
    assert watch.after(1) == []
    [told] = stores.search(pipeline.engine, stores.Filter()).alerts
    assert (told.subject, told.started_ms, told.resolution) == ("all readers", NOON, "put right")
    assert told.explanation == "No reader has been heard for 2 minutes."
    steps = [step.action for step in stores.alert_history(pipeline.engine, told.id)]
    assert steps == ["raised", "resolved"]


def test_heartbeats_of_vigil_itself_are_nobody(pipeline: Pipeline, write: Write) -> None:
    watch = Watch(pipeline)
    write([heartbeat_row(NOON + at - 5_000, NOON + at) for at in range(0, 121_000, 1_000)])
    assert watch.after(1) == ["All readers silent"]


def test_it_is_told_only_while_its_detector_is_on(pipeline: Pipeline) -> None:
    admin = Actor("ada", "admin")
    values = stores.switches(pipeline.engine, "store")["reader_silent"].parameters
    stores.switch(
        pipeline.engine, admin, "store", "reader_silent", enabled=False, parameters=values, now_ms=2
    )
    assert Watch(pipeline).after(600) == []


def test_a_recording_that_has_been_played_is_no_silence(pipeline: Pipeline) -> None:
    assert Watch(pipeline, heartbeat_ms=0).after(600) == []

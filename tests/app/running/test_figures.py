"""Spark's progress as figures in the store, and switches marked once the pipeline has come past them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import sqlalchemy as sa

from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.detection.pipeline import Pipeline, first_queries
from app.detection.queries import defaults, rules
from app.log.row import control_row
from app.place.scenario import Scenario
from app.running.figures import Figures
from app.running.log_follower import LogFollower
from app.store import Actor
from tests.app.rows import NOON, Write, stay

ADMIN = Actor("ada", "admin")


@pytest.fixture
def pipeline(
    engine: sa.Engine, shop: Scenario, cleaning: CleaningSetup, write: Write, tmp_path: Path, tag: str
) -> Pipeline:
    write(stay("shelf-denim", tag, NOON, 1_000, 3))
    stores.record_defaults(engine, defaults(shop), now_ms=1)
    return Pipeline(shop, cleaning, tmp_path / "checkpoint", engine, 0)


@pytest.fixture
def figures(pipeline: Pipeline) -> Figures:
    follower = LogFollower(pipeline.engine, pipeline.scenario, pipeline.cleaning)
    return Figures(pipeline, follower, lambda: NOON + 5_000)


def progress(batch: int, position: int) -> SimpleNamespace:
    operator = SimpleNamespace(numRowsTotal=7, memoryUsedBytes=100)
    source = SimpleNamespace(endOffset=json.dumps({"position": position}))
    return SimpleNamespace(
        batchId=batch, batchDuration=300, numInputRows=3, stateOperators=[operator], sources=[source]
    )


def latest(engine: sa.Engine) -> dict[str, float]:
    return {name: point.value for name, point in stores.latest(engine).items()}


def test_before_the_first_batch_the_pipeline_is_starting(figures: Figures, engine: sa.Engine) -> None:
    figures.tick(None)
    [part] = stores.list_parts(engine)
    assert (part.name, part.state) == ("pipeline", "starting")


def test_a_batch_gives_its_figures(figures: Figures, engine: sa.Engine) -> None:
    figures.tick(progress(0, 2))
    found = latest(engine)
    assert (found["lag_rows"], found["batch_ms"], found["state_rows"]) == (1.0, 300.0, 7.0)
    assert found["delay_ms"] == 3_000.0
    assert stores.list_parts(engine)[0].state == "up"


def test_a_switch_is_marked_once_its_batch_is_done(figures: Figures, write: Write, engine: sa.Engine) -> None:
    changed = stores.switch(engine, ADMIN, "store", "misplaced", enabled=False, now_ms=NOON)
    write([control_row(NOON, json.dumps(vars(changed)))])
    figures.tick(progress(0, 3))
    assert stores.switch_history(engine, "store", "misplaced")[0].applied_ms is None
    figures.tick(progress(1, 4))
    assert stores.switch_history(engine, "store", "misplaced")[0].applied_ms == NOON + 5_000


def test_a_scenario_turns_on_what_it_names_and_lists_what_could_be(shop: Scenario) -> None:
    switches = {switch.detector: switch for switch in defaults(shop)}
    assert switches["shoplifting"].enabled
    assert switches["shoplifting"].parameters == {"memory": 43_200_000, "sure": 0.5}
    assert "overdose" not in rules(shop, {"shoplifting": {}})


def test_a_checkpoint_begins_with_what_stood_then_and_keeps_it(pipeline: Pipeline, engine: sa.Engine) -> None:
    stores.switch(engine, ADMIN, "store", "misplaced", enabled=False, now_ms=NOON)
    first = first_queries(pipeline)
    stores.switch(engine, ADMIN, "store", "shoplifting", enabled=False, now_ms=NOON)
    assert first_queries(pipeline) == first
    assert "misplaced" not in first
    assert "shoplifting" in first


def test_a_batch_without_rows_says_nothing_about_the_delay(pipeline: Pipeline, engine: sa.Engine) -> None:
    follower = LogFollower(pipeline.engine, pipeline.scenario, pipeline.cleaning)
    now = [NOON + 5_000]
    figures = Figures(pipeline, follower, lambda: now[0])
    figures.tick(progress(0, 2))
    now[0] += 40_000
    figures.tick(progress(1, 2))
    assert [point.value for point in stores.series(engine, "delay_ms", 0)] == [3_000.0]

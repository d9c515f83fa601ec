"""A place's constraints in the running pipeline: a breach becomes an alert once, over a restart too."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa
from pyspark.sql import SparkSession

from app import store as stores
from app.cleaning.setup import CleaningSetup
from app.detection.pipeline import Pipeline
from app.detection.queries import defaults
from app.detection.stream import start
from app.place.scenario import Scenario
from app.running.log_follower import LogFollower
from app.store import Alert, Filter
from tests.app.rows import NOON, Write, online, stay, theft, until

MINUTE = 60_000
DEADLINE_S = 180.0
NOT_BACK = "prior(SHELF-READING, EXIT-READING) BY id FOR 10 minutes"


def told(engine: sa.Engine) -> list[Alert]:
    return list(stores.all_alerts(engine, Filter()))


def test_a_breach_is_told_by_the_running_pipeline_once_and_after_a_restart(
    spark: SparkSession,
    shop: Scenario,
    cleaning: CleaningSetup,
    write: Write,
    engine: sa.Engine,
    tag: str,
    tmp_path: Path,
) -> None:
    place = replace(shop, constraints=NOT_BACK, detectors={"shoplifting": {}})
    stores.record_defaults(engine, defaults(place), now_ms=1)
    pipeline = Pipeline(place, cleaning, tmp_path / "checkpoint", engine, 0)
    follower = LogFollower(engine, place, cleaning)

    write(theft(tag, NOON))
    running = start(spark, pipeline, follower.catch_up, threading.Event())
    until(lambda: [one.detector for one in told(engine)] == ["shoplifting"], DEADLINE_S)
    running.stop()

    back = stay("shelf-denim", tag, NOON + 2 * MINUTE, 10_000, 4)
    write([*back, online("till-1-pad", NOON + 4 * MINUTE)])
    running = start(spark, pipeline, follower.catch_up, threading.Event())
    until(lambda: len(told(engine)) > 1, DEADLINE_S)
    late = stay("shelf-denim", tag, NOON + 5 * MINUTE, 10_000, 4)
    other = str(shop.items["tag"][1].as_py())
    write([*late, *theft(other, NOON + 6 * MINUTE)])
    until(lambda: len(told(engine)) > 2, DEADLINE_S)
    running.stop()

    found = sorted((one.detector, one.subject) for one in told(engine))
    assert found == [
        ("impossible", "JEAN-28-001"),
        ("shoplifting", "JEAN-28-001"),
        ("shoplifting", "JEAN-28-002"),
    ]
    assert stores.spared(engine, "shoplifting").cases > 0  # what the constraints remember is counted
    (breach,) = (one for one in told(engine) if one.detector == "impossible")
    assert "it was declared that no SHELF-READING comes after EXIT-READING" in breach.explanation
    assert NOON + 2 * MINUTE <= breach.occurred_ms < NOON + 3 * MINUTE  # when cleaning is sure of it

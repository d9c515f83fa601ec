"""SIGKILL to ingest, the broker and Spark at random under load: nothing lost, nothing counted twice."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from app.ingest import dead_letters
from tests.app import victims
from tests.app.brokers import Mosquitto, until
from tests.app.processes import numbers
from tests.app.victims import PATIENCE, Device, Process

REPEATED = 1_000


def advance(progress: Callable[[], int], by: int) -> None:
    """Wait until so much more has been done."""
    goal = progress() + by
    until(lambda: progress() >= goal, PATIENCE)


@dataclass
class Way:
    """From the device to Spark's files, all of it running."""

    broker: Mosquitto
    device: Device
    ingest: Process
    spark: Process
    log: Path

    def kill(self, victim: str, rows: int) -> None:
        """Kill one of them after so many more rows, and start it again."""
        {"ingest": self._kill_ingest, "broker": self._kill_broker, "spark": self._kill_spark}[victim](rows)

    def _kill_ingest(self, rows: int) -> None:
        advance(lambda: victims.logged(self.log), rows)
        self.ingest.kill()
        self.ingest.start()

    def _kill_broker(self, rows: int) -> None:
        advance(lambda: victims.logged(self.log), rows)
        self.broker.kill()
        self.broker.start()
        # Mosquitto acknowledges before it saves; what it may have forgotten, a device says again.
        self.device.repeat(REPEATED)

    def _kill_spark(self, rows: int) -> None:
        advance(lambda: victims.copied(self.log), rows)
        self.spark.kill()
        self.spark.start()


@pytest.fixture
def broker(mosquitto: Mosquitto) -> Mosquitto:
    """A broker that saves often: what it acknowledged outlives it, but for the last moments."""
    mosquitto.stop()
    mosquitto.saving = "autosave_on_changes true\nautosave_interval 100"
    mosquitto.start()
    return mosquitto


def letters(folder: Path) -> list[bytes]:
    return [entry.letter.payload for entry in dead_letters.pending(folder)]


def copies(spark: SparkSession, target: Path) -> list[int]:
    return [row.seq for row in spark.read.parquet(str(target / "out")).select("seq").collect()]


@pytest.mark.parametrize(
    ("ingest_kills", "broker_kills", "spark_kills"),
    [
        pytest.param(3, 2, 2, marks=pytest.mark.timeout(2_400)),
        pytest.param(120, 50, 30, marks=[pytest.mark.soak, pytest.mark.timeout(14_400)]),
    ],
)
def test_nothing_is_lost_or_doubled_on_the_way_to_spark(
    broker: Mosquitto,
    tmp_path: Path,
    spark: SparkSession,
    ingest_kills: int,
    broker_kills: int,
    spark_kills: int,
) -> None:
    folder, target, chance = tmp_path / "log", tmp_path / "copy", random.Random(4)
    plan = ["ingest"] * ingest_kills + ["broker"] * broker_kills + ["spark"] * spark_kills
    chance.shuffle(plan)
    with victims.ingest(broker.url, folder) as ingest, victims.copying(folder, target) as copying:
        until(lambda: broker.knows("vigil-ingest"), PATIENCE)
        with Device(broker) as device:
            way = Way(broker, device, ingest, copying, folder)
            for victim in plan:
                way.kill(victim, chance.randrange(1, 400))
            device.finish()
        until(lambda: set(numbers(folder)) >= device.readings, PATIENCE)
        everything = victims.logged(folder)
        until(lambda: victims.copied(folder) >= everything, PATIENCE)
    assert sorted(numbers(folder)) == sorted(device.readings)
    assert set(letters(folder)) == device.broken
    assert sorted(copies(spark, target)) == sorted(device.readings)


@pytest.mark.parametrize(
    "kills", [3, pytest.param(60, marks=[pytest.mark.soak, pytest.mark.timeout(14_400)])]
)
def test_published_is_logged_plus_dead_lettered_to_the_message(
    mosquitto: Mosquitto, tmp_path: Path, kills: int
) -> None:
    folder, chance = tmp_path / "log", random.Random(5)
    with victims.ingest(mosquitto.url, folder) as ingest:
        until(lambda: mosquitto.knows("vigil-ingest"), PATIENCE)
        with Device(mosquitto) as device:
            for _ in range(kills):
                advance(lambda: victims.logged(folder), chance.randrange(1, 400))
                ingest.kill()
                ingest.start()
            device.finish()
        until(lambda: len(numbers(folder)) + len(letters(folder)) >= len(device.sent), PATIENCE)
    assert sorted(numbers(folder)) == sorted(device.readings)
    assert sorted(letters(folder)) == sorted(device.broken)
    assert len(device.sent) == len(numbers(folder)) + len(letters(folder))

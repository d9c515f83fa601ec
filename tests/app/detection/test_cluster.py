"""A master's URL is all it takes to leave the laptop: the same commands on a standalone cluster."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.cleaning.setup import CleaningSetup
from simulator.worlds.world import MINUTE
from tests.app.brokers import Mosquitto
from tests.app.rows import NOON, Write, theft
from tests.app.site import by_detector, corner_shop, expectation, local, messages, running
from tests.sase.spark.cluster import cluster

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1800)]


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The URL of a master with two workers, all on this machine."""
    with cluster(tmp_path, workers=2) as started:
        yield started.url


def test_a_replay_runs_on_a_cluster_by_its_url(
    master: str, cleaning: CleaningSetup, write: Write, tag: str, tmp_path: Path
) -> None:
    write(theft(tag, NOON))
    environment = os.environ | {"VIGIL_SPARK_MASTER": master, "VIGIL_DATA": str(tmp_path / "data")}
    command = [sys.executable, "-m", "app.cli", "replay", "store", "--log", str(cleaning.log)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "high     Shoplifting: Jeans size 28 (JEAN-28-001) left through Main exit" in done.stdout


def test_the_pipeline_runs_on_a_cluster_by_its_url(master: str, tmp_path: Path, mosquitto: Mosquitto) -> None:
    shop = corner_shop(tmp_path)
    promised = expectation(shop)
    chosen = replace(local(tmp_path, mosquitto.url), spark_master=master, spark_buckets=2)
    with running(shop, mosquitto.connection, chosen) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        site.send(messages(shop, 50 * MINUTE))
        site.wait(lambda: by_detector(site) == promised)

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
from tests.sase.spark.hosts import DRIVER, hosts, missing

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


@pytest.mark.skipif(missing() is not None, reason=missing() or "")
def test_the_pipeline_runs_on_workers_with_addresses_of_their_own_and_survives_the_loss_of_one(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    shop = corner_shop(tmp_path)
    promised, sent = expectation(shop), messages(shop, 50 * MINUTE)
    options = {
        "spark.driver.host": DRIVER,
        "spark.driver.bindAddress": DRIVER,
        "spark.executor.memory": "700m",
        "spark.executor.cores": "1",
    }
    with hosts(3) as (first, *others), cluster(tmp_path, others, first) as started:
        chosen = replace(
            local(tmp_path, mosquitto.url),
            spark_master=started.url,
            spark_buckets=2,
            spark_checkpoint=(tmp_path / "elsewhere").as_uri(),
            spark=options,
        )
        with running(shop, mosquitto.connection, chosen) as site:
            site.wait(lambda: site.supervisor.states["ingest"] == "up")
            site.send(sent[: len(sent) // 2])
            site.wait(lambda: len(started.executors()) == 2 and by_detector(site).total() > 0)
            lines = [" ".join(line) for line in started.executors()]
            assert sum(f"--hostname {host.address}" in line for host in others for line in lines) == 2
            assert all("-Xmx700M" in line and "--cores 1" in line for line in lines)
            started.kill_worker()
            site.send(sent[len(sent) // 2 :])
            site.wait(lambda: by_detector(site) == promised)
    assert any((tmp_path / "elsewhere" / "commits").iterdir())

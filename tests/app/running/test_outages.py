"""A broker, a store or a disk that is away for a while holds the site up and loses nothing."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app import store as stores
from app.mqtt.publish import Publication
from simulator.worlds.world import MINUTE
from tests.app.brokers import Mosquitto
from tests.app.postgres import Postgres
from tests.app.site import Site, by_detector, corner_shop, expectation, listening, local, messages, running

pytestmark = pytest.mark.timeout(3600)
LENGTHS = [5, pytest.param(60, marks=pytest.mark.soak)]
SMALL_DISK = "256m"


def thirds(play: list[Publication]) -> tuple[list[Publication], list[Publication], list[Publication]]:
    size = len(play) // 3
    return play[:size], play[size : 2 * size], play[2 * size :]


def is_up(site: Site) -> bool:
    return set(site.supervisor.states.values()) == {"up"}


@pytest.mark.parametrize("seconds", LENGTHS)
def test_a_broker_and_a_store_that_are_away_lose_nothing(
    tmp_path: Path, mosquitto: Mosquitto, postgres: Postgres, seconds: float
) -> None:
    shop = corner_shop(tmp_path)
    promised, (first, second, third) = expectation(shop), thirds(messages(shop, 50 * MINUTE))
    chosen = replace(local(tmp_path, mosquitto.url), store_url=postgres.new_database())
    with running(shop, mosquitto.connection, chosen) as site, listening(mosquitto.connection) as heard:
        site.wait(lambda: is_up(site))
        site.send(first)
        mosquitto.stop()
        time.sleep(seconds)  # the outage
        mosquitto.start()
        site.send(second)
        postgres.stop()
        site.send(third)
        time.sleep(seconds)  # the outage
        postgres.start()
        site.wait(lambda: by_detector(site) == promised)
        site.wait(lambda: stores.unsent(site.engine) == [])
        site.wait(lambda: len({told["id"] for _, told in heard}) == promised.total())
        assert site.alerts().total() == promised.total()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that is quickly full; only root may have one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Take all the room there is."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            _write_while_there_is_room(file.fileno(), bytes(size))
    return filler


def _write_while_there_is_room(descriptor: int, piece: bytes) -> None:
    try:
        while os.write(descriptor, piece):
            continue
    except OSError:
        return


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [60])
def test_a_disk_that_is_full_for_a_while_loses_nothing(
    tmp_path: Path, disk: Path, mosquitto: Mosquitto, seconds: float
) -> None:
    """The log, Spark's checkpoint, the store and the parts' own logs are all on it."""
    shop = corner_shop(tmp_path)
    promised, (first, second, third) = expectation(shop), thirds(messages(shop, 50 * MINUTE))
    with running(shop, mosquitto.connection, local(disk, mosquitto.url)) as site:
        site.wait(lambda: is_up(site))
        site.send(first)
        filler = fill(disk)
        site.send(second)
        time.sleep(seconds)  # the outage
        filler.unlink()
        site.send(third)
        site.wait(lambda: by_detector(site) == promised)
        assert max(site.alerts().values()) == 1

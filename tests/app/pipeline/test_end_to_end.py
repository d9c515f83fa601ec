"""Simulated readings, broker, log, Spark, store: the scenario's alerts, whatever is killed meanwhile."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app import scenario
from app.publish import Publication
from app.settings import Settings
from simulator.output import lines
from simulator.play import Play
from simulator.world import MINUTE

from .site import Site, corner_shop, publications, running


def messages(path: Path, length_ms: int) -> list[Publication]:
    """The script of the scenario, played by perfect radios."""
    play = Play(scenario.load(path), seed=1, noise=0.0, length_ms=length_ms, parts=("script",))
    return [one for scene in play.scenes() for one in publications(scene.reports, lines(scene.reports))]


def local(folder: Path, broker: str) -> Settings:
    # The play is in the past: heartbeats, which go by the clock on the wall, would make all of it late.
    return Settings(data=folder / "data", broker_url=broker, heartbeat_ms=0)


def by_detector(site: Site) -> Counter[str]:
    return Counter(detector for detector, _ in site.alerts().elements())


def test_the_stores_script_raises_what_the_scenario_promises(tmp_path: Path, mosquitto: Any) -> None:
    shop = corner_shop(tmp_path)
    promised = scenario.load(shop).simulation
    assert promised is not None
    with running(shop, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        site.send(messages(shop, 50 * MINUTE))
        site.wait(lambda: by_detector(site) == Counter(promised.expectation))


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.soak)])
def test_killing_any_process_at_any_time_changes_nothing(tmp_path: Path, mosquitto: Any, kills: int) -> None:
    shop = corner_shop(tmp_path)
    promised = scenario.load(shop).simulation
    assert promised is not None
    play, chance = messages(shop, 50 * MINUTE), random.Random(6)
    with running(shop, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        for number in range(kills):
            size = len(play) // kills
            site.send(play[number * size : (number + 1) * size])
            kill_one(site, chance)
        site.send(play[kills * (len(play) // kills) :])
        site.wait(lambda: by_detector(site) == Counter(promised.expectation))
        assert max(site.alerts().values()) == 1


def kill_one(site: Site, chance: random.Random) -> None:
    """Any process of the site; the next kill waits until everything is up again."""
    site.wait(lambda: set(site.supervisor.states.values()) == {"up"})
    with suppress(ProcessLookupError):
        os.kill(chance.choice(site.processes()).pid, signal.SIGKILL)

"""Simulated readings, broker, log, Spark, store: the scenario's alerts, whatever is killed meanwhile."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from app import store as stores
from app.log.row import Row
from app.mqtt.publish import Publication
from app.place import scenario
from app.store import Actor
from simulator.worlds.world import MINUTE
from tests.app.rows import theft
from tests.app.site import (
    Site,
    by_detector,
    corner_shop,
    expectation,
    local,
    messages,
    running,
    small_ward,
)

ADMIN = Actor("ada", "admin")
HOUR = 3_600_000
LONGEST_LIFE, START_SECONDS, BATCH_SECONDS = 600.0, 30.0, 2.0
PAST = 1_700_000_000_000  # readings from the future are dead letters


pytestmark = pytest.mark.timeout(3600)


@pytest.mark.parametrize("place", [corner_shop, small_ward])
def test_a_script_raises_what_the_scenario_promises(
    place: Callable[[Path], Path], tmp_path: Path, mosquitto: Any
) -> None:
    path = place(tmp_path)
    promised = expectation(path)
    with running(path, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        site.send(messages(path, 50 * MINUTE))
        site.wait(lambda: by_detector(site) == promised)


def test_a_detector_that_is_switched_off_stops_firing_while_the_stream_runs(
    tmp_path: Path, mosquitto: Any
) -> None:
    shop = corner_shop(tmp_path)
    first, second, *_ = scenario.load(shop).items["tag"].to_pylist()
    with running(shop, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["pipeline"] == "up")
        site.send(as_messages(theft(first, PAST)))
        site.wait(lambda: by_detector(site)["shoplifting"] == 1)
        stores.switch(site.engine, ADMIN, "corner", "shoplifting", enabled=False, now_ms=PAST)
        site.wait(lambda: applied(site) is not None)
        site.send(as_messages([*theft(second, PAST + HOUR), *theft(first, PAST + 2 * HOUR)]))
        site.wait(lambda: stores.latest(site.engine)["lag_rows"].value == 0)
        assert by_detector(site)["shoplifting"] == 1


def applied(site: Site) -> int | None:
    return stores.switch_history(site.engine, "corner", "shoplifting")[0].applied_ms


def as_messages(rows: list[Row]) -> list[Publication]:
    return [Publication(row.topic, {"reader": row.reader, "ts": row.ts} | _said(row), row.ts) for row in rows]


def _said(row: Row) -> dict[str, Any]:
    status = {"status": "online"}
    return status if row.kind == "status" else {"tag": row.tag, "rssi": row.rssi, "antenna": row.antenna}


SOAK = [pytest.mark.soak, pytest.mark.timeout(14_400)]


@pytest.mark.parametrize(
    ("kills", "seed"), [(3, 6), *(pytest.param(20, seed, marks=SOAK) for seed in range(5))]
)
def test_killing_any_process_at_any_time_changes_nothing(
    tmp_path: Path, mosquitto: Any, kills: int, seed: int
) -> None:
    shop = corner_shop(tmp_path)
    promised = expectation(shop)
    play, chance = messages(shop, 50 * MINUTE), random.Random(seed)
    with running(shop, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        for number in range(kills):
            size = len(play) // kills
            site.send(play[number * size : (number + 1) * size])
            kill_some(site, chance)
        site.send(play[kills * (len(play) // kills) :])
        site.wait(lambda: by_detector(site) == promised)
        assert max(site.alerts().values()) == 1


def has_worked(site: Site, since_ms: int) -> bool:
    figures = stores.latest(site.engine)
    return "batch_ms" in figures and figures["batch_ms"].at_ms > since_ms


def kill_some(site: Site, chance: random.Random) -> None:
    """One process, two, or all at once as a power cut would: of a site at work, or one still starting."""
    began_ms = time.time_ns() // 1_000_000
    given_up = time.monotonic() + chance.choice((LONGEST_LIFE, chance.uniform(0.0, START_SECONDS)))
    site.wait(lambda: time.monotonic() > given_up or has_worked(site, began_ms))
    moment = time.monotonic() + chance.uniform(0.0, BATCH_SECONDS)
    site.wait(lambda: time.monotonic() > moment and bool(site.processes()))
    found = site.processes()
    victims = chance.sample(found, min(len(found), chance.choice((1, 1, 2, len(found)))))
    for victim in victims:
        with suppress(psutil.NoSuchProcess):
            victim.kill()
    print(time.strftime("%X"), f"killed {len(victims)} of {len(found)}", site.supervisor.states, flush=True)

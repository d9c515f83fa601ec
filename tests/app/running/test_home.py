"""The home end to end: sensors, broker, log, Spark, store, and a kill half-way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from app import store as stores
from app.place.find import find_scenario
from app.store import Filter
from app.whereabouts import written
from simulator.worlds.world import MINUTE
from tests.app.site import Site, by_detector, local, messages, running

LENGTH = 60 * MINUTE
# Anna is out and Ben is in the bedroom: nobody knows of the leak. Then Ben goes to the bathroom, for long.
HOME = """\
like: {home}
title: Small home
summary: A home with a short script.
catalog:
  items: people.csv
simulation:
  start: 2026-03-02 09:00:00
  length: 1 hour
  rates: {{}}
  script:
    - "09:01 ben stays in the bedroom for 18 minutes"
    - "09:02 anna goes out"
    - "09:05 water leaks in the bathroom"
    - "09:22 ben stays in the bathroom for 36 minutes"
  expectation: {{leak: 1, leak_untold: 1, long_in_bathroom: 1}}
"""

pytestmark = pytest.mark.timeout(3600)


def small_home(folder: Path) -> Path:
    home = find_scenario("home")
    (folder / "people.csv").write_text((home.parent / "home" / "people.csv").read_text())
    path = folder / "small_home.yaml"
    path.write_text(HOME.format(home=home))
    return path


def test_what_is_believed_raises_what_the_script_promises_through_a_kill(
    tmp_path: Path, mosquitto: Any
) -> None:
    path = small_home(tmp_path)
    everything = messages(path, LENGTH)
    half = sum(one.ts is None for one in everything) // 3
    with running(path, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        site.send(everything[:half])
        site.wait(lambda: by_detector(site)["leak_untold"] == 1)
        pipeline = site.supervisor.processes["pipeline"]
        [process] = [one for one in site.processes() if one.pid == pipeline]
        process.kill()
        site.wait(lambda: site.supervisor.processes.get("pipeline", pipeline) != pipeline)
        site.send(everything[half:])
        site.wait(lambda: by_detector(site) == Counter(leak=1, leak_untold=1, long_in_bathroom=1))
        assert ("long_in_bathroom", "ben") in site.alerts()
        assert sureness(site) > 0.8
        site.wait(lambda: written.read(site.settings.checkpoint / written.FILE) is not None)


def sureness(site: Site) -> float:
    [alert] = stores.all_alerts(site.engine, Filter(detectors=("long_in_bathroom",)))
    return alert.probability or 0.0

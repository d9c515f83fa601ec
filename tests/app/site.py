"""A small site for end-to-end tests: ingest and pipeline as real processes under a supervisor."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import psutil
import pyarrow as pa
import sqlalchemy as sa
from paho.mqtt.enums import CallbackAPIVersion

from app import settings
from app import store as stores
from app.mqtt import publish
from app.mqtt.broker import Broker
from app.mqtt.publish import Publication
from app.place import scenario as scenarios
from app.place.find import find_scenario
from app.running import parts
from app.running.supervisor import PartChange, Supervisor
from app.settings import Settings
from app.store import Filter
from simulator.output.report_file import lines
from simulator.play import Play

PATIENCE_SECONDS = 600.0


@dataclass
class Site:
    """`supervisor` is ticked by a thread, so that a test may wait on anything."""

    settings: Settings
    engine: sa.Engine
    supervisor: Supervisor
    broker: Broker

    def send(self, publications: Iterable[Publication]) -> None:
        publish.send(self.broker, publications)

    def alerts(self) -> Counter[tuple[str, str]]:
        found = stores.all_alerts(self.engine, Filter())
        return Counter((alert.detector, alert.subject) for alert in found)

    def wait(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not done():
            assert time.monotonic() < deadline, (self.alerts(), self.supervisor.states, self.words())
            time.sleep(0.1)

    def words(self) -> str:
        """The last thing that the pipeline said."""
        log = self.supervisor.log("pipeline")
        return log.read_text(errors="replace")[-3000:] if log.exists() else ""

    def processes(self) -> list[psutil.Process]:
        """Everything that belongs to the site: parts, the JVM and Spark's Python workers."""
        found: list[psutil.Process] = []
        for pid in self.supervisor.processes.values():
            with suppress(psutil.NoSuchProcess):
                found += [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        return found


@contextmanager
def running(scenario: Path, broker: Broker, chosen: Settings) -> Iterator[Site]:
    engine = stores.open_store(chosen.store, chosen.site)
    logs = chosen.data / "logs"
    running = [parts.ingest(), parts.pipeline(str(scenario), engine)]
    environment = os.environ | settings.as_environment(chosen)
    supervisor = Supervisor(running, environment, logs, time.monotonic)
    stop = threading.Event()
    ticking = threading.Thread(target=_keep, args=(supervisor, engine, stop))
    ticking.start()
    try:
        yield Site(chosen, engine, supervisor, broker)
    finally:
        stop.set()
        ticking.join()
        supervisor.stop()
        engine.dispose()


def _keep(supervisor: Supervisor, engine: sa.Engine, stop: threading.Event) -> None:
    """As `vigil run` does it: the store learns what is down, so that an old "up" does not stand."""
    while not stop.wait(0.05):
        for change in supervisor.tick():
            with suppress(sa.exc.OperationalError):
                _tell(engine, change)


def _tell(engine: sa.Engine, change: PartChange) -> None:
    if change.state != "up":
        stores.record_part(engine, change.name, change.state, change.detail, time.time_ns() // 1_000_000)


def corner_shop(folder: Path) -> Path:
    """The store with the few items that its script is about, so that an hour is quickly played."""
    store = find_scenario("store")
    wanted = {"JEAN-32": 4, "BAG-40": 3, "WATCH-38": 9, "KNIT-40": 3, "BOOT-40": 8}
    heading, *lines = (store.parent / "store" / "items.csv").read_text().splitlines()
    kept = [line for product, count in wanted.items() for line in _of(lines, product)[:count]]
    (folder / "items.csv").write_text("\n".join([heading, *kept]) + "\n")
    shutil.copy(store.parent / "store" / "products.csv", folder / "products.csv")
    path = folder / "corner.yaml"
    path.write_text(
        f"like: {store}\ntitle: Corner shop\nsummary: A store with a few items.\n"
        "catalog:\n  items: items.csv\n  details:\n    product: products.csv\n"
    )
    return path


WARD = """\
like: {ward}
title: Small ward
summary: A ward with a few patients.
catalog:
  items: [wristbands.csv, bottles.csv]
  details:
    medicine: medicines.csv
detectors: {{overdose: {{}}, wrong_patient: {{}}}}
simulation:
  start: 2026-03-02 07:00:00
  length: 1 hour
  rates: {{}}
  script:
    - "07:05 patient-1 takes Paracetamol at cabinet-1"
    - "07:15 patient-1 takes Paracetamol at cabinet-1"
    - "07:25 patient-3 takes Paracetamol of patient-4 at cabinet-1"
    - "07:35 patient-1 takes Paracetamol at cabinet-1"
  expectation: {{overdose: 1, wrong_patient: 1}}
"""


def small_ward(folder: Path) -> Path:
    """The ward with the bottles of one medicine: two levels of events, quickly played."""
    ward = find_scenario("ward")
    for name in ("wristbands.csv", "medicines.csv"):
        shutil.copy(ward.parent / "ward" / name, folder / name)
    heading, *lines = (ward.parent / "ward" / "bottles.csv").read_text().splitlines()
    kept = [line for line in lines if "Paracetamol" in line]
    (folder / "bottles.csv").write_text("\n".join([heading, *kept]) + "\n")
    path = folder / "small_ward.yaml"
    path.write_text(WARD.format(ward=ward))
    return path


def small_library(folder: Path) -> Path:
    """The library with the few books that its script is about, and those that a patron of it has."""
    library = find_scenario("library")
    words = library.read_text().split()
    heading, *lines = (library.parent / "library" / "books.csv").read_text().splitlines()
    kept = [line for line in lines if line.split(",")[1] in words or ",patron-6," in line]
    (folder / "books.csv").write_text("\n".join([heading, *kept]) + "\n")
    shutil.copy(library.parent / "library" / "patrons.csv", folder / "patrons.csv")
    path = folder / "small_library.yaml"
    path.write_text(
        f"like: {library}\ntitle: Small library\nsummary: A library with a few books.\n"
        "catalog:\n  items: [patrons.csv, books.csv]\n"
    )
    return path


def _of(lines: list[str], product: str) -> list[str]:
    return [line for line in lines if line.endswith(f",{product}")]


def publications(reports: pa.RecordBatch, lines: pa.Array) -> Iterator[Publication]:
    """A simulated scene as messages."""
    for kind, reader, line in zip(
        reports["kind"].to_pylist(), reports["reader"].to_pylist(), lines.to_pylist(), strict=True
    ):
        yield Publication(f"vigil/{'status' if kind == 'status' else 'readings'}/{reader}", line, None)


def messages(path: Path, length_ms: int) -> list[Publication]:
    """The script of the scenario, played by perfect radios."""
    play = Play(scenarios.load(path), seed=1, noise=0.0, length_ms=length_ms, parts=("script",))
    return [one for scene in play.scenes() for one in publications(scene.reports, lines(scene.reports))]


def expectation(path: Path) -> Counter[str]:
    simulation = scenarios.load(path).simulation
    assert simulation is not None
    return Counter(simulation.expectation)


def local(folder: Path, broker: str) -> Settings:
    # The play is in the past: heartbeats, which go by the clock on the wall, would make all of it late.
    return Settings(data=folder / "data", broker_url=broker, heartbeat_ms=0)


def by_detector(site: Site) -> Counter[str]:
    return Counter(detector for detector, _ in site.alerts().elements())


@contextmanager
def listening(broker: Broker) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """What goes out, heard by someone whose session the broker keeps while either of them is away."""
    heard: list[tuple[str, dict[str, Any]]] = []
    subscribed = threading.Event()
    client = mqtt.Client(CallbackAPIVersion.VERSION2, "listener", clean_session=False)
    client.on_message = lambda _client, _data, one: heard.append((one.topic, json.loads(one.payload)))
    client.on_subscribe = lambda *_: subscribed.set()
    client.on_connect = lambda one, *_: one.subscribe("vigil/alerts/#", qos=1)
    client.connect(broker.host, broker.port)
    client.loop_start()
    assert subscribed.wait(10)
    yield heard
    client.disconnect()
    client.loop_stop()

"""The library end to end: sensors, broker, log, Spark, store; and the answer of the desk on its way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app import log
from app import store as stores
from app.mqtt.publish import Publication
from app.place import scenario
from app.store import Actor, Filter
from dashboard.facts.loans import possible_loans
from simulator.worlds.world import MINUTE
from tests.app.site import Site, by_detector, expectation, local, messages, running, small_library

STAFF = Actor("stan", "staff")
LENGTH = 50 * MINUTE

pytestmark = pytest.mark.timeout(3600)


def test_the_script_raises_what_it_promises_and_a_book_that_the_desk_has_lent_may_leave(
    tmp_path: Path, mosquitto: Any
) -> None:
    path = small_library(tmp_path)
    promised = expectation(path)
    with running(path, mosquitto.connection, local(tmp_path, mosquitto.url)) as site:
        site.wait(lambda: site.supervisor.states["ingest"] == "up")
        site.send(messages(path, LENGTH))
        site.wait(lambda: by_detector(site) == promised)
        lent = decide(site)
        site.wait(lambda: "control" in kinds(site))
        site.send([*leaving(path, lent, LENGTH), *leaving(path, "book-600", LENGTH + MINUTE // 2)])
        site.send([online("door-gate", start_of(path) + LENGTH + MINUTE)])
        site.wait(lambda: ("booklifting", "book-600") in site.alerts())
        assert by_detector(site) == promised + Counter(booklifting=1)


def decide(site: Site) -> str:
    """Somebody at the desk says that it was the second of the two; the book that it was about."""
    [alert] = stores.all_alerts(site.engine, Filter(detectors=("confusion",)))
    [_, loan] = possible_loans(alert)
    stores.lend(site.engine, STAFF, alert, loan, now_ms=alert.stored_ms + 1)
    return loan.item


def kinds(site: Site) -> set[str]:
    folder = site.settings.log
    return {kind for batch in log.read(folder, 0, log.end(folder)) for kind in batch["kind"].to_pylist()}


def leaving(path: Path, book: str, after_ms: int) -> Iterator[Publication]:
    """A book alone: somebody moves inside, the gate reads it, somebody moves outside."""
    items = scenario.load(path).items
    tag = items["tag"][items["id"].index(book).as_py()].as_py()
    start = start_of(path) + after_ms
    yield told("door-inside", start, motion=True)
    for step in range(8):
        yield told("door-gate", start + 250 * step, tag=tag, rssi=-50.0)
    yield told("door-outside", start + 2_000, motion=True)


def start_of(path: Path) -> int:
    simulation = scenario.load(path).simulation
    assert simulation is not None
    return simulation.start


def told(reader: str, ts: int, **said: Any) -> Publication:
    return Publication(f"vigil/readings/{reader}", {"reader": reader, "ts": ts} | said, ts)


def online(reader: str, ts: int) -> Publication:
    return Publication(f"vigil/status/{reader}", {"reader": reader, "ts": ts, "status": "online"}, ts)

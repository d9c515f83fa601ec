"""An hour of load: ingest's memory stays where it was."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.mqtt import publish
from app.mqtt.publish import Publication
from tests.app.brokers import Mosquitto, until
from tests.app.processes import vigil

RATE = 1_000
SETTLING_S, MEASURED_S = 900, 2_700
GROWTH = 1.1


def load(seconds: float) -> Iterator[Publication]:
    """A thousand readings a second of a hundred thousand tags."""
    began, seq = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        for each in range(seq, int((time.monotonic() - began) * RATE)):
            ts = time.time_ns() // 1_000_000
            value = {"reader": "r1", "tag": f"{each % 100_000:024X}", "ts": ts, "seq": each}
            yield Publication("vigil/readings/r1", value, ts)
            seq = each + 1
        time.sleep(0.005)


@pytest.mark.soak
@pytest.mark.timeout(SETTLING_S + MEASURED_S + 600)
def test_the_memory_of_ingest_is_flat_over_an_hour_of_load(mosquitto: Mosquitto, tmp_path: Path) -> None:
    with vigil("ingest", "--broker", mosquitto.url, "--log", tmp_path / "log") as child:
        until(lambda: mosquitto.knows("vigil-ingest"), 60)
        publish.send(mosquitto.connection, load(SETTLING_S))
        settled = psutil.Process(child.pid).memory_info().rss
        publish.send(mosquitto.connection, load(MEASURED_S))
        assert psutil.Process(child.pid).memory_info().rss < settled * GROWTH

"""From a reading published to its alert in the store: thefts among background readings, measured one by one.

    python -m benchmarks.latency --rate 1000 --seconds 60

Alerts wait for `lateness_ms` on purpose, so that readings which arrive out of order still count; that time is
subtracted. The broker is Mosquitto, everything else is as in production, each part a process of its own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from app import scenario
from app import store as stores
from app.places import find
from app.publish import Publication
from app.settings import Settings
from app.store import Filter
from benchmarks.site import Site, mosquitto, running

EXIT_READS = 3
THEFT_EVERY = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=1000, help="readings/s")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--lateness-ms", type=int, default=500)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as broker:
        chosen = Settings(data=Path(folder, "data"), broker_url=broker.url, lateness_ms=arguments.lateness_ms)
        with running("store", chosen, broker) as site:
            site.warm()
            tags = scenario.load(find("store")).items["tag"].to_pylist()
            left = play(site, tags, arguments.rate, arguments.seconds)
            report(site, left, arguments)


def play(site: Site, tags: list[str], rate: int, seconds: int) -> dict[str, int]:
    """Items on their shelf at the rate asked for, and one after the other leaves; when each was read last."""
    thieves = tags[: int(seconds / THEFT_EVERY)]
    site.send(shelf(tags, now_ms()))
    left: dict[str, int] = {}
    site.send(paced(tags[len(thieves) :], thieves, rate, seconds, left))
    return left


def shelf(tags: list[str], ts: int) -> Iterator[Publication]:
    """Every item is read twice where it belongs: once is not believed."""
    for offset in (-2_000, -1_000):
        for tag in tags:
            yield reading("shelf-denim", tag, ts + offset)


def paced(
    tags: list[str], thieves: list[str], rate: int, seconds: int, left: dict[str, int]
) -> Iterator[Publication]:
    began, sent = time.monotonic(), 0
    waiting = list(thieves)
    while (passed := time.monotonic() - began) < seconds:
        while sent < passed * rate:
            yield reading("shelf-denim", tags[sent % len(tags)], now_ms())
            sent += 1
        if waiting and passed > THEFT_EVERY * len(left):
            tag = waiting.pop(0)
            left[tag] = now_ms()
            yield from (reading("main-exit-gate", tag, left[tag] + number) for number in range(EXIT_READS))
        time.sleep(0.005)


def report(site: Site, left: dict[str, int], arguments: argparse.Namespace) -> None:
    site.wait(lambda: stores.search(site.engine, Filter(detectors=("shoplifting",))).total >= len(left))
    alerts = list(stores.all_alerts(site.engine, Filter(detectors=("shoplifting",))))
    tags = {alert.id: str(alert.evidence.events[-1].attributes["tag"]) for alert in alerts}
    delays = [alert.stored_ms - left[tags[alert.id]] - arguments.lateness_ms for alert in alerts]
    p50, p90, p99 = np.percentile(delays, [50, 90, 99])
    print(json.dumps({"rate": arguments.rate, "alerts": len(delays), "p50": p50, "p90": p90, "p99": p99}))
    print(f"published to stored, less the lateness: p50 {p50:.0f} ms, p90 {p90:.0f} ms, p99 {p99:.0f} ms")


def reading(reader: str, tag: str, ts: int) -> Publication:
    payload = {"reader": reader, "antenna": 1, "tag": tag, "ts": ts, "rssi": -45.0}
    return Publication(f"vigil/readings/{reader}", payload, ts)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


if __name__ == "__main__":
    main()

"""From a reading published to its alert in the store, and from a detector switched to the pipeline's obeying.

    python -m benchmarks.latency --rate 1000 --seconds 60

Thefts happen among background readings and are measured one by one. Alerts wait for `lateness_ms` on purpose,
so that readings which arrive out of order still count; that time is subtracted. The broker is Mosquitto,
everything else is as in production, each part a process of its own.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from app import store as stores
from app.settings import Settings
from app.store import Actor, Filter
from benchmarks.device import Device, Message, now_ms, reading
from benchmarks.shop import Shop
from benchmarks.site import Site, mosquitto, running

EXIT_READS = 3
THEFT_EVERY = 0.5
SWITCHES = 6
WARM_SECONDS = 20.0  # the first batches compile and load
ADMIN = Actor("benchmark", "admin")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=1000, help="readings/s")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--lateness-ms", type=int, default=500)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as broker:
        chosen = Settings(data=Path(folder, "data"), broker_url=broker.url, lateness_ms=arguments.lateness_ms)
        with running("store", chosen) as site:
            device = Device(broker.port)
            shop = Shop()
            site.wait_until_up()
            left = play(device, shop, arguments.rate, arguments.seconds)
            report(site, left, arguments)
            switch(site, device, shop, arguments.rate)


def play(device: Device, shop: Shop, rate: int, seconds: int) -> dict[str, int]:
    """The shop at the rate asked for, from which one item after the other leaves; when each was read last."""
    stolen = shop.take(int(seconds / THEFT_EVERY))
    device.publish(list(shelf(stolen, now_ms())))
    hold(device, shop, rate, WARM_SECONDS)
    left: dict[str, int] = {}
    waiting, began = iter(stolen), time.monotonic()
    for passed in shop.hold(device, rate, seconds):
        if passed > THEFT_EVERY * len(left) and (item := next(waiting, None)) is not None:
            tag, _ = item
            left[tag] = now_ms()
            device.publish([reading("main-exit-gate", tag, left[tag] + n) for n in range(EXIT_READS)])
    hold(device, shop, rate, 5.0)
    print(f"{time.monotonic() - began:.0f} s at {rate} readings/s")
    return left


def shelf(items: Iterable[tuple[str, str]], ts: int) -> Iterator[Message]:
    """Every item is read twice where it belongs: once is not believed."""
    for offset in (-2_000, -1_000):
        for tag, home in items:
            yield reading(home, tag, ts + offset)


def hold(device: Device, shop: Shop, rate: int, seconds: float) -> None:
    for _ in shop.hold(device, rate, seconds):
        continue


def report(site: Site, left: dict[str, int], arguments: argparse.Namespace) -> None:
    site.wait(lambda: stores.search(site.engine, Filter(detectors=("shoplifting",))).total >= len(left))
    alerts = list(stores.all_alerts(site.engine, Filter(detectors=("shoplifting",))))
    tags = {alert.id: str(alert.evidence.events[-1].attributes["tag"]) for alert in alerts}
    delays = [alert.stored_ms - left[tags[alert.id]] - arguments.lateness_ms for alert in alerts]
    p50, p90, p99 = np.percentile(delays, [50, 90, 99])
    print(json.dumps({"rate": arguments.rate, "alerts": len(delays), "p50": p50, "p90": p90, "p99": p99}))
    print(f"published to stored, less the lateness: p50 {p50:.0f} ms, p90 {p90:.0f} ms, p99 {p99:.0f} ms")
    print(f"figures of the last batch: {site.figures()}", flush=True)


def switch(site: Site, device: Device, shop: Shop, rate: int) -> None:
    """Off and on again under load: from the change in the store to the batch that obeys."""
    delays = []
    for number in range(SWITCHES):
        stores.switch(site.engine, ADMIN, "store", "shoplifting", enabled=bool(number % 2), now_ms=now_ms())
        for _ in shop.hold(device, rate, 30.0):
            change = stores.switch_history(site.engine, "store", "shoplifting")[0]
            if change.applied_ms is not None:
                delays.append(change.applied_ms - change.at_ms)
                break
    print(f"detector switched to obeyed: {sorted(delays)} ms")


if __name__ == "__main__":
    main()

"""How fast the application starts, and whether it holds a rate of readings with flat memory.

python -m benchmarks.app --rate 5000 --minutes 10
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from app import scenario
from app import store as stores
from app.places import find
from app.publish import Publication
from app.settings import Settings
from benchmarks.latency import now_ms, reading
from benchmarks.site import Site, mosquitto, running

SAMPLE_SECONDS = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=5000, help="readings/s")
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as broker:
        chosen = Settings(data=Path(folder, "data"), broker_url=broker.url)
        began = time.monotonic()
        with running("store", chosen, broker) as site:
            for part in ("ingest", "pipeline"):
                site.wait(lambda name=part: site.supervisor.states[name] == "up")  # type: ignore[misc]
                print(f"{part} up after {time.monotonic() - began:.1f} s")
            site.warm()
            site.send(hold(site, arguments.rate, arguments.minutes * 60))
            ended = time.monotonic()
            site.wait(lambda: caught_up(site))
            print(f"caught up {time.monotonic() - ended:.1f} s after the last reading")


def hold(site: Site, rate: int, seconds: float) -> Iterator[Publication]:
    """Readings at the rate, and a line of figures now and then."""
    tags = scenario.load(find("store")).items["tag"].to_pylist()
    began, sent, sampled = time.monotonic(), 0, 0.0
    while (passed := time.monotonic() - began) < seconds:
        while sent < passed * rate:
            yield reading("shelf-denim", tags[sent % len(tags)], now_ms())
            sent += 1
        if passed - sampled >= SAMPLE_SECONDS:
            sampled = passed
            show(site, passed, sent)
        time.sleep(0.005)
    show(site, passed, sent)


def show(site: Site, passed: float, sent: int) -> None:
    latest = stores.latest(site.engine)
    figures = {
        name: round(latest[name].value) for name in ("delay_ms", "lag_rows", "batch_ms") if name in latest
    }
    memory = {name: f"{size:.0f} MiB" for name, size in site.memory().items()}
    print(f"{passed:5.0f} s: {sent / passed:,.0f} readings/s sent, {figures}, {memory}", flush=True)


def caught_up(site: Site) -> bool:
    latest = stores.latest(site.engine)
    return "lag_rows" in latest and latest["lag_rows"].value == 0


if __name__ == "__main__":
    main()

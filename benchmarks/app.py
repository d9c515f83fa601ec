"""How fast the application starts, and whether it holds a rate of readings with flat memory.

python -m benchmarks.app --rate 5000 --minutes 10
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from app import store as stores
from app.settings import Settings
from benchmarks.device import Device
from benchmarks.shop import Shop
from benchmarks.site import Site, mosquitto, running

SAMPLE_SECONDS = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=5000, help="readings/s")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--memory", default="2g", help="of Spark's driver: its heap fills up to that")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as broker:
        chosen = Settings(data=Path(folder, "data"), broker_url=broker.url, spark_memory=arguments.memory)
        with running("store", chosen) as site:
            device = Device(broker.port)
            site.wait_until_up()
            hold(site, device, arguments.rate, arguments.minutes * 60)
            device.finish()
            ended = time.monotonic()
            site.wait(lambda: caught_up(site))
            print(f"caught up {time.monotonic() - ended:.1f} s after the last reading")


def hold(site: Site, device: Device, rate: int, seconds: float) -> None:
    """Readings at the rate, and a line of figures now and then."""
    sampled = 0.0
    for passed in Shop().hold(device, rate, seconds):
        if passed - sampled >= SAMPLE_SECONDS:
            sampled = passed
            show(site, passed)


def show(site: Site, passed: float) -> None:
    readings = stores.totals(site.engine).get("readings", 0)
    memory = {name: f"{size:.0f} MiB" for name, size in site.memory().items()}
    print(f"{passed:5.0f} s: {readings:,} readings in, {site.figures()}, {memory}", flush=True)


def caught_up(site: Site) -> bool:
    latest = stores.latest(site.engine)
    return "lag_rows" in latest and latest["lag_rows"].value == 0


if __name__ == "__main__":
    main()

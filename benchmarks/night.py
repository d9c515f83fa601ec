"""What a place costs at night, when nothing is read: processor time of each part while only heartbeats come.

    python -m benchmarks.night --seconds 60

The broker is Mosquitto, which is not counted; every part is a process of its own, as in production. By
processor time, so that other work on the machine distorts it little. Only once Java has compiled what it runs
all the time does a night cost what it goes on costing: hence the wait before.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import psutil

from app.settings import Settings
from benchmarks.site import Site, mosquitto, processes, running

WARM_SECONDS = 120.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm", type=float, default=WARM_SECONDS, help="seconds to wait before")
    parser.add_argument("--spark", action="append", default=[], metavar="NAME=VALUE", help="a Spark option")
    arguments = parser.parse_args()
    options = dict(option.split("=", 1) for option in arguments.spark)
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder)) as broker:
        chosen = Settings(data=Path(folder, "data"), broker_url=broker.url, spark=options)
        with running("store", chosen) as site:
            site.wait_until_up()
            time.sleep(arguments.warm)
            report(site, arguments.seconds)


def report(site: Site, seconds: float) -> None:
    before = {name: busy(pid) for name, pid in site.supervisor.processes.items()}
    time.sleep(seconds)
    for name, pid in site.supervisor.processes.items():
        print(f"{name:<10} {100 * (busy(pid) - before[name]) / seconds:5.1f}% of a core")


def busy(pid: int) -> float:
    """Processor time of a part and of everything it has started and still runs."""
    total = 0.0
    for process in processes(pid):
        try:
            times = process.cpu_times()
            total += times.user + times.system
        except psutil.NoSuchProcess:
            continue
    return total


if __name__ == "__main__":
    main()

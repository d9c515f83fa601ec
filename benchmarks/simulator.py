"""Readings per second of processor time that the simulator writes and cleaning takes in, on one core.

Run with `python -m benchmarks.simulator`. Processor time, because the machine may have other work to do.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app.cleaning.cleaner import Cleaner
from app.place.scenario import load
from simulator.output.report_file import ReportFile
from simulator.play import Play, Scene
from simulator.worlds.world import MINUTE

LENGTH = 60 * MINUTE


def main() -> None:
    store = load(Path("scenarios/store.yaml"))
    for suffix in ("jsonl", "parquet"):
        with tempfile.TemporaryDirectory() as folder, ReportFile(Path(folder) / f"out.{suffix}") as file:
            _measure(
                f"to a .{suffix} file", Play(store, 1, length_ms=LENGTH), lambda s, f=file: f.write(s.reports)
            )
    cleaner = Cleaner(store)
    scenes = list(Play(store, 1, length_ms=LENGTH).scenes())
    cleaner.push(scenes[0].reports)
    began = time.process_time()
    count = sum(cleaner.push(scene.reports) is not None and scene.reports.num_rows for scene in scenes[1:])
    print(f"cleaning: {count / (time.process_time() - began):,.0f} readings per CPU second")


def _measure(what: str, play: Play, write: Callable[[Scene], None]) -> None:
    began, count = time.process_time(), 0
    for scene in play.scenes():
        write(scene)
        count += scene.reports.num_rows
    print(f"simulator {what}: {count / (time.process_time() - began):,.0f} readings per CPU second")


if __name__ == "__main__":
    main()

"""What a reading costs in a chain: processor time from frame to event and from event to match.

For few and many sites at the same total rate, with frames of the same size; and what a frame costs beside its
readings.

    python -m benchmarks.chain            1, 8, 64 and 512 sites
    python -m benchmarks.chain --quick    1 and 8, few frames

The operator's own step, in one process, with its state in memory: what Spark adds (its state store, planning,
the way to a worker) costs by micro-batch and partition, not by reading, and is not in these figures.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import psutil
from pyspark.sql import Row
from pyspark.sql.streaming.tws_tester import TwsTester

from app import log
from app.cleaning.setup import CleaningSetup
from app.detection.queries import defaults, rules
from app.log.row import STORED_SCHEMA, to_batch
from app.log.row import Row as LogRow
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario
from app.spark.sites import cleaned, place
from app.spark.sites.place import SitePlace
from app.spark.sites.processor import SitesProcessor
from sase.spark.apart import StreamPlan

RATE = 10_000  # readings a second, of all sites together
SIZES = (500, 100)  # readings in a frame
SITES, FRAMES = (1, 8, 64, 512), 1_024
QUICK_SITES, QUICK_FRAMES = (1, 8), 48
BEGIN = 1_800_000_000_000
WARM = 2  # frames of each site that count for nothing
COMPILING = 64  # frames of a first run that is not shown

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Clock:
    """Adds up the processor time of one function."""

    seconds: float = 0.0

    def around(self, function: Callable[P, T]) -> Callable[P, T]:
        def timed(*given: P.args, **named: P.kwargs) -> T:
            began = time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.seconds += time.process_time() - began

        return timed


@dataclass(frozen=True)
class Cost:
    """Of one frame, in microseconds of one core."""

    sites: int
    size: int
    to_event: float
    to_match: float
    beside: float  # reading and writing what is kept of the site
    memory: float  # MiB for each site, all queries and its catalog loaded


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    numbers, frames = (QUICK_SITES, QUICK_FRAMES) if arguments.quick else (SITES, FRAMES)
    measured(1, SIZES[0], COMPILING)
    print("µs of one core for a frame")
    print(f"{'sites':>6} {'frame':>6} {'to event':>10} {'to match':>10} {'beside':>8} {'MiB/site':>9}")
    for sites in numbers:
        both = [measured(sites, size, max(frames, 2 * sites)) for size in SIZES]
        for cost in both:
            print(
                f"{cost.sites:>6} {cost.size:>6} {cost.to_event:>10.0f} {cost.to_match:>10.0f} "
                f"{cost.beside:>8.0f} {cost.memory:>9.1f}",
                flush=True,
            )
        for words, cost in apart(*both).items():
            print(f"       {words}: {cost[0]:.2f} µs a reading, {cost[1]:,.0f} µs a frame", flush=True)


def apart(large: Cost, small: Cost) -> dict[str, tuple[float, float]]:
    """What a reading costs, and what a frame costs however many it has: from two sizes of frames."""
    found = {}
    for words, of in (("frame to event", "to_event"), ("event to match", "to_match")):
        reading = (getattr(large, of) - getattr(small, of)) / (large.size - small.size)
        found[words] = reading, getattr(small, of) - reading * small.size
    return found


def measured(sites: int, size: int, frames: int) -> Cost:
    """All sites in turn, a frame each, as they come at the total rate."""
    reading, matching = Clock(), Clock()
    push, step = cleaned.CleaningRun.push, StreamPlan.step
    cleaned.CleaningRun.push = reading.around(push)  # type: ignore[method-assign]
    StreamPlan.step = matching.around(step)  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            return _measured(Path(folder), sites, size, frames, (reading, matching))
    finally:
        cleaned.CleaningRun.push, StreamPlan.step = push, step  # type: ignore[method-assign]


def _measured(folder: Path, sites: int, size: int, frames: int, clocks: tuple[Clock, Clock]) -> Cost:
    shop, each = scenario.load(find_scenario("store")), -(-frames // sites) + WARM
    tester = TwsTester(SitesProcessor({}))
    asked = [_site(folder / str(number), shop) for number in range(sites)]
    for number, one in enumerate(asked):
        _record(Path(one["log"]), frames_of(shop, number, size, each, sites * size * 1000 // RATE))
    gc.collect()
    before = psutil.Process().memory_info().rss
    costs: list[tuple[float, float, float]] = []
    memory = 0.0
    for turn in range(each):
        for number, one in enumerate(asked):
            for clock in clocks:
                clock.seconds = 0.0
            began = time.process_time()
            tester.test(str(number), [Row(**one, upto=(turn + 1) * size)])
            whole = time.process_time() - began
            known = [clock.seconds for clock in clocks]
            if turn >= WARM:
                costs.append((*known, whole - sum(known)))
        if turn == WARM - 1:
            memory = (psutil.Process().memory_info().rss - before) / sites / (1 << 20)
    to_event, to_match, beside = (1e6 * statistics.fmean(part) for part in zip(*costs, strict=True))
    cleaned._streams.clear()
    return Cost(sites, size, to_event, to_match, beside, memory)


def _site(folder: Path, shop: Scenario) -> dict[str, object]:
    standing = {one.detector: one.parameters for one in defaults(shop) if one.enabled}
    setup = CleaningSetup(Path(shop.name), folder / "log", folder / "cleaning", 500)
    known = SitePlace(shop, rules(shop, standing), 500, setup.catalogs, setup.learned)
    written = place.write(folder, known)
    return {
        "site": folder.name,
        "name": folder.name,
        "log": str(setup.log),
        "place": str(written),
        "start": 0,
    }


def _record(folder: Path, frames: Iterator[list[LogRow]]) -> None:
    writer = log.LogWriter(folder, STORED_SCHEMA)
    for rows in frames:
        writer.append(to_batch(rows))
    writer.close()


def frames_of(shop: Scenario, seed: int, size: int, count: int, every_ms: int) -> Iterator[list[LogRow]]:
    """Items lie where they lie and are read again and again; now and then one is carried elsewhere."""
    chance = np.random.default_rng(seed)
    tags, readers = shop.items["tag"].to_pylist(), [reader.name for reader in shop.plan.readers]
    at = chance.integers(len(readers), size=len(tags))
    for frame in range(count):
        moved = chance.integers(len(tags), size=max(1, size // 50))
        at[moved] = chance.integers(len(readers), size=len(moved))
        read = chance.integers(len(tags), size=size)
        times = BEGIN + every_ms * frame + np.sort(chance.integers(every_ms or 1, size=size))
        yield [
            LogRow("reading", readers[at[tag]], 1, tags[tag], int(ts), -40.0, None, None, int(ts), "")
            for tag, ts in zip(read.tolist(), times.tolist(), strict=True)
        ]


if __name__ == "__main__":
    main()

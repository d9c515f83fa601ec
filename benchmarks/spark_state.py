"""What live state costs in Spark: time per micro-batch and memory as it grows, and recovery from it.

python -m benchmarks.spark_state growth [--events N], and python -m benchmarks.spark_state recovery; local[2].
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from app.spark.session import session
from benchmarks.spark import keep, read
from sase.spark import match

QUERY = "EVENT SEQ(E1 x, E2 y) WHERE [attr1] WITHIN 30 days RETURN x.ts AS a"
LEVELS = (10_000, 50_000, 100_000, 500_000, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000)
PROBE = 1_000  # events of a micro-batch whose time is taken
PROBES = 9
WARM_UP = 60  # micro-batches until the JVM has compiled what it will
RECOVERED = 1_000_000


def main(part: str, events: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        if part == "growth":
            grow(opened(), Path(name), [level for level in LEVELS if level <= events])
        else:
            recover(Path(name))


def opened(**config: str) -> SparkSession:
    return session("benchmark", config={"spark.driver.memory": "6g"} | config)


def grow(spark: SparkSession, folder: Path, levels: list[int]) -> None:
    """Small micro-batches at ever more live events; what is between two levels comes in large ones."""
    warmed = Growth(spark, folder / "warming")
    warmed.grow([PROBE] * WARM_UP)
    warmed.query.stop()
    growth = Growth(spark, folder / "growth")
    for level in levels:
        growth.grow(_loads(level - growth.live - PROBES * PROBE))
        growth.grow([PROBE] * PROBES)
        progress = [each for each in growth.query.recentProgress if each["numInputRows"]]
        spans = [each["durationMs"]["triggerExecution"] for each in progress[-PROBES:]]
        figures, memory = told(growth.query), list(workers())
        print(
            f"live {figures['live']:>9,}: {PROBE:,} rows in {median(spans):,.0f} ms "
            f"({min(spans)} to {max(spans)}); "
            f"{figures['bytes'] / figures['live']:.0f} bytes an event in state; "
            f"{len(memory)} Python processes hold {sum(memory) / 2**20:,.0f} MiB",
            flush=True,
        )
    growth.query.stop()


class Growth:
    """A stream whose events all stay live."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._source = folder / "in"
        self._source.mkdir(parents=True)
        self.query = started(spark, folder)
        self.live = 0

    def grow(self, sizes: list[int]) -> None:
        """One micro-batch after the other."""
        for size in sizes:
            write(self._source, self.live, size)
            self.live += size
            self.query.processAllAvailable()


def _loads(events: int) -> list[int]:
    """In micro-batches of up to a million."""
    return [min(1_000_000, events - start) for start in range(0, max(0, events), 1_000_000)]


def recover(folder: Path) -> None:
    """With and without state: in this session, every Python worker a new one; and in a process of its own."""
    spark = opened(**{"spark.python.worker.reuse": "false"})
    for live in (1, RECOVERED):
        here, elsewhere = folder / f"{live} here", folder / f"{live} elsewhere"
        stored(spark, here, live)
        stored(spark, elsewhere, live)
        recovered(spark, here, "in a session that runs, all Python workers new")
        subprocess.run(
            [sys.executable, "-m", "benchmarks.spark_state", "restart", str(elsewhere)], check=True
        )


def stored(spark: SparkSession, folder: Path, events: int) -> None:
    """A checkpoint with so many live events, and an event that has not been read yet."""
    growth = Growth(spark, folder)
    growth.grow([events])
    growth.query.stop()
    write(folder / "in", events, 1, "E2", key=0)


def restart(folder: Path) -> None:
    """In a process of its own, nothing in memory."""
    spark = opened()
    up = time.time() - psutil.Process().create_time()
    recovered(spark, folder, f"in a new process, whose session was there after {up:.1f} s")


def recovered(spark: SparkSession, folder: Path, how: str) -> None:
    """From the query's start to the end of its first micro-batch; a match with the oldest event proves it."""
    began = time.perf_counter()
    query = started(spark, folder)
    while not query.recentProgress:
        assert query.isActive, query.exception()
        time.sleep(0.01)
    seconds = time.perf_counter() - began
    figures = told(query)
    spans = query.recentProgress[0]["durationMs"]
    query.stop()
    assert figures["matches"] == 1
    print(
        f"{figures['live']:>9,} live events, {how}: {seconds:.1f} s from start to first result "
        f"(planning {spans['queryPlanning'] / 1000:.1f} s, batch {spans['addBatch'] / 1000:.1f} s; "
        f"replay {figures['replay_ms'] / 1000:.1f} s, buckets added up)",
        flush=True,
    )


def started(spark: SparkSession, folder: Path) -> StreamingQuery:
    result: DataFrame = match(read(spark, folder / "in"), {"q": QUERY})
    return result.writeStream.format("noop").option("checkpointLocation", str(folder / "checkpoint")).start()


def write(source: Path, start: int, size: int, kind: str = "E1", key: int | None = None) -> None:
    """Events that all wait for a partner, each with a key of its own."""
    times = np.arange(start, start + size)
    keys = times if key is None else np.full(size, key)
    kinds = pa.array([kind] * size)
    reals = keys.astype(float)
    table = pa.table({"event": kinds, "ts": times, "attr1": keys, "attr2": keys, "attr3": reals})
    keep(source, len(list(source.iterdir())), table)


def told(query: StreamingQuery) -> dict[str, Any]:
    last = [p for p in query.recentProgress if p["numInputRows"]][-1]
    return next(iter(last["observedMetrics"].values())).asDict()  # type: ignore[no-any-return]


def workers() -> Iterator[int]:
    """The memory of each Python process of Spark's; what several share is divided between them."""
    for process in _daemons():
        yield process.memory_full_info().pss


def _daemons() -> list[psutil.Process]:
    """Python processes that Spark has forked to work for this session, and the one that forks them."""
    children = psutil.Process().children(recursive=True)
    return [process for process in children if "spark.daemon" in " ".join(process.cmdline())]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark_state", description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    growing = parts.add_parser("growth", help="time per micro-batch and memory, from 10,000 live events on")
    growing.add_argument("--events", type=int, default=LEVELS[-1], help=f"up to; default {LEVELS[-1]:,}")
    parts.add_parser("recovery", help=f"of {RECOVERED:,} live events")
    restarting = parts.add_parser("restart", help="what recovery runs in a process of its own")
    restarting.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    if arguments.part == "restart":
        restart(arguments.folder)
    else:
        main(arguments.part, getattr(arguments, "events", 0))

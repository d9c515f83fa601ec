"""What live state costs in Spark: time per micro-batch as it grows, memory, a restart in a new process.

python -m benchmarks.spark_state [EVENTS]: up to EVENTS live events (5,000,000), on local[2].
"""

from __future__ import annotations

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

from app.spark import session
from benchmarks.spark import keep, read
from sase.spark import match

QUERY = "EVENT SEQ(E1 x, E2 y) WHERE [attr1] WITHIN 30 days RETURN x.ts AS a"
PROBE = 10_000  # events of a micro-batch whose time is taken
PROBES = 5


def main(events: int) -> None:
    spark = session("benchmark", config={"spark.driver.memory": "6g"})
    with tempfile.TemporaryDirectory() as name:
        grow(spark, Path(name), events)
        for live in (1, 1_000_000):
            folder = Path(name, str(live))
            stored(spark, folder, live)
            command = [sys.executable, "-m", "benchmarks.spark_state", "restart", str(folder)]
            subprocess.run(command, check=True)


def grow(spark: SparkSession, folder: Path, events: int) -> None:
    """Small micro-batches at ever more live events; what is between two levels comes in large ones."""
    source = folder / "growth"
    source.mkdir()
    query = started(spark, source, folder / "growth.checkpoint")
    live = 0
    for level in [PROBE, *(events * share // 100 for share in (2, 10, 20, 40, 60, 80, 100))]:
        for size in [*_loads(level - live - PROBES * PROBE), *[PROBE] * PROBES]:
            write(source, live, size)
            live += size
            query.processAllAvailable()
        spans = [p["durationMs"]["triggerExecution"] for p in query.recentProgress if p["numInputRows"]]
        figures = told(query)
        print(
            f"live {figures['live']:>9,}: {PROBE:,} rows in {median(spans[-PROBES:]):,.0f} ms "
            f"({', '.join(map(str, spans[-PROBES:]))}); an event takes "
            f"{figures['bytes'] / figures['live']:.0f} bytes of state, "
            f"{sum(workers()) / figures['live']:.0f} in {len(list(workers()))} Python workers",
            flush=True,
        )
    query.stop()


def _loads(events: int) -> list[int]:
    """In micro-batches of up to a million."""
    return [min(1_000_000, events - start) for start in range(0, max(0, events), 1_000_000)]


def stored(spark: SparkSession, folder: Path, events: int) -> None:
    """A checkpoint with so many live events."""
    source = folder / "in"
    source.mkdir(parents=True)
    write(source, 0, events)
    query = started(spark, source, folder / "checkpoint")
    query.processAllAvailable()
    query.stop()
    write(source, events, 1, "E2", key=0)


def restart(folder: Path) -> None:
    """In a process of its own, nothing in memory; a match with the oldest event shows that all is back."""
    began = time.perf_counter()
    spark = session("benchmark", config={"spark.driver.memory": "6g"})
    opened = time.perf_counter()
    query = started(spark, folder / "in", folder / "checkpoint")
    while not query.recentProgress:
        time.sleep(0.01)
    done = time.perf_counter()
    figures = told(query)
    assert figures["matches"] == 1
    print(
        f"restart with {figures['live']:,} live events: {done - opened:.1f} s from start to first result, "
        f"of which replay {figures['replay_ms'] / 1000:.1f} s, buckets added up "
        f"(the session before that: {opened - began:.1f} s)"
    )
    query.stop()


def started(spark: SparkSession, source: Path, checkpoint: Path) -> StreamingQuery:
    result: DataFrame = match(read(spark, source), {"q": QUERY})
    return result.writeStream.format("noop").option("checkpointLocation", str(checkpoint)).start()


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
    """The resident memory of each Python worker."""
    for process in psutil.Process().children(recursive=True):
        if "pyspark.daemon" in " ".join(process.cmdline()):
            yield process.memory_info().rss


if __name__ == "__main__":
    if sys.argv[1:2] == ["restart"]:
        restart(Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000)

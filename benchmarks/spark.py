"""Spark side by side: our operator, the same without a matcher, the naive way, the self-join.

python -m benchmarks.spark [ROWS]: ROWS events per micro-batch (1,000,000), all on local[2], from Parquet.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

import sase
from app.spark import session
from sase.spark import level, match, matches, output
from sase.spark.processor import Processor
from sase.spark.snapshot import from_bytes, to_bytes
from sase.spark.work import unpacked

WINDOW = 10_000
QUERY = f"EVENT SEQ(E1 x, E2 y, E3 z) WHERE [attr1] WITHIN {WINDOW} ms RETURN x.ts AS a, y.ts AS b, z.ts AS c"
SCHEMA = "event string, ts bigint, attr1 bigint, attr2 bigint, attr3 double"


def main(rows: int) -> None:
    spark = session("benchmark", config={"spark.driver.memory": "6g"})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "full", rows, batches=5)
        write(folder / "part", rows // 10, batches=3)
        ours = rate(folder, "ours", match_of(read(spark, folder / "full")))
        floor = rate(folder, "floor", floor_of(read(spark, folder / "full")))
        part = rate(folder, "ours", match_of(read(spark, folder / "part")), "part")
        naive = rate(folder, "naive", naive_of(read(spark, folder / "part")), "part")
        joined = rate(folder, "self-join", join_of(read(spark, folder / "full")))
        print(f"ours {ours:,.0f}/s, {ours / floor:.0%} of the floor's {floor:,.0f}/s ({rows:,} a batch)")
        print(f"ours {ours / joined:.1f}x the self-join ({rows:,} a batch)")
        print(f"ours {part / naive:.1f}x the naive way ({rows // 10:,} a batch)")
        same_results(folder)
        growth(spark, folder, rows)


def write(folder: Path, rows: int, batches: int) -> None:
    """20 types, domain 1,000, one event per millisecond."""
    folder.mkdir()
    chance = np.random.default_rng(1)
    names = np.array([f"E{number}" for number in range(1, 21)])
    for batch in range(batches):
        table = pa.table(
            {
                "event": names[chance.integers(0, 20, rows)],
                "ts": np.arange(batch * rows, (batch + 1) * rows),
                "attr1": chance.integers(0, 1000, rows),
                "attr2": chance.integers(0, 1000, rows),
                "attr3": chance.random(rows),
            }
        )
        _keep(folder, batch, table)


def _keep(folder: Path, number: int, table: pa.Table) -> None:
    """Spark reads files in the order of their modification."""
    file = folder / f"{number:03}.parquet"
    pq.write_table(table, file, row_group_size=max(1, table.num_rows // 4))
    os.utime(file, (1_700_000_000 + number,) * 2)


def read(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(folder))


def rate(folder: Path, name: str, result: DataFrame, data: str = "full") -> float:
    """Events per second of the best micro-batch after the first, which starts the workers."""
    found = folder / f"{name}-{data}.found"

    def sink(batch: DataFrame, _: int) -> None:
        with found.open("a") as file:
            file.writelines(f"{list(row)}\n" for row in batch.collect())

    found.touch()
    query = (
        result.writeStream.foreachBatch(sink)
        .option("checkpointLocation", str(folder / f"{name}-{data}.checkpoint"))
        .start()
    )
    query.processAllAvailable()
    spans = [(p["numInputRows"], p["durationMs"]["triggerExecution"]) for p in query.recentProgress]
    query.stop()
    rates = [1000 * rows / span for rows, span in spans[1:] if rows]
    print(f"{name:10} {data}: {', '.join(f'{each:,.0f}' for each in rates)} events/s")
    return max(rates)


def match_of(events: DataFrame) -> DataFrame:
    fields = F.from_json("attributes", "a bigint, b bigint, c bigint").alias("found")
    return matches(match(events, {"q": QUERY})).select(fields).select("found.*")


class Idle(Processor):
    """Everything but the matching: rows arrive, are unpacked, and a little state is written."""

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803, ARG002
        count = sum(table.num_rows for table in unpacked(rows).tables)
        head = self.store.load()
        if head is not None:
            self.store.save(head)
        clock = timerValues.getCurrentWatermarkInMs()
        return output.finished([output.row("metric", kept=count)], _moment(clock))


def _moment(clock: int) -> Any:
    return datetime.fromtimestamp(max(clock, 0) / 1000, UTC)


def floor_of(events: DataFrame) -> DataFrame:
    level.Processor = Idle  # type: ignore[misc]
    try:
        return match_of(events)
    finally:
        level.Processor = Processor  # type: ignore[misc]


class Naive(StatefulProcessor):
    """What one would write first: a key per tag, the engine inside, its state saved after every call."""

    def init(self, handle: Any) -> None:
        self._state = handle.getValueState("state", "snapshot binary")
        self._query = sase.compile(QUERY)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:  # noqa: N802, N803, ARG002
        import pandas as pd

        saved = self._state.get()
        matcher = self._query.matcher(from_bytes(saved[0]) if saved else None)
        events = pd.concat(list(rows)).sort_values("ts")
        found = list(matcher.push(pa.RecordBatch.from_pandas(events, preserve_index=False)))
        self._state.update((to_bytes(matcher.snapshot()),))
        yield pd.DataFrame([each.attributes for each in found], columns=["a", "b", "c"])

    def close(self) -> None:
        pass


def naive_of(events: DataFrame) -> DataFrame:
    kept = events.where("event in ('E1', 'E2', 'E3')")
    return kept.groupBy("attr1").transformWithStateInPandas(
        Naive(), "a bigint, b bigint, c bigint", "append", "None"
    )


def join_of(events: DataFrame) -> DataFrame:
    """What a Spark user writes today; the middle time is a number, or the join has two event times."""
    timed = events.withColumn("time", F.timestamp_millis("ts"))

    def one(kind: str, name: str) -> DataFrame:
        own = timed.where(F.col("event") == kind).withWatermark("time", "0 seconds")
        times = (F.col("time").alias(f"t{name}"), F.col("ts").alias(name))
        return own.select(F.col("attr1").alias(f"k{name}"), *times)

    span = F.expr(f"INTERVAL {WINDOW // 1000} SECONDS")

    def inside(name: str) -> Column:
        return (F.col(f"t{name}") > F.col("ta")) & (F.col(f"t{name}") < F.col("ta") + span)

    pair = one("E1", "a").join(one("E2", "b"), (F.col("ka") == F.col("kb")) & inside("b"))
    three = (F.col("ka") == F.col("kc")) & inside("c") & (F.col("c") > F.col("b"))
    return pair.select("ka", "ta", "a", "b").join(one("E3", "c"), three).select("a", "b", "c")


def same_results(folder: Path) -> None:
    """The last rows of a join wait for its watermark: it may lack the end."""
    ours, naive = (sorted((folder / f"{name}-part.found").open()) for name in ("ours", "naive"))
    whole, joined = (sorted((folder / f"{name}-full.found").open()) for name in ("ours", "self-join"))
    assert ours == naive
    assert set(joined) <= set(whole)
    print(f"equal results: {len(ours):,} as the naive way, {len(joined):,} of {len(whole):,} as the join")


def growth(spark: SparkSession, folder: Path, rows: int) -> None:
    """Micro-batches of equal size while the live state grows to 5 x ROWS; then a restart with all of it."""
    query = "EVENT SEQ(E1 x, E2 y) WHERE [attr1] WITHIN 30 days RETURN x.ts AS a"
    source = folder / "growth"
    source.mkdir()
    sizes = [rows // 100] * 2 + [rows] * 5 + [rows // 100] * 3
    start = 0
    for number, size in enumerate(sizes):
        keys = np.arange(start, start + size)
        kinds = pa.array(["E1"] * size)
        table = pa.table(
            {"event": kinds, "ts": keys, "attr1": keys, "attr2": keys, "attr3": keys.astype(float)}
        )
        _keep(source, number, table)
        start += size
    result = match(read(spark, source), {"q": query})
    run = (
        result.writeStream.format("noop")
        .option("checkpointLocation", str(folder / "growth.checkpoint"))
        .start()
    )
    run.processAllAvailable()
    for progress in run.recentProgress:
        figures = next(iter(progress["observedMetrics"].values())).asDict()
        span = progress["durationMs"]["triggerExecution"]
        live, size = figures["live"] or 0, figures["bytes"] or 0
        rows_in = progress["numInputRows"]
        print(f"live {live:>9,}: {rows_in:>9,} rows in {span:>6,} ms, {size / max(live, 1):.0f} bytes each")
    run.stop()
    restart(spark, folder, source, query, start)


def restart(spark: SparkSession, folder: Path, source: Path, query: str, start: int) -> None:
    """Matchers are brought up to date from state alone: those in memory are of another text."""
    last = pa.table({"event": ["E2"], "ts": [start], "attr1": [5], "attr2": [5], "attr3": [5.0]})
    _keep(source, 999, last)
    began = time.perf_counter()
    checkpoint = str(folder / "growth.checkpoint")
    result = match(read(spark, source), {"q": f"{query} "})
    run = result.writeStream.format("noop").option("checkpointLocation", checkpoint).start()
    run.processAllAvailable()
    took = time.perf_counter() - began
    figures = [
        next(iter(p["observedMetrics"].values())).asDict() for p in run.recentProgress if p["numInputRows"]
    ]
    print(f"restart: {took:.1f} s, of which replay {json.dumps(figures[0])}")
    run.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)

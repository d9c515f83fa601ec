"""Spark side by side: our operator, the same without a matcher, the naive way, the self-join.

python -m benchmarks.spark [--events N], on local[2], Parquet to Parquet. Ours and the floor run in turn; of
each the best micro-batch of all rounds counts, but for the first of a round, which starts the workers.
What grows with the state is in benchmarks.spark_state.
"""

from __future__ import annotations

import argparse
import os
import tempfile
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
from pyspark.sql.types import StructType

import sase
from app.spark.session import session
from sase.spark import levels, match, matches
from sase.spark.bucket.incoming import unpacked
from sase.spark.bucket.processor import Processor
from sase.spark.bucket.snapshot import from_bytes, to_bytes
from sase.spark.output.rows import finished, metric

WINDOW = 10_000
QUERY = f"EVENT SEQ(E1 x, E2 y, E3 z) WHERE [attr1] WITHIN {WINDOW} ms RETURN x.ts AS a, y.ts AS b, z.ts AS c"
SCHEMA = "event string, ts bigint, attr1 bigint, attr2 bigint, attr3 double"


def main(rows: int, rounds: int) -> None:
    spark = session("benchmark", config={"spark.driver.memory": "6g"})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        full, few, part = folder / "full", folder / "few", folder / "part"
        write(full, rows, 6)
        write(few, rows, 3)
        write(part, rows // 10, 3)
        # In turn: whoever runs first warms up the JVM for the others.
        pairs = [
            (
                run(match_of(read(spark, full)), rows, folder, f"ours {turn}"),
                run(floor_of(read(spark, full)), rows, folder, f"floor {turn}"),
            )
            for turn in range(1, rounds + 1)
        ]
        ours, floor = map(max, zip(*pairs, strict=True))
        run(match_of(read(spark, few)), rows, folder, "ours, few")
        joined = run(join_of(read(spark, few)), rows, folder, "self-join")
        small = run(match_of(read(spark, part)), rows // 10, folder, "ours, small")
        naive = run(naive_of(read(spark, part)), rows // 10, folder, "naive, small")
        print(f"ours {ours:,.0f}/s, {ours / floor:.0%} of the floor's {floor:,.0f}/s ({rows:,} a batch)")
        print(f"ours {ours / joined:.1f}x the self-join ({rows:,} a batch)")
        print(f"ours {small / naive:.1f}x the naive way ({rows // 10:,} a batch)")
        same(spark, folder, "ours, few", "self-join")
        same(spark, folder, "ours, small", "naive, small")


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
        keep(folder, batch, table)


def keep(folder: Path, number: int, table: pa.Table) -> None:
    """One file, complete the moment it appears; Spark reads files in the order of their modification."""
    draft = folder.with_suffix(".draft")
    pq.write_table(table, draft, row_group_size=max(1, table.num_rows // 4))
    os.utime(draft, (1_700_000_000 + number,) * 2)
    draft.rename(folder / f"{number:03}.parquet")


def read(spark: SparkSession, folder: Path) -> DataFrame:
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(folder))


def run(result: DataFrame, rows: int, folder: Path, name: str) -> float:
    """Events per second of the best micro-batch after the first, which starts the workers.

    A micro-batch has `rows` events: a join reads its source three times, so Spark's own count is not asked.
    """
    query = (
        result.writeStream.format("parquet")
        .option("path", str(folder / f"{name}.found"))
        .option("checkpointLocation", str(folder / f"{name}.checkpoint"))
        .start()
    )
    query.processAllAvailable()
    spans = [p["durationMs"]["triggerExecution"] for p in query.recentProgress if p["numInputRows"]]
    query.stop()
    rates = [1000 * rows / span for span in spans[1:]]
    print(f"{name:12}: {', '.join(f'{each:,.0f}' for each in rates)} events/s", flush=True)
    return max(rates)


def match_of(events: DataFrame) -> DataFrame:
    fields = F.from_json("attributes", "a bigint, b bigint, c bigint").alias("found")
    return matches(match(events, {"q": QUERY})).select(fields).select("found.*")


class Idle(Processor):
    """Everything but the matching: rows arrive, are unpacked, and a little state is written."""

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803, ARG002
        count = sum(table.num_rows for table in unpacked(rows).tables)
        head = self.state.load()
        if head is not None:
            self.state.save(head)
        clock = timerValues.getCurrentWatermarkInMs()
        return finished([metric({"kept": count})], _moment(clock), StructType())


def _moment(clock: int) -> Any:
    return datetime.fromtimestamp(max(clock, 0) / 1000, UTC)


def floor_of(events: DataFrame) -> DataFrame:
    levels.Processor = Idle  # type: ignore[misc]
    try:
        return match_of(events)
    finally:
        levels.Processor = Processor  # type: ignore[misc]


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


def same(spark: SparkSession, folder: Path, ours: str, theirs: str) -> None:
    """The same matches, each once."""
    first, second = (
        sorted(map(tuple, spark.read.parquet(str(folder / f"{name}.found")).collect()))
        for name in (ours, theirs)
    )
    assert first == second, f"{ours} found {len(first):,}, {theirs} {len(second):,}"
    print(f"{ours} and {theirs}: the same {len(first):,} matches")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spark", description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000, help="per micro-batch; default 1,000,000")
    parser.add_argument("--rounds", type=int, default=3, help="of ours and of the floor; default 3")
    arguments = parser.parse_args()
    main(arguments.events, arguments.rounds)

"""Many queries in one Spark operator: `python -m benchmarks.many_spark [--queries N …] [--events N]`.

On local[1], Parquet to Parquet. A hundred operators of one query each would need a hundred streams: what they
would cost is that of three of them, one of each form, times their number. After `--minutes` no further
number of queries is begun; a thousand come only when asked for (`--queries 1000`).
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from app.spark.session import session
from benchmarks import many
from benchmarks.spark import keep, run
from sase.spark import match, matches

COUNTS = (1, 10, 100)
BATCHES = 4
FORMS = 3
SCHEMA = "event string, ts bigint, tag string, area string, price bigint"


def main(argv: Sequence[str] | None = None) -> None:
    arguments = _arguments(argv)
    until = time.monotonic() + 60 * arguments.minutes
    spark = session("benchmark", master="local[1]", config={"spark.driver.memory": "4g"})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "events", arguments.events)
        one_each = many.queries(FORMS).items()
        rates = [rate(spark, folder, {name: text}, arguments.events, name) for name, text in one_each]
        alone = sum(1 / each for each in rates) / len(rates)
        for count in arguments.queries:
            if time.monotonic() > until:
                print(f"{count:,} queries: not tried, {arguments.minutes:g} minutes are over", flush=True)
                continue
            found = rate(spark, folder, many.queries(count), arguments.events, f"{count} queries")
            cost = 1 / found / (count * alone)
            print(f"{count:,} queries: {found:,.0f} events/s, {cost:.0%} of as many operators", flush=True)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many_spark", description=__doc__)
    parser.add_argument("--queries", type=int, nargs="+", default=COUNTS, metavar="N")
    parser.add_argument("--minutes", type=float, default=8, help="after which nothing more is begun")
    parser.add_argument("--events", type=int, default=50_000, help="in a micro-batch")
    return parser.parse_args(argv)


def write(folder: Path, events: int) -> None:
    folder.mkdir()
    stream = pa.Table.from_batches(many.stream(BATCHES * events))
    for number in range(BATCHES):
        keep(folder, number, stream.slice(number * events, events))


def rate(spark: SparkSession, folder: Path, queries: Mapping[str, str], events: int, name: str) -> float:
    read = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(folder / "events"))
    return run(_matched(read, queries), events, folder, name)


def _matched(events: DataFrame, queries: Mapping[str, str]) -> DataFrame:
    return matches(match(events, queries)).select("query", "ts", "attributes")


if __name__ == "__main__":
    main()

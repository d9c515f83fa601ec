"""A restart with other buckets, partition attributes or levels finds what a stream that never stopped finds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from sase.spark import match
from tests.sase.spark.streams import Event, drained, read, write

SCHEMA = "event string, ts bigint, id bigint, room string, v bigint"
BEFORE, AFTER = 2, 3  # micro-batches before and after the restart
QUERIES = {
    "pair": "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND x.v < y.v WITHIN 10 sec",
    "alone": "EVENT SEQ(A x, !(B n)) WHERE [id] WITHIN 3 sec RETURN x.id AS id, x.room AS room INTO ALONE",
    "twice": "EVENT SEQ(ALONE p, ALONE q) WHERE [id] WITHIN 20 sec",
    "once": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 8 sec OUTPUT NON-OVERLAP",
    "next": "EVENT SEQ(A x, D y) WHERE strict_contiguity(x, y) { x.v <= y.v } WITHIN 9 events",
    "beside": "EVENT SEQ(A x, D y) WHERE partition_contiguity(x, y) { [id] } WITHIN 9 sec",
}
CONSTRAINTS = "exclusive(C, D) BY id FOR 20 sec"
ROOMS = "EVENT SEQ(A x, B y) WHERE [room] WITHIN 10 sec"
THRICE = "EVENT SEQ(ALONE p, B q) WHERE [room] WITHIN 20 sec"


def batches() -> list[list[Event]]:
    """Events out of order within 300 ms, and a heartbeat long after the last."""
    chance = random.Random(14)
    draw = chance.randrange
    found = [
        [
            {
                "event": chance.choice("ABCD"),
                "ts": 100 * at + draw(300),
                "id": draw(6),
                "room": f"room {draw(3)}",
                "v": draw(10),
            }
            for at in range(40 * batch, 40 * batch + 40)
        ]
        for batch in range(BEFORE + AFTER)
    ]
    return [*found, [{"event": "HEARTBEAT", "ts": 100_000}]]


class Restarted:
    """A stream that stops after some micro-batches and goes on from its checkpoint with other settings."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self._folder = spark, folder
        self.checkpoint = folder / "checkpoint"
        write(folder / "in", batches()[:BEFORE])

    def matched(self, queries: Mapping[str, str], **settings: Any) -> DataFrame:
        events = read(self._spark, self._folder / "in", SCHEMA)
        return match(events, queries, lateness="1 sec", **{"constraints": CONSTRAINTS} | settings)

    def found(
        self, before: tuple[Mapping[str, str], dict[str, Any]], after: tuple[Mapping[str, str], dict[str, Any]]
    ) -> list[Row]:
        first = drained(self.matched(before[0], **before[1]), self.checkpoint)
        write(self._folder / "in", batches()[BEFORE:], BEFORE)
        path = self.checkpoint.as_uri()
        return first + drained(self.matched(after[0], checkpoint=path, **after[1]), self.checkpoint)


def told(rows: list[Row]) -> Counter[tuple[str, ...]]:
    columns = ("kind", "query", "id", "ts", "events", "reason")
    return Counter(tuple(str(row[name]) for name in columns) for row in rows)


@pytest.fixture(scope="module")
def unbroken(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Counter[tuple[str, ...]]:
    """What the stream gives that never stops."""
    folder = tmp_path_factory.mktemp("unbroken")
    write(folder / "in", batches())
    events = read(spark, folder / "in", SCHEMA)
    result = match(events, QUERIES, lateness="1 sec", constraints=CONSTRAINTS, buckets=2)
    return told(drained(result, folder / "checkpoint"))


@pytest.mark.parametrize(("before", "after"), [(2, 3), (3, 1)])
def test_another_number_of_buckets_changes_nothing_that_is_found(
    spark: SparkSession, tmp_path: Path, unbroken: Counter[tuple[str, ...]], before: int, after: int
) -> None:
    stream = Restarted(spark, tmp_path)
    rows = stream.found((QUERIES, {"buckets": before}), (QUERIES, {"buckets": after}))
    assert {query for _, query, *_ in unbroken} >= QUERIES.keys()
    assert told(rows) == unbroken

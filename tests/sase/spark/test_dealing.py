"""A restart with other buckets, partition attributes or levels finds what one run would have found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from sase.spark import match
from tests.sase.spark.streams import Event, drained, read, write

SCHEMA = "event string, ts bigint, id bigint, room string, v bigint"
QUERIES = {
    "pair": "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND x.v < y.v WITHIN 10 sec",
    "alone": "EVENT SEQ(A x, !(B n)) WHERE [id] WITHIN 2 sec RETURN x.id AS id, x.room AS room INTO ALONE",
    "twice": "EVENT SEQ(ALONE p, ALONE q) WHERE [id] WITHIN 20 sec RETURN p.id AS id INTO TWICE",
    "once": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 8 sec OUTPUT NON-OVERLAP",
    "next": "EVENT SEQ(A x, D y) WHERE strict_contiguity(x, y) { x.v <= y.v } WITHIN 9 events",
    "beside": "EVENT SEQ(A x, D y) WHERE partition_contiguity(x, y) { [id] } WITHIN 9 sec",
}
ADDED = {
    "rooms": "EVENT SEQ(A x, B y) WHERE [room] WITHIN 10 sec",  # a new partition attribute
    "around": "EVENT SEQ(ALONE p, B y) WHERE [room] WITHIN 10 sec",  # the same on the second level
    "third": "EVENT SEQ(ALONE p, TWICE t) WHERE [id] WITHIN 20 sec",  # a level more
}
CONSTRAINTS = "exclusive(C, D) BY id FOR 20 sec"
NO_DATA = "spark.sql.streaming.noDataMicroBatches.enabled"
CUT = 60  # events before the restart


def batches() -> list[list[Event]]:
    """Events out of order within 300 ms, before a restart and after it, and a heartbeat long after them."""
    chance = random.Random(14)
    draw = chance.randrange
    events = [
        {
            "event": chance.choice("ABCD"),
            "ts": 100 * at + draw(300),
            "id": draw(5),
            "room": f"room {draw(3)}",
            "v": draw(10),
        }
        for at in range(2 * CUT)
    ]
    return [events[:CUT], events[CUT:], [{"event": "HEARTBEAT", "ts": 100_000}]]


class Restarted:
    """A stream that stops after some micro-batches and goes on from its checkpoint with other settings."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark, self._folder = spark, folder
        self.checkpoint = folder / "checkpoint"
        write(folder / "in", batches()[:1])

    def before(self, **settings: Any) -> list[Row]:
        return drained(self._matched(QUERIES, **settings), self.checkpoint)

    def after(self, queries: Mapping[str, str], **settings: Any) -> list[Row]:
        """Where the checkpoint is, is told as a URL of any file system that Spark knows."""
        write(self._folder / "in", batches()[1:], 1)
        result = self._matched(queries, checkpoint=self.checkpoint.as_uri(), **settings)
        return drained(result, self.checkpoint)

    def _matched(self, queries: Mapping[str, str], **settings: Any) -> DataFrame:
        events = read(self._spark, self._folder / "in", SCHEMA)
        return match(events, queries, lateness="1 sec", constraints=CONSTRAINTS, **settings)


Told = Counter[tuple[str, ...]]


def told(rows: list[Row]) -> Told:
    columns = ("kind", "query", "id", "ts", "events", "reason")
    return Counter(tuple(str(row[name]) for name in columns) for row in rows)


def of(found: Told, queries: Iterable[str]) -> Told:
    """What was told of these queries, of no query, and of the constraints."""
    named = {*queries, "None"}
    return Counter({row: count for row, count in found.items() if row[1] in named or row[0] == "violation"})


@pytest.fixture(scope="module")
def unbroken(spark: SparkSession) -> Told:
    """What is found where nothing is cut."""
    events = sorted(chain(*batches()[:-1]), key=lambda event: event["ts"])
    frame = spark.createDataFrame(events, SCHEMA).coalesce(1)
    found = told(match(frame, QUERIES | ADDED, constraints=CONSTRAINTS).collect())
    assert {query for _, query, *_ in found} >= (QUERIES | ADDED).keys()
    return found


@pytest.fixture(scope="module", autouse=True)
def no_batches_without_rows(spark: SparkSession) -> Iterator[None]:
    """Time passes in the rows: half as many micro-batches do."""
    spark.conf.set(NO_DATA, "false")
    yield
    spark.conf.unset(NO_DATA)


def test_another_number_of_buckets_changes_nothing_that_is_found(
    spark: SparkSession, tmp_path: Path, unbroken: Told
) -> None:
    stream = Restarted(spark, tmp_path)
    rows = [*stream.before(buckets=2), *stream.after(QUERIES, buckets=3)]
    assert told(rows) == of(unbroken, QUERIES)


def test_new_partition_attributes_and_a_level_more_begin_with_the_past_that_is_there(
    spark: SparkSession, tmp_path: Path, unbroken: Told
) -> None:
    stream = Restarted(spark, tmp_path)
    first = stream.before(buckets=3, levels=3)
    then = stream.after(QUERIES | ADDED, buckets=1)
    assert of(told([*first, *then]), QUERIES) == of(unbroken, QUERIES)
    later = min(row["ts"] for row in then if row["query"] in ADDED)
    due = Counter({row: count for row, count in of(unbroken, ADDED).items() if row[3] >= str(later)})
    assert of(told(then), ADDED) == due
    assert any(row["start"] < later for row in then if row["query"] == "third")


def test_more_levels_than_the_checkpoint_has_are_refused_in_words(
    spark: SparkSession, tmp_path: Path
) -> None:
    events = read(spark, tmp_path, SCHEMA)
    with pytest.raises(ValueError, match="the queries need 2 levels, not 1: begin with more `levels`"):
        match(events, QUERIES, levels=1)

"""A restart with other buckets keeps what the stream has changed: queries added, switched off, to come."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from sase.spark import Rule, change, match, switch_off
from tests.sase.spark.streams import drained, read, write
from tests.sase.spark.test_dealing import CUT, QUERIES, SCHEMA, Told, batches, told

LATE_PAIR = "EVENT SEQ(A x, D y) WHERE [id] AND x.v > y.v WITHIN 4 sec"
ROOMS = "EVENT SEQ(A x, C y) WHERE [room] WITHIN 3 sec OUTPUT NON-OVERLAP"
CHANGES = {
    2_000: change("primed", LATE_PAIR),
    2_500: change("unprimed", Rule(LATE_PAIR, primed=False)),
    3_000: switch_off("once"),
    3_500: change("beside", QUERIES["beside"].replace("9 sec", "2 sec")),
    4_000: change("rooms", ROOMS),
    100 * CUT + 2_000: switch_off("rooms"),  # in the future when the stream is cut
    100 * CUT + 1_000: change("next day", LATE_PAIR),
}


def told_by(spark: SparkSession, folder: Path, before: int, after: int) -> tuple[Told, Told]:
    """What the stream tells before its cut and after it, with these numbers of buckets."""
    first, *later = batches()
    write(folder / "in", [[*first, *({"ts": at, "control": text} for at, text in CHANGES.items())]])
    checkpoint = folder / "checkpoint"

    def run(buckets: int) -> Told:
        events = read(spark, folder / "in", f"{SCHEMA}, control string")
        kept = {"control": "control", "history": "5 sec", "lateness": "1 sec", "checkpoint": str(checkpoint)}
        return told(drained(match(events, QUERIES, buckets=buckets, **kept), checkpoint))  # type: ignore[arg-type]

    found = run(before)
    write(folder / "in", later, 1)
    return found, run(after)


@pytest.mark.parametrize(("before", "after"), [(2, 3), (3, 1)])
def test_changes_of_the_queries_outlive_another_number_of_buckets(
    spark: SparkSession, tmp_path: Path, as_they_are: tuple[Told, Told], before: int, after: int
) -> None:
    assert told_by(spark, tmp_path, before, after) == as_they_are


@pytest.fixture(scope="module")
def as_they_are(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Told, Told]:
    """What is told where the buckets stay as they are."""
    first, then = told_by(spark, tmp_path_factory.mktemp("steady"), 2, 2)
    names = {query for _, query, *_ in then}
    assert names >= {"pair", "twice", "beside", "next", "primed", "unprimed", "rooms", "next day"}
    assert "once" not in names
    return first, then

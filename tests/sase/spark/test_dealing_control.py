"""A restart with other buckets keeps what the stream has changed: queries added, switched off, to come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from sase.spark import Rule, change, match, switch_off
from tests.sase.spark.streams import drained, read, write
from tests.sase.spark.test_dealing import CUT, NO_DATA, SCHEMA, Told, batches, told

QUERIES = {
    "pair": "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND x.v < y.v WITHIN 10 sec",
    "once": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 8 sec OUTPUT NON-OVERLAP",
    "beside": "EVENT SEQ(A x, D y) WHERE partition_contiguity(x, y) { [id] } WITHIN 9 sec",
}
LATE_PAIR = "EVENT SEQ(A x, D y) WHERE [id] AND x.v > y.v WITHIN 4 sec"
CHANGES = {
    2_000: change("primed", LATE_PAIR),
    2_500: change("unprimed", Rule(LATE_PAIR, primed=False)),
    3_000: switch_off("once"),
    3_500: change("beside", QUERIES["beside"].replace("9 sec", "2 sec")),
    4_000: change("rooms", "EVENT SEQ(A x, C y) WHERE [room] WITHIN 3 sec OUTPUT NON-OVERLAP"),
    100 * CUT + 1_000: change("next day", LATE_PAIR),  # in the future when the stream is cut
    100 * CUT + 2_000: switch_off("rooms"),
}


class Stream:
    """Micro-batches of which the first brings the changes."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        folder.mkdir()
        self._spark, self._input, self._checkpoint = spark, folder / "in", folder / "checkpoint"
        first, *self._later = batches()
        write(self._input, [[*first, *({"ts": at, "control": text} for at, text in CHANGES.items())]])

    def go_on(self) -> None:
        write(self._input, self._later, 1)

    def told(self, buckets: int) -> Told:
        rows = match(
            read(self._spark, self._input, f"{SCHEMA}, control string"),
            QUERIES,
            control="control",
            history="5 sec",
            lateness="1 sec",
            buckets=buckets,
            checkpoint=str(self._checkpoint),
        )
        return told(drained(rows, self._checkpoint))


@pytest.fixture
def no_batches_without_rows(spark: SparkSession) -> Iterator[None]:
    spark.conf.set(NO_DATA, "false")
    yield
    spark.conf.unset(NO_DATA)


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("no_batches_without_rows")
def test_changes_of_the_queries_outlive_another_number_of_buckets(
    spark: SparkSession, tmp_path: Path
) -> None:
    unbroken, cut = Stream(spark, tmp_path / "unbroken"), Stream(spark, tmp_path / "cut")
    unbroken.go_on()
    expected = unbroken.told(2)
    before = cut.told(2)
    cut.go_on()
    after = cut.told(3)
    assert {query for _, query, *_ in after} >= {"pair", "beside", "primed", "unprimed", "rooms", "next day"}
    assert "once" not in {query for _, query, *_ in after}
    assert before + after == expected

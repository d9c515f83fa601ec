"""The plan that Spark is given: what it costs is decided there."""

from collections.abc import Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession

from sase.spark import match

PAIR = {"pair": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 10 sec"}


@pytest.fixture
def one_partition(spark: SparkSession) -> Iterator[None]:
    usual = spark.conf.get("spark.sql.shuffle.partitions")
    assert usual is not None
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    yield
    spark.conf.set("spark.sql.shuffle.partitions", usual)


def plan(result: DataFrame) -> str:
    return str(result._jdf.queryExecution().executedPlan().toString())


@pytest.mark.usefixtures("one_partition")
@pytest.mark.parametrize("together", [True, False])
def test_rows_that_are_matched_together_are_not_shuffled(spark: SparkSession, together: bool) -> None:
    events = spark.createDataFrame([("A", 1, 7)], "event string, ts long, id long")
    found = plan(match(events, PAIR, buckets=1, together=together))
    assert ("Exchange" in found) != together


@pytest.mark.parametrize("observe", [True, False])
def test_figures_are_planned_only_where_somebody_observes(spark: SparkSession, observe: bool) -> None:
    events = spark.createDataFrame([("A", 1, 7)], "event string, ts long, id long")
    assert ("CollectMetrics" in plan(match(events, PAIR, observe=observe))) == observe

"""The plan that Spark is given: what it costs is decided there."""

from collections.abc import Iterator

import pytest
from py4j.java_gateway import JavaObject
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


def test_what_spark_infers_does_not_double_with_every_column(spark: SparkSession) -> None:
    """With twenty attributes planning took all memory and never ended."""

    def inferred(attributes: int, kind: str) -> int:
        names = [f"a{number}" for number in range(attributes)]
        columns = ", ".join(f"{name} {kind}" for name in names)
        events = spark.createDataFrame([], f"event string, ts long, id string, {columns}")
        text = f"EVENT SEQ(A x, B y) WHERE [id] AND {' AND '.join(f'x.{name} = 1' for name in names)}"
        rows = match(events, {"pair": f"{text} WITHIN 10 sec"}, id="id", control=None)
        return most_inferred(rows._jdf.queryExecution().analyzed())

    for kind in ("string", "timestamp", "array<long>"):
        few, many = inferred(3, kind), inferred(6, kind)
        assert many <= 2 * few, kind


def most_inferred(plan: JavaObject) -> int:
    """What Spark believes of the columns of the plan and of its parts, where it believes most."""
    parts = plan.children()
    below = [most_inferred(parts.apply(number)) for number in range(parts.size())]
    return max([int(plan.validConstraints().size()), *below])

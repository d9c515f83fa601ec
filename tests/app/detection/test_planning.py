"""Spark plans every place's detectors in little time: what it infers of columns stays little."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from app.cleaning.stream import schema
from app.detection.queries import defaults, rules
from app.detection.stream import detect
from app.place import scenario
from app.place.find import find_scenario
from tests.sase.spark.test_plan import most_inferred

PROPAGATION = "spark.sql.constraintPropagation.enabled"


@pytest.fixture
def inferring(spark: SparkSession) -> Iterator[None]:
    """As Spark is by itself; in Vigil's own session it infers nothing."""
    spark.conf.set(PROPAGATION, "true")
    yield
    spark.conf.set(PROPAGATION, "false")


@pytest.mark.usefixtures("inferring")
@pytest.mark.parametrize("name", ["store", "ward", "library", "home"])
def test_what_spark_infers_of_a_places_events_is_little(spark: SparkSession, name: str) -> None:
    """A ward's first micro-batch once took all memory: each attribute doubled what there was to know."""
    place = scenario.load(find_scenario(name))
    events = spark.createDataFrame([], from_arrow_schema(schema(place)))
    on = {one.detector: one.parameters for one in defaults(place)}
    found = detect(events, place, rules(place, on))
    assert most_inferred(found._jdf.queryExecution().analyzed()) < 10 * len(events.columns)


def test_vigils_own_session_does_not_even_begin(spark: SparkSession) -> None:
    assert spark.conf.get(PROPAGATION) == "false"

"""Which bucket of which lane an event goes to; an event that no lane wants never leaves the JVM."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

import sase
from sase.spark.input.columns import CONTROL, LANE, MISFIT, PASSED, REASON, attribute
from sase.spark.input.filter import wanted
from sase.spark.input.lanes import Lane, lane_of


def laned(
    events: DataFrame,
    heartbeat: str,
    queries: Iterable[sase.Query],
    lanes: Sequence[Lane],
    *,
    everything: bool,
) -> DataFrame:
    """With the bucket of every event in every lane, and without the rows that no lane wants."""
    schema, queries = events.schema, list(queries)
    told = [name for name in (CONTROL, REASON, PASSED, MISFIT) if name in events.columns]
    noticed = reduce(operator.or_, (F.col(name).isNotNull() for name in told))
    event = F.col("event").isNotNull() & F.col(CONTROL).isNull() & F.col(REASON).isNull()
    event &= F.col("event") != heartbeat
    columns = []
    for number, lane in enumerate(lanes):
        own = [plan for query in queries if lane_of(query, tuple(lanes)) is lane for plan in query.plans]
        test = F.lit(True) if everything else wanted(own, schema)
        columns.append(F.when(event & test & _keyed(lane), _bucket(lane)).alias(LANE.format(number)))
    some = [F.col(LANE.format(number)).isNotNull() for number in range(len(lanes))]
    keep = reduce(operator.or_, some, noticed | (F.col("event") == heartbeat))
    return events.select("*", *columns).where(keep)


def _bucket(lane: Lane) -> Column:
    if len(lane.keys) == 1:
        return F.lit(0)
    return F.pmod(F.hash(*(attribute(name) for name in lane.attributes)), F.lit(len(lane.keys)))


def _keyed(lane: Lane) -> Column:
    """Events without the partition attribute take part in no match of the lane's queries."""
    return reduce(operator.and_, (attribute(name).isNotNull() for name in lane.attributes), F.lit(True))

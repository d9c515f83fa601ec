"""Several sinks from one result: what a micro-batch found is computed once, whoever takes it."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame

from sase.spark.match import bad as bad_rows
from sase.spark.match import late as late_events
from sase.spark.match import matches as all_matches

Sink = Callable[[DataFrame, int], None]


def sinks(*, matches: Sink | None = None, late: Sink | None = None, bad: Sink | None = None) -> Sink:
    """A function for `foreachBatch` that gives each sink its rows, and the number of the micro-batch.

    A micro-batch that fails runs again under the same number with the same rows and ids, also for the sinks
    that had them already: a sink that upserts on `id` ends with every row once.
    """
    given = ((all_matches, matches), (late_events, late), (bad_rows, bad))
    wanted = [(chosen, sink) for chosen, sink in given if sink is not None]

    def write(batch: DataFrame, number: int) -> None:
        batch.persist()
        try:
            for chosen, sink in wanted:
                sink(chosen(batch), number)
        finally:
            batch.unpersist()

    return write

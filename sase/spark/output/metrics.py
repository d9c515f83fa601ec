"""What the operator says about itself, in Spark's streaming progress and through a listener."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
)

from sase.spark.output.rows import FIGURES, OF_QUERY

PREFIX = "sase_"


def observed(rows: DataFrame, queries: Iterable[str]) -> DataFrame:
    """The same rows, their figures summed up per micro-batch as observable metrics, in all and per query."""
    names = sorted(queries)
    own = [
        F.sum(F.when(F.col("query") == name, F.col(f"figures.{figure}"))).alias(f"{figure} {name}")
        for name in names
        for figure in OF_QUERY
    ]
    number = zlib.crc32("\0".join(names).encode())  # two calls of `match` in one stream are told apart
    whole = [F.sum(f"figures.{name}").alias(name) for name in FIGURES]
    return rows.observe(f"{PREFIX}{number}", *whole, *own)


@dataclass(frozen=True, slots=True)
class Progress:
    """The figures of one micro-batch."""

    stream: str | None  # the name of the streaming query
    batch: int
    rows_in: int
    filtered: int  # rows that no query wanted
    kept: int
    late: int
    bad: int
    misfit: int  # of the bad ones: those that took part all the same, because only a type does not fit
    matches: int
    live: int  # events in state
    bytes: int  # their size there
    waiting: int  # events whose turn has not come
    partial: int  # partial matches under way
    replayed: int  # events that matchers had to see again
    replay_ms: int
    cut: int  # matches, finished and partial, that the limits have cut off
    incomparable: int  # how often values met that cannot be compared or computed with
    aside: int  # queries at rest because they raised, counted in every bucket
    unlikely: int  # matches, finished and partial, that HAVING has dropped
    violations: int  # of constraints
    pruned: int  # events that were dropped because constraints leave their case no match
    matches_of: dict[str, int] = field(default_factory=dict)
    partial_of: dict[str, int] = field(default_factory=dict)
    live_of: dict[str, int] = field(default_factory=dict)  # events that a query's matchers hold
    cut_of: dict[str, int] = field(default_factory=dict)
    incomparable_of: dict[str, int] = field(default_factory=dict)
    unlikely_of: dict[str, int] = field(default_factory=dict)
    pruned_of: dict[str, int] = field(default_factory=dict)
    early_of: dict[str, int] = field(default_factory=dict)  # matches that constraints let come early
    cases_of: dict[str, int] = field(default_factory=dict)  # cases of constraints that are remembered
    broken_of: dict[str, int] = field(default_factory=dict)

    @property
    def rows_out(self) -> int:
        return self.matches + self.late + self.bad


class Listener(StreamingQueryListener):
    """Hands the figures of every micro-batch to a function: `spark.streams.addListener(Listener(print))`."""

    def __init__(self, told: Callable[[Progress], None]) -> None:
        self._told = told

    def onQueryStarted(self, event: QueryStartedEvent) -> None:  # noqa: N802
        """The first figures come with the first micro-batch."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:  # noqa: N802
        progress = event.progress
        found = [row for name, row in progress.observedMetrics.items() if name.startswith(PREFIX)]
        if found:
            figures = _summed(row.asDict() for row in found)
            self._told(_progress(progress.name, progress.batchId, progress.numInputRows, figures))

    def onQueryIdle(self, event: QueryIdleEvent) -> None:  # noqa: N802
        """Nothing has happened."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:  # noqa: N802
        """The last figures came with the last micro-batch."""


def _summed(rows: Iterable[dict[str, Any]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for row in rows:
        for name, value in row.items():
            total[name] = total.get(name, 0) + (value or 0)
    return total


def _progress(stream: str | None, batch: int, rows_in: int, figures: dict[str, int]) -> Progress:
    own = {name: figures[name] for name in FIGURES}
    matches, partial, live, cut, incomparable, unlikely, pruned, early, cases, broken = (
        {
            name.removeprefix(f"{figure} "): value
            for name, value in figures.items()
            if name.startswith(f"{figure} ")
        }
        for figure in OF_QUERY
    )
    filtered = max(0, rows_in - own["kept"] - own["bad"] + own["misfit"])
    return Progress(
        stream,
        batch,
        rows_in,
        filtered,
        **own,
        matches_of=matches,
        partial_of=partial,
        live_of=live,
        cut_of=cut,
        incomparable_of=incomparable,
        unlikely_of=unlikely,
        pruned_of=pruned,
        early_of=early,
        cases_of=cases,
        broken_of=broken,
    )

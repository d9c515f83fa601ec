"""Where the stream ends: the results of a micro-batch become alerts in the store."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from pyspark.sql import DataFrame

from app.clock import now_ms
from app.detection.constraint_figures import ConstraintFigures
from app.detection.found import FoundWriter, insist
from app.detection.pipeline import Pipeline
from app.spark.next_deadline import NextDeadline


class Sink:
    """Puts the results of a micro-batch into the store."""

    def __init__(
        self, pipeline: Pipeline, learn: Callable[[], None], stop: Event, deadline: NextDeadline
    ) -> None:
        self._learn, self._stop, self._deadline = learn, stop, deadline
        self._beside = ThreadPoolExecutor(1, "learning")
        self._writer = FoundWriter(pipeline, self._learned)
        self._figures = ConstraintFigures(pipeline.engine)

    def __call__(self, frame: DataFrame, _batch: int) -> None:
        # The batch's rows are in the log by now: what they say about readers is learned while Spark works.
        self._learning = self._beside.submit(self._learn)
        rows = [row.asDict() for row in frame.collect()]
        found = [row for row in rows if row["kind"] not in ("deadline", "metric")]
        if found:
            insist(lambda: self._writer.write(found), self._stop)
        self._figures.note([row for row in rows if row["kind"] == "metric"], now_ms())
        self._deadline.note(min((row["ts"] for row in rows if row["kind"] == "deadline"), default=None))

    def _learned(self) -> None:
        if self._learning.exception() is not None:  # the store was away
            self._learn()

"""Where the stream ends: the results of a micro-batch become alerts in the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import sqlalchemy as sa
from pyspark.sql import DataFrame

import detectors
from app import store
from app.backoff import Backoff
from app.cleaning.stream import LATE
from app.clock import now_ms
from app.detection.alert import ReportedMatch, alerts
from app.detection.breaches import breach_alerts, is_told, reported
from app.detection.constraint_figures import ConstraintFigures
from app.detection.pipeline import Pipeline
from app.spark.next_deadline import NextDeadline
from app.store import Alert, Aside

FARTHEST_BACK_MS = 7 * 86_400_000  # how far before its first event an alert may rest on what was absent
FIRST_STORE_PAUSE_S, LONGEST_STORE_PAUSE_S = 1.0, 10.0
_log = logging.getLogger(__name__)


class Sink:
    """Puts the results of a micro-batch into the store. Doing it twice is doing it once: see the ids."""

    def __init__(
        self, pipeline: Pipeline, learn: Callable[[], None], stop: Event, deadline: NextDeadline
    ) -> None:
        self._pipeline, self._learn, self._stop, self._deadline = pipeline, learn, stop, deadline
        self._beside = ThreadPoolExecutor(1, "learning")
        self._figures = ConstraintFigures(pipeline.engine)

    def __call__(self, frame: DataFrame, _batch: int) -> None:
        # The batch's rows are in the log by now: what they say about readers is learned while Spark works.
        self._learning = self._beside.submit(self._learn)
        rows = [row.asDict() for row in frame.collect()]
        found = [row for row in rows if row["kind"] not in ("deadline", "metric")]
        if found:
            self._insist(lambda: self._keep(found))
        self._figures.note([row for row in rows if row["kind"] == "metric"], now_ms())
        self._deadline.note(min((row["ts"] for row in rows if row["kind"] == "deadline"), default=None))

    def _insist(self, write: Callable[[], None]) -> None:
        """A store that is away for a while holds the stream up and loses nothing; one that is broken ends it,
        in words."""
        pauses = Backoff(FIRST_STORE_PAUSE_S, LONGEST_STORE_PAUSE_S)
        while not self._stop.is_set():
            try:
                return write()
            except sa.exc.DBAPIError as error:
                if not store.can_heal(error):
                    raise store.broken(error) from error
                _log.warning("The store does not answer, trying again: %s", error.orig)
                self._stop.wait(pauses.next_s())
        raise InterruptedError("stopped while the store was away")

    def _keep(self, rows: list[dict[str, Any]]) -> None:
        kept_ms = now_ms()
        matches, known = list(reported(rows)), detectors.load()
        breaches = [row for row in rows if row["kind"] == "violation" and not is_told(row, known)]
        aside = [_aside(row) for row in rows if row["kind"] not in ("match", "violation")]
        store.record_aside(self._pipeline.engine, aside)
        told = [*self._alerts(matches), *self._breaches(breaches)]
        store.record_alerts(self._pipeline.engine, told, kept_ms)

    def _breaches(self, rows: list[dict[str, Any]]) -> list[Alert]:
        if not rows:
            return []
        standing = store.switches(self._pipeline.engine, self._pipeline.scenario.name)
        on = [name for name, switch in standing.items() if switch.enabled]
        return list(breach_alerts(rows, self._pipeline.scenario, on))

    def _alerts(self, matches: list[ReportedMatch]) -> list[Alert]:
        known, scenario = detectors.load(), self._pipeline.scenario
        told_ms = self._pipeline.told_until_ms
        ours = [one for one in matches if one.query in known and one.detected_at > told_ms]
        if not ours:
            return []
        if self._learning.exception() is not None:  # the store was away
            self._learn()
        standing = store.switches(self._pipeline.engine, scenario.name)
        parameters = {name: switch.parameters for name, switch in standing.items()}
        from_ms = min(one.start for one in ours) - FARTHEST_BACK_MS
        last_ms = max(one.detected_at for one in ours)
        silences = store.silences_between(self._pipeline.engine, from_ms, last_ms)
        return list(alerts(ours, scenario, parameters, silences))


def _aside(row: Mapping[str, Any]) -> Aside:
    is_late = row["kind"] == "late" or row["event"] == LATE
    reason = "came later than the lateness allows" if is_late else row["reason"]
    return Aside(
        row["id"][:64], "late" if is_late else "bad", row["ts"], row["event"], reason, row["attributes"]
    )

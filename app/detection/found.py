"""What was found at a place becomes alerts in its store. Doing it twice is doing it once: see the ids."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import Any

import sqlalchemy as sa

import detectors
from app import store
from app.backoff import Backoff
from app.cleaning.stream import LATE
from app.clock import now_ms
from app.detection.alert import ReportedMatch, alerts
from app.detection.breaches import breach_alerts, is_told, reported
from app.detection.pipeline import Pipeline
from app.store import Alert, Aside

FARTHEST_BACK_MS = 7 * 86_400_000  # how far before its first event an alert may rest on what was absent
FIRST_STORE_PAUSE_S, LONGEST_STORE_PAUSE_S = 1.0, 10.0
_log = logging.getLogger(__name__)


def insist(write: Callable[[], None], stop: Event) -> None:
    """A store that is away for a while holds the stream up and loses nothing; one that is broken ends it,
    in words."""
    pauses = Backoff(FIRST_STORE_PAUSE_S, LONGEST_STORE_PAUSE_S)
    while not stop.is_set():
        try:
            return write()
        except sa.exc.DBAPIError as error:
            if not store.can_heal(error):
                raise store.broken(error) from error
            _log.warning("The store does not answer, trying again: %s", error.orig)
            stop.wait(pauses.next_s())
    raise InterruptedError("stopped while the store was away")


class FoundWriter:
    """Of one place; `learn` sees to it that the store knows what the log says of readers by then."""

    def __init__(self, pipeline: Pipeline, learn: Callable[[], None]) -> None:
        self._pipeline, self._learn = pipeline, learn

    def write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Rows of the matcher's result, of any kind."""
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

"""The pipeline in one place: the log as a source, cleaned, matched by the detectors, told as alerts."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import sqlalchemy as sa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming.query import StreamingQuery

import detectors
from app import store
from app.cleaning.rebuild import Place, clean
from app.cleaning.stream import HEARTBEAT, LATE
from app.clock import now_ms
from app.detection.alert import Found, alert, found
from app.place.event_types import cleaned
from app.place.scenario import Scenario
from app.running.log_follower import Watcher
from app.store import Alert, Aside, Switch
from sase.spark import Rule, match

HISTORY = "2 hours"
PAUSE_SECONDS = 1.0
# On a quiet log time follows the clock on the wall this far behind: what a network or a broker holds up
# for less is not late when it comes.
STALL_MS = 5_000
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pipeline:
    """A scenario, where its log, snapshots and checkpoint are, and the store its alerts go to."""

    scenario: Scenario
    place: Place
    checkpoint: Path
    engine: sa.Engine
    trigger_ms: int
    heartbeat_ms: int
    buckets: int = 1


def start(spark: SparkSession, pipeline: Pipeline, watcher: Watcher, stop: Event) -> StreamingQuery:
    """source → clean → match → alerts, as a running query."""
    pace = {"heartbeatMs": pipeline.heartbeat_ms, "heartbeatSlackMs": STALL_MS}
    events = clean(spark, pipeline.place, pace)
    found_rows = detect(events, pipeline.scenario, first_queries(pipeline), pipeline.buckets)
    sink = Sink(pipeline, watcher, stop)
    writer = found_rows.writeStream.foreachBatch(sink).option("checkpointLocation", str(pipeline.checkpoint))
    return writer.trigger(processingTime=f"{pipeline.trigger_ms} milliseconds").start()


def detect(events: DataFrame, scenario: Scenario, queries: Mapping[str, Rule], buckets: int = 1) -> DataFrame:
    """Matches of the queries, and what was late; both levels of composite events in one job."""
    rows = match(
        events,
        queries,
        id="event_id",
        seq="seq",
        control="control",
        heartbeat=HEARTBEAT,
        types=cleaned(scenario.plan),
        history=HISTORY,
        buckets=buckets,
        together=buckets == 1,
        observe=False,
    )
    return rows.withColumns({name: F.unix_millis(name) for name in ("ts", "start", "end")})


def first_queries(pipeline: Pipeline) -> dict[str, Rule]:
    """The queries that a checkpoint begins with; later changes come through the log and stay in its state."""
    kept = pipeline.checkpoint / "queries.json"
    if not kept.exists():
        standing = store.switches(pipeline.engine, pipeline.scenario.name)
        enabled = {name: switch.parameters for name, switch in standing.items() if switch.enabled}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(enabled))
    return rules(pipeline.scenario, json.loads(kept.read_text()))


def rules(scenario: Scenario, enabled: Mapping[str, Mapping[str, Any]]) -> dict[str, Rule]:
    """The detectors' queries with their parameters, and the composite events that can occur in this place."""
    known, types = detectors.load(), cleaned(scenario.plan)
    lower = {name: one for name, one in detectors.composites().items() if types.issuperset(one.reads())}
    composed = {name: Rule(one.query, one.values(scenario.events.get(name))) for name, one in lower.items()}
    chosen = {
        name: Rule(known[name].query, known[name].values(values))
        for name, values in enabled.items()
        if name in known
    }
    return composed | chosen


def defaults(scenario: Scenario) -> list[Switch]:
    """How the scenario's file sets the detectors; one that it does not name is off."""
    types = cleaned(scenario.plan) | {one.makes for one in detectors.composites().values()}
    fitting = {name: one for name, one in detectors.load().items() if types.issuperset(one.reads())}
    return [
        Switch(
            scenario.name, name, name in scenario.detectors, dict(scenario.detectors.get(name, one.values()))
        )
        for name, one in fitting.items()
    ]


class Sink:
    """Puts the results of a micro-batch into the store. Doing it twice is doing it once: see the ids."""

    def __init__(self, pipeline: Pipeline, watcher: Watcher, stop: Event) -> None:
        self._pipeline, self._watcher, self._stop = pipeline, watcher, stop
        self._beside = ThreadPoolExecutor(1, "learning")

    def __call__(self, frame: DataFrame, _batch: int) -> None:
        # The batch's rows are in the log by now: what they say about readers is learned while Spark works.
        self._learning = self._beside.submit(self._watcher.catch_up)
        rows = frame.collect()
        if rows:
            self._insist(lambda: self._keep([row.asDict() for row in rows]))

    def _insist(self, deed: Callable[[], None]) -> None:
        """A store that is away for a while holds the stream up and loses nothing."""
        while not self._stop.is_set():
            try:
                return deed()
            except sa.exc.OperationalError as error:
                _log.warning("The store does not answer, trying again: %s", error.orig)
                self._stop.wait(PAUSE_SECONDS)
        raise InterruptedError("stopped while the store was away")

    def _keep(self, rows: list[dict[str, Any]]) -> None:
        matches = [found(row) for row in rows if row["kind"] == "match"]
        store.record_aside(self._pipeline.engine, [_aside(row) for row in rows if row["kind"] != "match"])
        store.record_alerts(self._pipeline.engine, self._alerts(matches), now_ms())

    def _alerts(self, matches: list[Found]) -> list[Alert]:
        known, scenario = detectors.load(), self._pipeline.scenario
        ours = [one for one in matches if one.query in known]
        if not ours:
            return []
        if self._learning.exception() is not None:  # the store was away
            self._watcher.catch_up()
        standing = store.switches(self._pipeline.engine, scenario.name)
        from_ms, until_ms = min(one.start for one in ours), max(one.detected_at for one in ours)
        silences = store.silences_between(self._pipeline.engine, from_ms, until_ms)
        return [
            alert(one, known[one.query], standing[one.query].parameters, scenario, silences) for one in ours
        ]


def _aside(row: Mapping[str, Any]) -> Aside:
    is_late = row["kind"] == "late" or row["event"] == LATE
    reason = "came later than the lateness allows" if is_late else row["reason"]
    return Aside(
        row["id"][:64], "late" if is_late else "bad", row["ts"], row["event"], reason, row["attributes"]
    )

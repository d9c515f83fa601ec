"""Tells from outside the stream when nobody is heard at all: then no event arrives that could do so."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import detectors
from app import store
from app.detection.pipeline import Pipeline
from app.running.log_follower import LogFollower
from app.store import Absence, Alert, Clause, Evidence
from detectors.parameters import rounded_duration
from sase.language.names import named
from sase.language.walk import leaves
from sase.language.write import write_pattern

DETECTOR = "reader_silent"
EVERYBODY = "all readers"
TITLE = "All readers silent"
SEVERITY = "critical"
ADVICE = (
    "Look on Health which part is down. If all parts run, check the network and the power of the readers. "
    "Until readers are heard again nothing is watched."
)
HEARD_AGAIN = "readers are heard again"
SHORTEST_MS = 30_000  # as the detector allows at least


class TotalSilence:
    """Call `look` every now and then; the detector of silent readers says whether and how soon to tell."""

    def __init__(self, pipeline: Pipeline, follower: LogFollower, monotonic_s: Callable[[], float]) -> None:
        self._pipeline, self._follower, self._monotonic_s = pipeline, follower, monotonic_s
        self._seen = (follower.position, monotonic_s())
        known = store.open_about(pipeline.engine, DETECTOR, [EVERYBODY])
        self._told = known[0] if known else None

    def look(self, now_ms: int) -> None:
        if not self._follower.heartbeat_ms:  # a recording that is played ends without anything being wrong
            return
        if self._follower.position != self._seen[0]:
            self._seen = (self._follower.position, self._monotonic_s())
        since_ms, length_ms = self._silence()
        if self._told is not None and since_ms > self._told.started_ms:
            store.close_by_rule(self._pipeline.engine, [self._told.id], HEARD_AGAIN, now_ms)
            self._told = None
        if self._told is None and length_ms >= SHORTEST_MS and length_ms >= self._patience_ms():
            self._told = self._alert(since_ms, length_ms)
            store.record_alerts(self._pipeline.engine, [self._told], now_ms)

    def _silence(self) -> tuple[int, int]:
        """Since when nobody is heard, and for how long: nothing comes into the log, or only Vigil's own
        heartbeats."""
        stopped_ms = int(1000 * (self._monotonic_s() - self._seen[1]))
        heard_ms, arrived_ms = self._follower.heard_ms, self._follower.arrived_ms
        if heard_ms is None or arrived_ms is None:
            return 0, 0
        return heard_ms, arrived_ms - heard_ms + stopped_ms

    def _patience_ms(self) -> float:
        chosen = store.switches(self._pipeline.engine, self._pipeline.scenario.name).get(DETECTOR)
        enabled = chosen is not None and chosen.enabled
        return float(chosen.parameters["patience"]) if chosen is not None and enabled else float("inf")

    def _alert(self, since_ms: int, length_ms: int) -> Alert:
        name, detector = self._pipeline.scenario.name, detectors.load()[DETECTOR]
        tree = detector.tree()
        clause = Clause(write_pattern(named(tree.pattern)), True, ())
        [kind] = {kind for leaf in leaves(tree.pattern) for kind in leaf.types}
        absent = Absence("y", kind, since_ms, since_ms + length_ms, ())
        return Alert(
            id=hashlib.sha256(f"{EVERYBODY} {name} {since_ms}".encode()).hexdigest()[:32],
            scenario=name,
            detector=DETECTOR,
            version=detector.version,
            severity=SEVERITY,
            title=TITLE,
            subject=EVERYBODY,
            area="",
            started_ms=since_ms,
            occurred_ms=since_ms,
            detected_ms=since_ms + length_ms,
            explanation=f"No reader has been heard for {rounded_duration(length_ms)}.",
            advice=ADVICE,
            evidence=Evidence(detector.query, detector.values(), (), (absent,), (clause,)),
        )

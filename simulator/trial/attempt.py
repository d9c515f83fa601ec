"""A play through the product's own ordering, cleaning, matching and alerts, judged against the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from app.cleaning.stream import CleanedStream
from app.detection.in_process import InProcess
from app.detection.score import Score, score
from app.place.scenario import Scenario
from app.settings import Settings
from app.store import Alert
from simulator.play import Play, Scene
from simulator.trial.deciding import DecidingReads
from simulator.trial.delivery import Delivery
from simulator.truth.incident import Incident
from simulator.worlds.world import MINUTE

_SCENE_MS = 30 * MINUTE


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a play; `late` readings came too late to be matched."""

    alerts: tuple[Alert, ...]
    incidents: tuple[Incident, ...]
    scores: dict[str, Score]
    readings: int
    late: int


class Onlooker(Protocol):
    """Somebody who looks on at a trial."""

    def scene(self, scene: Scene) -> None: ...
    def events(self, events: pa.RecordBatch) -> None: ...


def attempt(
    scenario: Scenario,
    play: Play,
    lateness_ms: int = Settings.lateness_ms,
    look: Onlooker | None = None,
) -> Trial:
    """The whole play, from its first reading to its last alert."""
    stream, detection = CleanedStream(scenario, lateness_ms), InProcess(scenario)
    deciding = DecidingReads(scenario)
    onlookers = [deciding, *([look] if look else [])]
    alerts = [
        alert for batch in _events(play, stream, lateness_ms, onlookers) for alert in detection.push(batch)
    ]
    incidents = tuple(play.world.truth.incidents)
    scores = score(scenario.detectors, alerts, incidents, deciding.heard)
    return Trial(tuple(alerts), incidents, scores, stream.position, detection.late)


def _events(
    play: Play, stream: CleanedStream, lateness_ms: int, onlookers: Sequence[Onlooker]
) -> Iterator[pa.RecordBatch]:
    """The cleaned stream of a play, which ends as a recording does."""
    for events in _pushed(play, stream, lateness_ms, onlookers):
        for one in onlookers:
            one.events(events)
        yield events


def _pushed(
    play: Play, stream: CleanedStream, lateness_ms: int, onlookers: Sequence[Onlooker]
) -> Iterator[pa.RecordBatch]:
    delivery = Delivery(lateness_ms)
    for scene in play.scenes(_SCENE_MS):
        for one in onlookers:
            one.scene(scene)
        if scene.reports.num_rows:
            yield stream.push(delivery.rows(scene.reports, scene.arrives))
    yield stream.finish()

"""A play watched by the real cleaning and the real detectors, judged against the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.cleaner import Cleaner
from app.detection.in_process import Finding, Watch
from app.detection.score import Score, score
from app.place.scenario import Scenario
from simulator.play import Play, Scene
from simulator.truth import Incident
from simulator.world import MINUTE

# Beyond what clocks differ: a repeat is stamped a little later than the read itself.
_SETTLE_MS = 100
_SCENE_MS = 30 * MINUTE


@dataclass(frozen=True, slots=True)
class Trial:
    findings: tuple[Finding, ...]
    incidents: tuple[Incident, ...]
    scores: dict[str, Score]
    readings: int


def attempt(scenario: Scenario, play: Play) -> Trial:
    """The whole play, from its first reading to its last alert."""
    cleaner, watch = Cleaner(scenario), Watch(scenario)
    findings: list[Finding] = []
    readings = 0
    for until, reports in in_order(play.scenes(_SCENE_MS), play.noise.skew_ms + _SETTLE_MS):
        readings += reports.num_rows
        events = pa.concat_batches([cleaner.push(reports), cleaner.advance(until)])
        findings += [*watch.push(events), *watch.advance(until)]
    incidents = tuple(play.world.truth.incidents)
    scores = score(scenario.detectors, findings, incidents)
    return Trial(tuple(findings), incidents, scores, readings)


def in_order(scenes: Iterable[Scene], lateness: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The reports by the readers' stamps, each batch complete up to the moment it comes with.

    Readers' clocks differ, so reports wait for those that may yet come with an earlier stamp."""
    waiting: pa.RecordBatch | None = None
    for scene in scenes:
        every = pa.concat_batches([waiting, scene.reports]) if waiting is not None else scene.reports
        moment = scene.until - lateness
        is_ready = pc.less(every["ts"], moment)
        waiting = every.filter(pc.invert(is_ready))
        yield moment, every.filter(is_ready)

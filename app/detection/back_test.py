"""The back-test: a recorded part of the log through detectors or a draft, as a batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import SparkSession

from app.cleaning.setup import CleaningSetup
from app.detection.alert import ReportedMatch
from app.detection.breaches import reported
from app.detection.queries import rules
from app.detection.stream import detect
from app.place.scenario import Scenario
from app.spark import events as cleaned_events
from app.spark import recording_source
from app.spark.options import log_options
from sase.spark import Rule

DRAFT = "draft"


@dataclass(frozen=True)
class TimeRange:
    """A part of the recording by event time; None means its beginning or end."""

    from_ms: int | None = None
    until_ms: int | None = None


def replay(
    spark: SparkSession,
    scenario: Scenario,
    setup: CleaningSetup,
    queries: Mapping[str, Rule],
    part: TimeRange,
) -> list[ReportedMatch]:
    """What the queries would have found, in the order in which they would have known."""
    recording_source.register(spark)
    recording = spark.read.format(recording_source.RecordingSource.name())
    for name, value in (("fromTs", part.from_ms), ("toTs", part.until_ms)):
        recording = recording if value is None else recording.option(name, value)
    events = cleaned_events.of_recording(recording.options(**log_options(setup.log)).load(), setup)
    composed = rules(scenario, {})
    rows = (
        detect(events, scenario, composed | dict(queries)).where("kind in ('match', 'violation')").collect()
    )
    matches = reported(row.asDict() for row in rows if row["query"] not in composed)
    return sorted(matches, key=lambda match: (match.detected_at, match.id))

"""The back-test: a recorded stretch of the log through detectors or a draft, as a batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pyspark.sql import SparkSession

import detectors
from app.cleaning.rebuild import Place, clean_recording
from app.detection.alert import Found, alert, found
from app.detection.stream import detect, rules
from app.place.scenario import Scenario
from app.spark import log_source as source
from app.store import Alert, Silence
from sase.spark import Rule

DRAFT = "draft"


@dataclass(frozen=True)
class Stretch:
    """A part of the recording by event time; None means its beginning or end."""

    from_ms: int | None = None
    until_ms: int | None = None


def replay(
    spark: SparkSession, scenario: Scenario, place: Place, queries: Mapping[str, Rule], stretch: Stretch
) -> list[Found]:
    """What the queries would have found, in the order in which they would have known."""
    source.register(spark)
    recording = spark.read.format("vigil")
    for name, value in (("fromTs", stretch.from_ms), ("toTs", stretch.until_ms)):
        recording = recording if value is None else recording.option(name, value)
    events = clean_recording(recording.load(str(place.log)), place)
    composed = rules(scenario, {})
    rows = detect(events, scenario, composed | dict(queries)).where("kind = 'match'").collect()
    matches = [found(row.asDict()) for row in rows if row["query"] not in composed]
    return sorted(matches, key=lambda match: (match.detected_at, match.id))


def alerts(
    matches: list[Found],
    scenario: Scenario,
    parameters: Mapping[str, Mapping[str, object]],
    silences: list[Silence],
) -> Iterator[Alert]:
    """The alerts that detectors would have raised; matches of a draft are none."""
    known = detectors.load()
    for match in matches:
        if match.query in known:
            chosen = parameters.get(match.query, {})
            yield alert(match, known[match.query], chosen, scenario, silences)

"""A recording through the same pipeline as a batch: detectors, drafts, and what came too late."""

from __future__ import annotations

import datetime
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from pyspark.sql import SparkSession

from app.cleaning.setup import CleaningSetup
from app.detection.alert import ReportedMatch, alerts
from app.detection.back_test import DRAFT, TimeRange, replay
from app.detection.breaches import breach_alerts
from app.detection.found import _aside
from app.detection.queries import rules
from app.detection.stream import detect
from app.place.find import find_scenario
from app.place.scenario import Scenario, load
from app.spark import events as cleaned_events
from app.spark import recording_source
from sase.spark import Rule
from tests.app.rows import NOON, Write, online, read, stay, theft

WALK = "EVENT SEQ(SHELF-READING x, EXIT-READING z) WHERE [id] WITHIN 5 min"


@pytest.fixture
def recorded(cleaning: CleaningSetup, write: Write, shop: Scenario) -> CleaningSetup:
    """Two thefts, an hour apart, and a reading that comes a minute too late."""
    first, second = (str(shop.items["tag"][number].as_py()) for number in (0, 1))
    write(theft(first, NOON))
    write([read("shelf-denim", second, NOON + 1)])
    write([*theft(second, NOON + 3_600_000), *stay("till-1-pad", second, NOON + 3_700_000, 500, 2)])
    return cleaning


def subjects(matches: list[ReportedMatch]) -> list[str]:
    return [match.events["x"]["id"] for match in matches]


def test_a_replay_finds_what_the_detector_would_have_found(
    spark: SparkSession, shop: Scenario, recorded: CleaningSetup
) -> None:
    queries = {"shoplifting": rules(shop, {"shoplifting": {}})["shoplifting"]}
    matches = replay(spark, shop, recorded, queries, TimeRange())
    told = [alert.explanation for alert in alerts(matches, shop, {}, [])]
    assert subjects(matches) == ["JEAN-28-001", "JEAN-28-002"]
    assert told[0].startswith("Jeans size 28 (JEAN-28-001) left through Main exit")


def test_a_draft_sees_the_stretch_it_is_given(
    spark: SparkSession, shop: Scenario, recorded: CleaningSetup
) -> None:
    part = TimeRange(from_ms=NOON + 3_000_000)
    assert subjects(replay(spark, shop, recorded, {DRAFT: Rule(WALK)}, part)) == ["JEAN-28-002"]


def test_a_reading_that_came_too_late_is_set_aside(
    spark: SparkSession, shop: Scenario, recorded: CleaningSetup
) -> None:
    recording_source.register(spark)
    events = cleaned_events.of_recording(spark.read.format("vigil").load(str(recorded.log)), recorded)
    rows = [row.asDict() for row in detect(events, shop, {DRAFT: Rule(WALK)}).collect()]
    [late] = [_aside(row) for row in rows if row["kind"] != "match"]
    assert (late.kind, late.at_ms) == ("late", NOON + 1)


def test_a_bottle_in_a_bed_breaks_what_the_ward_has_declared(
    spark: SparkSession, cleaning: CleaningSetup, write: Write
) -> None:
    """Warfarin is due to patient 1 at eight; at half past eight its bottle is read in a bed."""
    ward = find_scenario("ward")
    place = load(ward)
    eight = int(datetime.datetime(2026, 3, 2, 8, tzinfo=ZoneInfo(place.timezone)).timestamp() * 1000)
    band, bottle = "E28011606000020000000001", "3034FA2B34C350C000000001"
    write(stay("bed-1-reader", band, eight - 60_000, 10_000, 20))
    write(
        [
            *stay("bed-3-reader", bottle, eight + 1_800_000, 10_000, 4),
            online("bed-3-reader", eight + 1_900_000),
        ]
    )
    recording_source.register(spark)
    setup = replace(cleaning, scenario=ward)
    events = cleaned_events.of_recording(spark.read.format("vigil").load(str(cleaning.log)), setup)
    rows = [row.asDict() for row in detect(events, place, rules(place, {})).collect()]
    broken = [row for row in rows if row["kind"] == "violation"]
    [alert] = breach_alerts(broken, place, ["overdose"])
    assert (alert.detector, alert.subject, alert.area) == ("impossible", "WARFARIN-1", "bed-3")

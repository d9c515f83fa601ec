"""From a match to an alert: the words, the evidence, and when an alert is marked unproven."""

from __future__ import annotations

import json
from typing import Any

import pytest

import detectors
from app.detection.absence import absent_times
from app.detection.alert import ReportedMatch, alert, found
from app.place.scenario import Scenario
from app.store import Silence
from sase.language.parse import parse
from tests.app.rows import NOON

HOUR = 3_600_000


def event(kind: str, ts: int, area: str, **more: Any) -> dict[str, Any]:
    return {
        "event": kind,
        "ts": ts,
        "id": "JEAN-1",
        "name": "Jeans",
        "area": area,
        "reader": f"{area}-r",
    } | more


def theft() -> ReportedMatch:
    taken, gone = event("SHELF-READING", NOON, "denim"), event("EXIT-READING", NOON + 60_000, "main-exit")
    row = {
        "query": "shoplifting",
        "id": "m1",
        "ts": NOON + 60_000,
        "start": NOON,
        "end": NOON + 60_000,
        "probability": None,
        "events": json.dumps({"x": taken, "z": gone}),
    }
    return found(row)


def test_an_alert_says_what_happened_to_what_where_and_when(shop: Scenario) -> None:
    raised = alert(theft(), detectors.load()["shoplifting"], {}, shop, [])
    assert (raised.id, raised.subject, raised.area, raised.severity) == ("m1", "JEAN-1", "main-exit", "high")
    assert (raised.started_ms, raised.occurred_ms, raised.detected_ms) == (NOON, NOON + 60_000, NOON + 60_000)
    assert raised.explanation.startswith("Jeans (JEAN-1) left through Main exit at ")
    assert raised.probability == 1.0


def test_the_evidence_holds_events_and_clauses_one_by_one(shop: Scenario) -> None:
    evidence = alert(theft(), detectors.load()["shoplifting"], {}, shop, []).evidence
    assert [(seen.variable, seen.event, seen.reader) for seen in evidence.events] == [
        ("x", "SHELF-READING", "denim-r"),
        ("z", "EXIT-READING", "main-exit-r"),
    ]
    assert [(clause.text, clause.variables) for clause in evidence.clauses][-3:] == [
        ("EXIT-READING z", ("z",)),
        ("[id]", ("x", "z")),
        ("WITHIN 12 hours", ("x", "z")),
    ]
    assert evidence.parameters == {"memory": 12 * HOUR}


def test_the_absence_is_shown_with_the_readers_that_would_have_seen_it(shop: Scenario) -> None:
    raised = alert(theft(), detectors.load()["shoplifting"], {}, shop, [])
    absent = {absence.variable: absence for absence in raised.evidence.absent}
    assert (absent["y"].from_ms, absent["y"].until_ms) == (NOON, NOON + 60_000)
    assert [watch.reader for watch in absent["y"].readers] == ["till-1-pad", "till-2-pad"]
    assert not raised.unproven


SILENCES = {
    "began before and goes on": (Silence("till-2-pad", NOON - 5, None), 60_000),
    "in the middle": (Silence("till-2-pad", NOON + 10_000, NOON + 15_000), 5_000),
    "over before": (Silence("till-2-pad", NOON - 10_000, NOON), 0),
    "of a reader elsewhere": (Silence("shelf-kids", NOON, None), 0),
}


@pytest.mark.parametrize("case", SILENCES)
def test_an_alert_is_unproven_while_a_reader_that_counts_is_silent(shop: Scenario, case: str) -> None:
    silence, silent_ms = SILENCES[case]
    raised = alert(theft(), detectors.load()["shoplifting"], {}, shop, [silence])
    watches = {watch.reader: watch for absence in raised.evidence.absent for watch in absence.readers}
    assert watches["till-2-pad"].silent_ms == silent_ms
    assert raised.unproven == (silent_ms > 0)
    assert [clause.holds for clause in raised.evidence.clauses].count(False) == (silent_ms > 0)


def test_only_the_readers_of_the_same_area_count_where_the_query_asks_for_it(shop: Scenario) -> None:
    stray = event("SHELF-READING", NOON, "kids", dwell=0, home="denim")
    match = ReportedMatch("misplaced", "m2", NOON + 15 * 60_000, NOON, NOON, 1.0, {"x": stray})
    raised = alert(match, detectors.load()["misplaced"], {}, shop, [Silence("shelf-denim", NOON, None)])
    [absence] = raised.evidence.absent
    assert [watch.reader for watch in absence.readers] == ["shelf-kids"]
    assert (absence.from_ms, absence.until_ms) == (NOON, NOON + 15 * 60_000)
    assert not raised.unproven


def test_staff_read_the_titles_of_areas_and_programs_their_names(shop: Scenario) -> None:
    stray = event("SHELF-READING", NOON, "fitting", dwell=0, home="stock")
    lost = ReportedMatch("misplaced", "m2", NOON + 15 * 60_000, NOON, NOON, 1.0, {"x": stray})
    raised = alert(lost, detectors.load()["misplaced"], {}, shop, [])
    assert "came to Fitting room at" in raised.explanation
    assert raised.explanation.endswith("it belongs to Stock room.")
    assert raised.area == raised.evidence.events[0].area == "fitting"


def test_an_area_that_the_plan_no_longer_has_is_told_by_its_name(shop: Scenario) -> None:
    gone = [event("SHELF-LEFT", NOON + n, "toys") for n in range(2)]
    sweep = ReportedMatch("shelf_sweep", "m3", NOON + 2, NOON, NOON + 1, 1.0, {"a": gone})
    told = alert(sweep, detectors.load()["shelf_sweep"], {}, shop, []).explanation
    assert told.startswith("2 items of Jeans left toys between ")


ABSENCES = {
    "EVENT SEQ(!(N n), A a, B b) WITHIN 10 sec": (1_000 + 4_000 - 10_000, 1_000),
    "EVENT SEQ(A a, !(N n), B b) WITHIN 10 sec": (1_000, 5_000),
    "EVENT SEQ(A a, B b, !(N n)) WITHIN $w": (5_000, 1_000 + 10_000),
    "EVENT SEQ(AND(A a, !(N n)), B b) WITHIN 10 sec": (1_000 + 4_000 - 10_000, 5_000),
}


@pytest.mark.parametrize("text", ABSENCES)
def test_an_absence_lies_between_its_neighbours_or_the_windows_edge(text: str) -> None:
    events = {"a": {"ts": 1_000}, "b": [{"ts": 5_000}]}
    [stretch] = absent_times(parse(text), {"w": 10_000}, events)
    assert (stretch.from_ms, stretch.until_ms) == ABSENCES[text]

"""From a match to an alert: the words, the evidence, and when an alert is marked unproven."""

from __future__ import annotations

import json
from typing import Any

import pytest

import detectors
from app.detection.absence import absent_times
from app.detection.alert import ReportedMatch, alert, found
from app.place import scenario
from app.place.find import find_scenario
from app.place.scenario import Scenario
from app.store import VIGIL, Silence, is_proven
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
        "probability": 0.96,
        "events": json.dumps({"x": taken, "z": gone}),
    }
    return found(row)


def test_an_alert_says_what_happened_to_what_where_and_when(shop: Scenario) -> None:
    raised = alert(theft(), detectors.load()["shoplifting"], {}, shop, [])
    assert (raised.id, raised.subject, raised.area, raised.severity) == ("m1", "JEAN-1", "main-exit", "high")
    assert (raised.started_ms, raised.occurred_ms, raised.detected_ms) == (NOON, NOON + 60_000, NOON + 60_000)
    assert raised.explanation.startswith("Jeans (JEAN-1) left through Main exit at ")
    assert raised.probability == 0.96
    assert raised.told.startswith("96% sure: Jeans (JEAN-1) left through Main exit at ")


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
    assert evidence.parameters == {"memory": 12 * HOUR, "sure": 0.5}


def test_the_absence_is_shown_with_the_readers_that_would_have_seen_it(shop: Scenario) -> None:
    raised = alert(theft(), detectors.load()["shoplifting"], {}, shop, [])
    absent = {absence.variable: absence for absence in raised.evidence.absent}
    assert (absent["y"].from_ms, absent["y"].until_ms) == (NOON, NOON + 60_000)
    assert [watch.reader for watch in absent["y"].readers] == ["till-1-pad", "till-2-pad"]
    assert not raised.unproven


TILLS = ("till-1-pad", "till-2-pad")
SILENCES = {
    "began before and goes on": (Silence("till-2-pad", NOON - 5, None), 60_000),
    "in the middle": (Silence("till-2-pad", NOON + 10_000, NOON + 15_000), 5_000),
    "before it was taken": (Silence("till-2-pad", NOON - 10_000, NOON), 10_000),
    "twice told": (Silence("till-2-pad", NOON + 10_000, NOON + 15_000), 5_000),
    "longer ago than a payment counts": (Silence("till-2-pad", 0, NOON - 12 * HOUR), 0),
    "of a reader elsewhere": (Silence("shelf-kids", NOON, None), 0),
}


@pytest.mark.parametrize("case", SILENCES)
def test_an_alert_is_unproven_while_a_reader_that_counts_is_silent(shop: Scenario, case: str) -> None:
    silence, silent_ms = SILENCES[case]
    raised = alert(theft(), detectors.load()["shoplifting"], {}, shop, [silence, silence])
    watches = [watch for absence in raised.evidence.absent for watch in absence.readers]
    assert max(one.silent_ms for one in watches if one.reader == "till-2-pad") == silent_ms
    assert raised.unproven == (silent_ms > 0)
    in_doubt = {name for one in raised.evidence.clauses if not one.holds for name in one.variables}
    assert in_doubt == IN_DOUBT[case]


IN_DOUBT = {
    "began before and goes on": {"before", "y"},
    "in the middle": {"y"},
    "before it was taken": {"before"},
    "twice told": {"y"},
    "longer ago than a payment counts": set(),
    "of a reader elsewhere": set(),
}


def test_nobody_claims_to_have_watched_before_vigil_began(shop: Scenario) -> None:
    detector = detectors.load()["shoplifting"]
    began = [Silence(VIGIL, 0, NOON - 250_000), *(Silence(till, 0, NOON - 250_000) for till in TILLS)]
    raised = alert(theft(), detector, {}, shop, began)
    assert raised.explanation.endswith("no checkout has read it since Vigil began to watch 5 minutes ago.")
    assert raised.unproven
    later = alert(theft(), detector, {"memory": 600_000}, shop, [Silence(VIGIL, 0, NOON - HOUR)])
    assert later.explanation.endswith("no checkout has read it in 10 minutes.")
    assert not later.unproven


def test_every_absent_part_counts_also_one_that_is_a_composite_event() -> None:
    ward = scenario.load(find_scenario("ward"))
    due = event("DOSE-DUE", NOON, "", patient="P1", medicine="M1", dose=5.0)
    match = ReportedMatch("missed_dose", "m4", NOON + HOUR, NOON, NOON, 1.0, {"due": due})
    cabinets = [one.name for one in ward.plan.readers if "cabinet" in one.name]
    silent = [Silence(cabinets[0], NOON - HOUR, NOON - HOUR + 1)]
    raised = alert(match, detectors.load()["missed_dose"], {}, ward, silent)
    absent = {one.variable: one for one in raised.evidence.absent}
    assert [one.silent_ms for one in absent["early"].readers] == [1, *([0] * (len(cabinets) - 1))]
    assert is_proven([absent["late"]])
    assert raised.unproven


def test_patients_are_called_by_their_names() -> None:
    ward = scenario.load(find_scenario("ward"))
    due = event("DOSE-DUE", NOON, "", id="INSULIN-4", name=None, patient="patient-4")
    due |= {"medicine": "Insulin", "dose": 5.0}
    missed = ReportedMatch("missed_dose", "m5", NOON + HOUR, NOON, NOON, 1.0, {"due": due})
    raised = alert(missed, detectors.load()["missed_dose"], {}, ward, [])
    assert raised.explanation.startswith("David Wolf was due Insulin (5 mg) at ")
    assert (raised.subject, raised.evidence.events[0].attributes["name"]) == ("INSULIN-4", "David Wolf")
    taken = event("MEDICINE-TAKEN", NOON, "cabinet-1", patient="patient-3", name="Clara Lang")
    taken |= {"medicine": "Insulin", "prescribed_to": "patient-4"}
    mixed = ReportedMatch("wrong_patient", "m6", NOON, NOON, NOON, 1.0, {"t": taken})
    raised = alert(mixed, detectors.load()["wrong_patient"], {}, ward, [])
    assert raised.explanation.endswith("from the bottle of David Wolf.")
    assert raised.subject == "patient-3"


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

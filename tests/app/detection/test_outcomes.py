"""Alerts of operators with windows of their own: what was absent when, and whether it is proven."""

from __future__ import annotations

from typing import Any

import pytest

import detectors
from app.detection.absence import absent_times
from app.detection.alert import ReportedMatch, alert
from app.place.find import find_scenario
from app.place.scenario import Scenario, load
from app.store import Alert, Silence
from sase.language.parse import parse
from tests.app.rows import NOON


@pytest.fixture(scope="module")
def library() -> Scenario:
    return load(find_scenario("library"))


def left(kind: str, seconds: float = 0, **more: Any) -> dict[str, Any]:
    return {"event": kind, "ts": NOON + round(seconds * 1000), "loc_id": "door", "reader": "door-gate"} | more


def raised(
    scenario: Scenario, detector: str, events: dict[str, Any], silences: tuple[Silence, ...] = ()
) -> Alert:
    match = ReportedMatch(detector, "m1", NOON + 3_000, NOON, NOON, 1.0, events)
    return alert(match, detectors.load()[detector], {}, scenario, silences)


def stolen(scenario: Scenario, *silences: Silence) -> Alert:
    book = left("Unlent", book_id="book-1", name="Emma", tag="AA")
    return raised(scenario, "booklifting", {"b": book}, silences)


def test_a_stolen_book_is_told_with_the_door_as_people_call_it(library: Scenario) -> None:
    alarm = stolen(library)
    assert (alarm.subject, alarm.area) == ("book-1", "door")
    assert alarm.explanation.startswith("Emma (book-1) left through Door at ")


def test_what_was_absent_before_and_after_has_its_own_time(library: Scenario) -> None:
    told = [(one.variable, one.event, one.from_ms, one.until_ms) for one in stolen(library).evidence.absent]
    assert told == [("before", "Person", NOON - 3_000, NOON), ("after", "Person", NOON, NOON + 3_000)]


def test_a_silent_scanner_leaves_the_theft_unproven(library: Scenario) -> None:
    assert not stolen(library).unproven
    silent = stolen(library, Silence("counter-scanner", NOON - 60_000, None))
    assert silent.unproven
    assert [clause.holds for clause in silent.evidence.clauses] == [True, True, False, True]


def test_each_part_of_the_query_is_a_clause_with_the_events_it_speaks_of(library: Scenario) -> None:
    persons = {name: left("Person", person_id=name, name=name.title()) for name in ("p1", "p2")}
    confused = raised(library, "confusion", persons | {"b": left("Unlent", 1, book_id="book-1")})
    assert [clause.variables for clause in confused.evidence.clauses] == [
        ("b", "p1", "p2"),
        ("b", "p1", "p2"),
        ("p1", "p2"),
    ]
    assert [seen.variable for seen in confused.evidence.events] == ["p1", "p2", "b"]
    assert stolen(library).evidence.clauses[1].text == "NOTPRECEDES(…, Person before, $near)"


@pytest.mark.parametrize(
    ("query", "bound", "expected"),
    [
        ("NOTFOLLOWS(A a, B b, 2 sec)", {"a": 10}, [("b", 10, 12)]),
        ("NOTPRECEDES(A a, B b, $far)", {"a": 10}, [("b", 5, 10)]),
        ("NOTFOLLOWS(BOTH(A a, C c, 9 sec), B b, 2 sec)", {"a": 10, "c": 7}, [("b", 10, 12)]),
        ("NOTPRECEDES(NOTFOLLOWS(A a, B b, 2 sec), C c, 1 sec)", {"a": 10}, [("b", 10, 12), ("c", 11, 12)]),
        ("NOTFOLLOWS(A a, ANYONE(B b, C c), 2 sec)", {"a": 10}, [("b", 10, 12), ("c", 10, 12)]),
        ("ANYONE(NOTFOLLOWS(A a, B b, 2 sec), NOTFOLLOWS(C c, D d, 3 sec))", {"c": 10}, [("d", 10, 13)]),
        (
            "ANYONE(NOTPRECEDES(A a, B b, 2 sec), NOTPRECEDES(FOLLOWS(C c, A a, 9 sec), D d, 3 sec))",
            {"a": 10, "c": 5},
            [("d", 7, 10)],
        ),
        ("NOTFOLLOWS(A a, FOLLOWS(B b, C c, 1 sec), 2 sec)", {"a": 10}, [("b", 10, 12)]),
    ],
)
def test_an_absence_lasts_as_long_as_its_window(
    query: str, bound: dict[str, int], expected: list[tuple[str, int, int]]
) -> None:
    events = {name: {"ts": seconds * 1000} for name, seconds in bound.items()}
    found = absent_times(parse(f"EVENT {query}"), {"far": 5_000}, events)
    assert [(one.leaf.var, one.from_ms / 1000, one.until_ms / 1000) for one in found] == expected

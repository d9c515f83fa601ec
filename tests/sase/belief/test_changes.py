"""ENTERED and LEFT: when they are told, with which probability, and that the engine reads them."""

from __future__ import annotations

import pytest

import sase
from sase import belief
from tests.sase.belief.home import MINUTE, SECOND, home

PEOPLE = {"A": {"role": "senior"}, "B": {"role": "child"}}


def events(state: belief.State, **limits: float) -> list[tuple[object, ...]]:
    return [
        tuple(each[key] for key in ("event", "ts", "entity", "place")) for each in state.changes(**limits)
    ]


def test_who_comes_and_goes_is_told_when_it_happens() -> None:
    state = belief.State(home(), ["A"], start={"A": "outside"})
    state.see(
        [
            {"ts": 0, "sensor": "door", "entity": "A", "to": "LR"},
            {"ts": MINUTE, "sensor": "br-cam", "entity": "A"},
        ]
    )
    assert events(state) == [
        ("LEFT", 0, "A", "outside"),
        ("ENTERED", 0, "A", "LR"),
        ("LEFT", MINUTE, "A", "LR"),
        ("ENTERED", MINUTE, "A", "BR"),
    ]
    assert state.changes() == []


def test_time_alone_makes_one_leave() -> None:
    state = belief.State(home(), ["A"], start={"A": "LR"})
    for minute in range(30):
        state.advance(minute * MINUTE)
    (left,) = state.changes()
    assert (left["event"], left["place"]) == ("LEFT", "LR")
    assert left["prob"] == pytest.approx(1 - 0.5, abs=0.03)


def test_the_limits_are_those_of_the_call() -> None:
    state = belief.State(home(), ["A"], start={"A": {"LR": 0.5, "BR": 0.5}})
    state.see([{"ts": 0, "sensor": "br-cam", "entity": "A", "sure": 0.8}])
    assert events(state, above=0.75, below=0.3) == [("ENTERED", 0, "A", "BR")]
    state.see([{"ts": MINUTE, "sensor": "lr-cam", "entity": "A", "sure": 0.8}])
    assert events(state, above=0.75, below=0.5) == [("LEFT", MINUTE, "A", "BR")]


def test_the_same_doubt_is_not_told_twice() -> None:
    """Whether it is A that went to the bedroom is in doubt once; that it then came back is not."""
    state = belief.State(home(), ["A", "B"], start={"A": "LR", "B": "LR"})
    state.see(
        [
            {"ts": 0, "sensor": "br-door", "to": "BR"},
            {"ts": 0, "sensor": "br-cam", "entity": "A", "sure": 0.95},
            {"ts": SECOND, "sensor": "br-door", "to": "LR"},
        ]
    )
    told = [each for each in state.changes() if each["entity"] == "A"]
    assert [(each["event"], each["place"]) for each in told] == [
        ("LEFT", "LR"),
        ("ENTERED", "BR"),
        ("LEFT", "BR"),
        ("ENTERED", "LR"),
    ]
    assert [each["prob"] for each in told] == pytest.approx([1, 0.95, 1, 1], abs=1e-3)


def test_products_are_joint_probabilities() -> None:
    """That A was in the bedroom, and is not there later: the second is told as if the first were certain."""
    state = belief.State(home(), ["A"], start={"A": {"BR": 0.5, "outside": 0.5}})
    certain = belief.State(home(), ["A"], start={"A": "BR"})
    state.see([{"ts": 0, "sensor": "br-cam", "entity": "A", "sure": 0.95}])
    certain.advance(0)
    for each in (state, certain):
        each.see([{"ts": 40 * MINUTE, "sensor": "lr-cam", "entity": "A", "sure": 0.8}])
    entered, left = state.changes(above=0.9, below=0.5)
    assert (entered["event"], left["event"], left["place"]) == ("ENTERED", "LEFT", "BR")
    assert entered["prob"] == pytest.approx(0.95)
    assert left["prob"] == pytest.approx(1 - certain.is_in("A", "BR"))
    assert left["prob"] != pytest.approx(1 - state.is_in("A", "BR"), abs=1e-3)


def test_the_engine_reads_changes_and_asks_for_state() -> None:
    state = belief.State(home(), PEOPLE, start={"A": "outside", "B": "outside"})
    state.see([{"ts": MINUTE, "sensor": "door", "entity": name, "to": "LR", "sure": 0.95} for name in PEOPLE])
    query = sase.compile("""
        EVENT SEQ(LEAK x, ENTERED y)
        WHERE y.place = 'LR' AND y.role = 'senior'
        WITHIN 1 hour RETURN y.entity AS told""")
    (match,) = query.match([{"event": "LEAK", "ts": 0}, *state.changes()])
    assert match.attributes == {"told": "A"}
    assert match.probability == pytest.approx(0.95, abs=1e-3)

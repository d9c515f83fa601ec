"""What Vigil does with alerts and silences by itself: closing, withdrawing, looking at the watching again."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Absence, Actor, Alert, Clause, Evidence, ExpectedReader, Filter, Silence

HOUR = 3_600_000
STAFF = Actor("sam", "staff")


def raised(name: str, at: int = HOUR) -> Alert:
    absent = Absence("y", "COUNTER-READING", at - HOUR, at, (ExpectedReader("till", True, 0),))
    clauses = (Clause("!(COUNTER-READING y)", True, ("y",)), Clause("[id]", True, ("x", "z")))
    evidence = Evidence("EVENT A x", {}, (), (absent,), clauses)
    words = ("store", "shoplifting", "1", "high", "Theft", f"item {name}", "exit")
    return Alert(name, *words, at, at, at, "gone", "look", evidence)


@pytest.fixture
def alerts(store: sa.Engine) -> list[Alert]:
    made = [raised("a"), raised("b", 2 * HOUR), raised("c", 3 * HOUR)]
    stores.record_alerts(store, made, 1)
    return made


def test_a_rule_closes_what_is_still_open_and_says_why(store: sa.Engine, alerts: list[Alert]) -> None:
    stores.take(store, STAFF, ["a"], now_ms=2)
    stores.resolve(store, STAFF, ["b"], "theft", "", now_ms=2)
    assert set(stores.close_by_rule(store, ["a", "b", "gone"], "it went home", 3)) == {"a"}
    assert stores.withdraw(store, ["c"], "a till had read it", 4) == ["c"]
    found = {one.id: one for one in stores.search(store, Filter()).alerts}
    assert [(found[name].resolution, found[name].reason) for name in "abc"] == [
        ("put right", "it went home"),
        ("theft", ""),
        ("withdrawn", "a till had read it"),
    ]
    last = stores.alert_history(store, "c")[-1]
    assert (last.actor, last.action, last.detail["reason"]) == ("pipeline", "withdrawn", "a till had read it")
    assert [one.topic for one in stores.unsent(store)][-2:] == ["vigil/alerts/changed"] * 2
    assert stores.open_about(store, "shoplifting", [one.subject for one in alerts]) == []


def test_silences_that_change_make_alerts_unproven_and_proven_again(
    store: sa.Engine, alerts: list[Alert]
) -> None:
    with stores.writing(store) as connection:
        stores.record_silences(connection, [Silence("till", HOUR + 5, HOUR + 9), Silence("other", 0, None)])
        changed = stores.revise_proofs(connection, HOUR + 5, 7)
        assert stores.revise_proofs(connection, HOUR + 5, 8) == []
    assert [one.id for one in changed] == ["b"]
    found = stores.find_alert(store, "b")
    assert found is not None
    assert found.unproven
    assert [clause.holds for clause in found.evidence.clauses] == [False, True]
    with stores.writing(store) as connection:
        assert stores.cut_silences(connection, Silence("till", HOUR, HOUR + 20)) == HOUR + 5
        [again] = stores.revise_proofs(connection, HOUR + 5, 9)
    assert replace(again, change=0) == replace(alerts[1], incident="b", stored_ms=1)
    assert [step.action for step in stores.alert_history(store, "b")] == ["raised", "unproven", "proven"]


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ((0, 5), [(10, 20)]),
        ((0, 12), [(12, 20)]),
        ((12, 15), [(10, 12), (15, 20)]),
        ((9, 30), []),
    ],
)
def test_what_was_told_later_leaves_the_silence(
    store: sa.Engine, told: tuple[int, int], left: list[tuple[int, int]]
) -> None:
    with stores.writing(store) as connection:
        stores.record_silences(connection, [Silence("till", 10, 20), Silence("gate", 10, 20)])
        stores.cut_silences(connection, Silence("till", *told))
    found = stores.silences_between(store, 0, 100)
    assert [(one.from_ms, one.until_ms) for one in found if one.reader == "till"] == left
    assert Silence("gate", 10, 20) in found

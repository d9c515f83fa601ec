"""What can happen to an alert, who may do it, and what is written down."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Actor, Alert, Evidence, Filter, Seen

VIEWER, STAFF, ADMIN = Actor("vera", "viewer"), Actor("stan", "staff"), Actor("ada", "admin")
EVIDENCE = Evidence(
    query="EVENT SEQ(SHELF-READING x, !(COUNTER-READING y), EXIT-READING z) WHERE [tag] WITHIN 12 hours",
    parameters={"window": "12 hours"},
    events=(Seen("x", "SHELF-READING", 1_000, "denim", "R1", {"tag": "T1"}),),
    absent=(
        stores.Absence("y", "COUNTER-READING", 1_000, 9_000, (stores.ExpectedReader("R9", False, 500),)),
    ),
    clauses=(stores.Clause("[tag]", True, ("x", "z")),),
)
ALERT = Alert(
    id="a1",
    scenario="store",
    detector="shoplifting",
    version="1",
    severity="high",
    title="Item left unpaid",
    subject="T1",
    area="exit",
    started_ms=1_000,
    occurred_ms=9_000,
    detected_ms=9_000,
    explanation="JEAN-32 left through the exit without passing a till.",
    advice="Ask politely.",
    evidence=EVIDENCE,
    unproven=True,
)


@pytest.fixture
def recorded(store: sa.Engine) -> sa.Engine:
    stores.record_alerts(store, [ALERT, replace(ALERT, id="a2", subject="T2")], now_ms=10_000)
    return store


def test_an_alert_comes_back_as_it_went_in(recorded: sa.Engine) -> None:
    assert stores.find_alert(recorded, "a1") == replace(ALERT, incident="a1", stored_ms=10_000, change=1)


def test_an_unknown_alert_is_nothing(store: sa.Engine) -> None:
    assert stores.find_alert(store, "a9") is None


def test_recording_an_alert_again_changes_nothing(recorded: sa.Engine) -> None:
    stores.take(recorded, STAFF, ["a1"], now_ms=11_000)
    before = stores.find_alert(recorded, "a1")
    assert stores.record_alerts(recorded, [ALERT, ALERT], now_ms=12_000) == 0
    assert stores.find_alert(recorded, "a1") == before
    assert len(stores.unsent(recorded)) == 4  # two alerts, an incident each


def test_the_whole_life_is_on_record_with_its_authors(recorded: sa.Engine) -> None:
    stores.take(recorded, STAFF, ["a1"], now_ms=11)
    stores.note(recorded, ADMIN, ["a1"], " looks like a tourist ", now_ms=12)
    stores.hand_over(recorded, STAFF, ["a1"], "ada", now_ms=13)
    stores.resolve(recorded, ADMIN, ["a1"], "returned", "", now_ms=14)
    stores.reopen(recorded, STAFF, ["a1"], now_ms=15)
    history = stores.alert_history(recorded, "a1")
    assert [(step.actor, step.action) for step in history] == [
        ("pipeline", "raised"),
        ("stan", "taken"),
        ("ada", "noted"),
        ("stan", "handed over"),
        ("ada", "resolved"),
        ("stan", "reopened"),
    ]
    assert history[2].detail == {"text": "looks like a tourist"}
    assert history[3].detail == {"owner": {"from": "stan", "to": "ada"}}


def test_a_resolved_alert_keeps_its_resolution_and_a_reopened_one_is_new(recorded: sa.Engine) -> None:
    stores.resolve(recorded, STAFF, ["a1"], "false alarm", "price tag of a customer", now_ms=11)
    resolved = stores.find_alert(recorded, "a1")
    assert resolved is not None
    assert (resolved.state, resolved.resolution, resolved.reason) == (
        "resolved",
        "false alarm",
        "price tag of a customer",
    )
    stores.reopen(recorded, STAFF, ["a1"], now_ms=12)
    reopened = stores.find_alert(recorded, "a1")
    assert reopened is not None
    assert (reopened.state, reopened.owner, reopened.resolution, reopened.reason) == ("new", None, None, None)


def test_a_false_alarm_needs_a_reason(recorded: sa.Engine) -> None:
    with pytest.raises(stores.LifeError, match="say why"):
        stores.resolve(recorded, STAFF, ["a1"], "false alarm", "  ", now_ms=11)


def test_a_resolution_is_one_of_those_known(recorded: sa.Engine) -> None:
    with pytest.raises(stores.LifeError, match="no such resolution: bored; one of theft"):
        stores.resolve(recorded, STAFF, ["a1"], "bored", "", now_ms=11)


def test_a_resolved_alert_cannot_be_taken(recorded: sa.Engine) -> None:
    stores.resolve(recorded, STAFF, ["a1"], "theft", "", now_ms=11)
    with pytest.raises(stores.LifeError, match="the alert about T1 is resolved and cannot be taken"):
        stores.take(recorded, STAFF, ["a1"], now_ms=12)


def test_a_change_of_many_is_made_to_all_or_none(recorded: sa.Engine) -> None:
    with pytest.raises(stores.LifeError, match="no such alert"):
        stores.take(recorded, STAFF, ["a1", "a9", "a2"], now_ms=11)
    assert stores.search(recorded, Filter(states=("taken",))).total == 0
    stores.take(recorded, STAFF, ["a1", "a2", "a1"], now_ms=12)
    assert stores.search(recorded, Filter(states=("taken",))).total == 2


def test_a_snoozed_alert_leaves_the_feed_until_its_end(recorded: sa.Engine) -> None:
    stores.snooze(recorded, STAFF, ["a1"], until_ms=60_000, now_ms=11_000)
    assert [alert.id for alert in stores.open_alerts(recorded, now_ms=59_999)] == ["a2"]
    assert [alert.id for alert in stores.open_alerts(recorded, now_ms=60_000)] == ["a2", "a1"]
    assert stores.open_counts(recorded, now_ms=59_999) == {"high": 1}


def test_a_snooze_can_be_ended_early(recorded: sa.Engine) -> None:
    stores.snooze(recorded, STAFF, ["a1"], until_ms=60_000, now_ms=11_000)
    stores.wake(recorded, STAFF, ["a1"], now_ms=12_000)
    assert len(stores.open_alerts(recorded, now_ms=13_000)) == 2


def test_a_snooze_ends_in_the_future(recorded: sa.Engine) -> None:
    with pytest.raises(stores.LifeError, match="future"):
        stores.snooze(recorded, STAFF, ["a1"], until_ms=11_000, now_ms=11_000)


def test_an_empty_note_is_refused(recorded: sa.Engine) -> None:
    with pytest.raises(stores.LifeError, match="says nothing"):
        stores.note(recorded, STAFF, ["a1"], " ", now_ms=11)


CHANGES: dict[str, Callable[[sa.Engine, Actor], object]] = {
    "take": lambda store, actor: stores.take(store, actor, ["a1"], now_ms=1),
    "hand over": lambda store, actor: stores.hand_over(store, actor, ["a1"], "ada", now_ms=1),
    "resolve": lambda store, actor: stores.resolve(store, actor, ["a1"], "theft", "", now_ms=1),
    "reopen": lambda store, actor: stores.reopen(store, actor, ["a1"], now_ms=1),
    "snooze": lambda store, actor: stores.snooze(store, actor, ["a1"], 9, now_ms=1),
    "wake": lambda store, actor: stores.wake(store, actor, ["a1"], now_ms=1),
    "note": lambda store, actor: stores.note(store, actor, ["a1"], "hm", now_ms=1),
    "stage": lambda store, actor: stores.stage(store, actor, {"incident": "shoplift"}, now_ms=1),
    "order": lambda store, actor: stores.order_dose(store, actor, "ward", "INSULIN-3", now_ms=1),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("actor", [VIEWER, Actor("eve", "owner")], ids=["viewer", "unknown role"])
def test_only_staff_and_admins_change_alerts(recorded: sa.Engine, change: str, actor: Actor) -> None:
    before = stores.last_change(recorded), stores.alert_history(recorded, "a1"), stores.unsent(recorded)
    with pytest.raises(stores.RefusedError, match="needs the role staff"):
        CHANGES[change](recorded, actor)
    after = stores.last_change(recorded), stores.alert_history(recorded, "a1"), stores.unsent(recorded)
    assert after == before


def test_a_staged_incident_is_queued_for_the_simulator_with_its_author(store: sa.Engine) -> None:
    stores.stage(store, STAFF, {"incident": "shoplift"}, now_ms=1)
    [message] = stores.unsent(store)
    assert (message.topic, message.payload) == (
        "vigil/simulator/command",
        '{"incident": "shoplift", "actor": "stan"}',
    )


def test_a_dose_that_is_ordered_is_queued_for_the_pipeline_with_its_author(store: sa.Engine) -> None:
    stores.order_dose(store, STAFF, "ward", "INSULIN-3", now_ms=1)
    [message] = stores.unsent(store)
    assert message.topic == "vigil/control"
    assert json.loads(message.payload) == {"scenario": "ward", "dose": "INSULIN-3", "actor": "stan"}


def test_a_loan_that_is_booked_closes_the_alert_and_goes_to_the_pipeline(recorded: sa.Engine) -> None:
    loan = stores.BookedLoan("patron-7", "book-3", "Anna Roth")
    stores.lend(recorded, STAFF, ALERT, loan, now_ms=11_000)
    resolved = stores.find_alert(recorded, "a1")
    assert resolved is not None
    assert (resolved.state, resolved.resolution, resolved.reason) == ("resolved", "borrowed", "Anna Roth")
    [told] = [one for one in stores.unsent(recorded) if one.topic == "vigil/control"]
    assert json.loads(told.payload) == {
        "scenario": "store",
        "loan": {"patron": "patron-7", "item": "book-3"},
        "actor": "stan",
    }


def test_a_loan_cannot_be_booked_twice_nor_by_who_only_looks(recorded: sa.Engine) -> None:
    loan = stores.BookedLoan("patron-7", "book-3", "Anna Roth")
    with pytest.raises(stores.RefusedError):
        stores.lend(recorded, VIEWER, ALERT, loan, now_ms=11_000)
    stores.lend(recorded, STAFF, ALERT, loan, now_ms=11_000)
    with pytest.raises(stores.LifeError, match="is resolved and cannot be resolved"):
        stores.lend(recorded, STAFF, ALERT, loan, now_ms=12_000)
    assert len([one for one in stores.unsent(recorded) if one.topic == "vigil/control"]) == 1


def test_two_pages_of_one_person_take_an_alert_once(recorded: sa.Engine) -> None:
    outcomes: list[str] = []

    def take() -> None:
        try:
            stores.take(recorded, STAFF, ["a1"], now_ms=11)
            outcomes.append("taken")
        except stores.LifeError as error:
            outcomes.append(str(error))

    pages = [threading.Thread(target=take) for _ in range(2)]
    for page in pages:
        page.start()
    for page in pages:
        page.join()
    assert sorted(outcomes) == ["taken", "you have taken it already"]
    assert [step.action for step in stores.alert_history(recorded, "a1")] == ["raised", "taken"]


def test_alerts_are_found_by_who_has_them_what_they_were_and_what_was_written(recorded: sa.Engine) -> None:
    stores.take(recorded, STAFF, ["a1"], now_ms=11)
    stores.note(recorded, STAFF, ["a1"], "She had the Receipt", now_ms=12)
    stores.resolve(recorded, STAFF, ["a1"], "false alarm", "till was slow", now_ms=13)
    for words in ("stan", "receipt", "false alarm", "SLOW jean-32"):
        assert [one.id for one in stores.search(recorded, Filter(text=words)).alerts] == ["a1"]

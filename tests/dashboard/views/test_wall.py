"""The wall: one state for all that is open and all that is not watched."""

from __future__ import annotations

import pytest

from app import store
from app.store import Alert
from dashboard.components.wall import WallState
from dashboard.context import Context
from dashboard.facts.live_data import newest
from dashboard.views.wall import state_of
from dashboard.words import text
from tests.dashboard import seed


def state(place: Context, *alerts: Alert) -> WallState:
    store.record_alerts(place.store, alerts, seed.NOW)
    return state_of(newest(place), place)


def test_a_place_that_is_watched_and_has_nothing_open_is_calm(empty: Context) -> None:
    seed.parts(empty.store, seed.NOW)
    shown = state(empty)
    assert (shown.state, shown.where, shown.last) == ("calm", text.live.WALL_QUIET, text.live.WALL_NO_ALERT)
    assert shown.clock == "09:00"


@pytest.mark.parametrize(
    ("severity", "expected"),
    [("critical", "act"), ("high", "act"), ("medium", "attention"), ("info", "attention")],
)
def test_what_nobody_has_taken_says_act_or_attention_by_its_severity(
    severity: str, expected: str, empty: Context
) -> None:
    seed.parts(empty.store, seed.NOW)
    assert state(empty, seed.shoplifting(1, seed.NOW, severity=severity)).state == expected


def test_the_worst_is_told_with_place_thing_value_and_doubt(empty: Context) -> None:
    seed.parts(empty.store, seed.NOW)
    worst = seed.shoplifting(1, seed.NOW - seed.MINUTE, severity="critical", unproven=True)
    shown = state(empty, worst, seed.shoplifting(2, seed.NOW, severity="low", title="Misplaced"))
    assert shown.where == "Main exit"
    assert shown.what == "Shoplifting · Jeans size 28 (JEAN-28-002), worth 49.90 · Unproven · and 1 more"
    assert shown.last == "Last alert 09:00: Misplaced, Main exit"


def test_what_is_taken_is_calm_and_counted(empty: Context) -> None:
    seed.parts(empty.store, seed.NOW)
    alert = seed.shoplifting(1, seed.NOW)
    store.record_alerts(empty.store, [alert], seed.NOW)
    store.take(empty.store, seed.STAFF, [alert.id], now_ms=seed.NOW)
    shown = state(empty)
    assert (shown.state, shown.what) == ("calm", "1 being handled")


def test_a_wall_is_not_calm_while_nothing_is_watched(empty: Context) -> None:
    assert (state(empty).state, state(empty).where) == ("attention", text.live.WALL_NOT_WATCHED)


def test_the_wall_says_what_is_off_silent_and_late(empty: Context) -> None:
    seed.parts(empty.store, seed.NOW)
    seed.switches(empty.store, seed.NOW)
    off = {"enabled": False, "reason": "stocktaking"}
    store.switch(empty.store, seed.ADMIN, "store", "misplaced", now_ms=seed.NOW, **off)
    store.record_metrics(empty.store, {"late_share": 0.12}, seed.NOW)
    with store.writing(empty.store) as connection:
        store.record_readers(connection, seed.readers(seed.NOW))
    shown = state(empty)
    assert shown.state == "attention"
    assert [words.split()[0] for words in shown.notices] == ["Readers", "Misplaced", "12%"]


def test_an_alert_without_a_place_is_told_without_one(empty: Context) -> None:
    seed.parts(empty.store, seed.NOW)
    shown = state(empty, seed.shoplifting(1, seed.NOW, title="Missed dose", area=""))
    assert shown.last == "Last alert 09:00: Missed dose"

"""Alerts: found by words, by state, by day and by how sure they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from app import store
from app.store import Filter
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard.opened import SignIn, opened, words


def test_the_search_finds_by_words_and_by_state(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = opened("alerts")
    assert "**10,000** alerts found" in words(page)
    page.text_input(key="q").set_value("JEAN-28-001").run()
    assert "**5** alerts found" in words(page)
    page.multiselect(key="state").set_value(["resolved"]).run()
    assert text.alerts.NOTHING_FOUND in words(page)


def test_alerts_are_found_between_two_days_of_the_places_calendar(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = opened("alerts")
    page.selectbox(key="since").set_value(-1).run()
    sunday = date(2025, 11, 16)
    page.date_input(key="days").set_value((sunday, sunday)).run()
    assert "**720** alerts found" in words(page)  # one every two minutes


def test_alerts_are_found_and_sorted_by_how_sure_they_are(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    doubtful = replace(store.search(busy.store, Filter()).alerts[0], id="doubtful", probability=0.93)
    store.record_alerts(busy.store, [doubtful], busy.now_ms())
    page = opened("alerts")
    page.selectbox(key="order").set_value("surest").run()
    assert page.session_state["searched"][1].alerts[0].doubt == "93% sure"
    page.selectbox(key="sure").set_value(90).run()
    assert "**1** alert found" in words(page)
    page.selectbox(key="sure").set_value(99).run()
    assert text.alerts.NOTHING_FOUND in words(page)

"""Alerts: found by words, by state and by day."""

from __future__ import annotations

from datetime import date

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

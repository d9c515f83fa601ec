"""Choosing what an alert turned out to be, with the mouse."""

from __future__ import annotations

from playwright.sync_api import Page

from dashboard.words import text


def choose_outcome(page: Page, outcome: str) -> None:
    page.get_by_test_id("stPopoverBody").get_by_role("combobox").click()
    page.get_by_role("option", name=text.terms.OUTCOMES[outcome]).click()

"""Choosing on the pages, with the mouse: what an alert turned out to be, that a detector is off."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from dashboard.words import text


def choose_outcome(page: Page, outcome: str) -> None:
    page.get_by_test_id("stPopoverBody").get_by_role("combobox").click()
    page.get_by_role("option", name=text.terms.OUTCOMES[outcome]).click()


def switch_off(page: Page, title: str, reason: str) -> None:
    """From the list of detectors on; the page still shows the one that was switched."""
    page.goto("/detectors")
    page.get_by_text(title, exact=False).first.click()
    expect(page.get_by_role("heading", level=2)).to_have_text(title)
    expect(page.locator(".query")).to_have_count(1)  # the card shown before has gone
    page.locator('[data-test-script-state="notRunning"]').first.wait_for()  # and this one is whole
    page.get_by_role("button", name=text.detectors.SWITCH_OFF).first.click()
    form = page.get_by_test_id("stPopoverBody")
    form.get_by_role("textbox", name=text.detectors.WHY_OFF).fill(reason)
    form.get_by_role("button", name=text.detectors.SWITCH_OFF).click()
    expect(page.get_by_text("has been off since")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_text(title)

"""The button that switches a detector off is hit by every click, whatever the page is doing meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.views.detectors.page import REFRESH_S
from dashboard.words import text

TITLES = ("Shelf sweep", "Misplaced item", "Shoplifting")
CLICKS = 12


def test_a_click_right_after_another_detector_was_chosen_opens_the_form(page: Page) -> None:
    page.goto("/detectors")
    for title in TITLES:
        page.get_by_role("radiogroup").get_by_text(title).click()
        expect(page.get_by_role("heading", level=2)).to_have_text(title)
        page.get_by_role("button", name=text.detectors.SWITCH_OFF).first.click()  # the page is still changing
        expect(reason(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(reason(page)).to_have_count(0)


@pytest.mark.parametrize("pause", [0.0, REFRESH_S / 5])
def test_every_click_while_the_page_refreshes_opens_the_form(page: Page, pause: float) -> None:
    page.goto("/detectors?which=shoplifting")
    expect(page.locator(".query")).to_have_count(1)
    button = page.get_by_role("button", name=text.detectors.SWITCH_OFF).first
    for _ in range(CLICKS):
        button.click()
        expect(reason(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(reason(page)).to_have_count(0)
        page.wait_for_timeout(1000 * pause)  # so that clicks come at other moments of a refresh


def reason(page: Page) -> Locator:
    return page.get_by_test_id("stPopoverBody").get_by_role("textbox", name=text.detectors.WHY_OFF)

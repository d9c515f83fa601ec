"""Whereabouts in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from dashboard.words import text
from tests.dashboard.browser.looking import drawn, tab_to


def test_a_thing_is_looked_for_and_an_area_is_chosen_on_the_map(page: Page) -> None:
    page.goto("/whereabouts")
    drawn(page)
    page.get_by_role("textbox", name=text.whereabouts.SEARCH).fill("jean-28-001")
    page.keyboard.press("Enter")
    expect(page.get_by_role("cell", name="70%")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('.graph').data[0].text.some((one) => one.includes('70%'))"
    )
    box = page.evaluate(
        """() => { const graph = document.querySelector('.graph'), { xaxis, yaxis } = graph._fullLayout;
        const place = graph.getBoundingClientRect();
        return [place.left + xaxis._offset + xaxis.d2p(26), place.top + yaxis._offset + yaxis.d2p(11)]; }"""
    )
    page.mouse.click(*box)
    expect(page.get_by_role("heading", level=3, name="Kids")).to_be_visible()
    expect(page.get_by_role("textbox", name=text.whereabouts.SEARCH)).to_have_value("")
    page.wait_for_url("**/whereabouts?area=Kids")


def test_an_area_is_chosen_without_a_mouse(page: Page) -> None:
    page.goto("/whereabouts")
    drawn(page)
    tab_to(page, page.get_by_role("combobox", name=text.whereabouts.AREA), outlined=False)
    page.keyboard.type("Denim")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=3, name="Denim")).to_be_visible()


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_whereabouts_fit_the_screen(width: int, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/whereabouts?what=JEAN-28-001")
    drawn(page)
    expect(page.get_by_role("cell", name="70%")).to_be_visible()
    assert page.evaluate("() => document.querySelector('.stMain').scrollWidth") <= width

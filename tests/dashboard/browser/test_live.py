"""Live and wall in a real browser, on a store with ten thousand alerts that changes while one looks at it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from app import store
from app.store import IncidentTie
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.browser.looking import ON_MAP, drawn, now_ms, raise_alert
from tests.dashboard.choosing import switch_off
from tests.dashboard.servers import Server

RANGE = "() => document.querySelector('.graph')._fullLayout.xaxis.range.map((x) => x.toFixed(3)).join()"
SIZE = "() => document.querySelectorAll('.feed *, .graph *').length"


def ticks(page: Page, server: Server, numbers: range) -> None:
    """Let the live page be drawn anew some times: each time for one more alert."""
    for number in numbers:
        page.wait_for_function(ON_MAP, arg=raise_alert(server, number))


def test_a_new_alert_comes_into_the_feed_and_onto_the_map_by_itself(page: Page, server: Server) -> None:
    page.goto("/")
    drawn(page)
    alert = raise_alert(server, 20_001, title="Brand-new alert")
    expect(page.locator(f".feed li[data-id='{alert}'] .notes")).to_have_text("Brand-new alert")
    page.wait_for_function(ON_MAP, arg=alert)
    expect(page.locator(".graph .pulse .point").first).to_be_attached()
    expect(page.locator("[data-testid='stToast']").first).to_contain_text("Brand-new alert")


def test_what_belongs_together_is_one_card_one_mark_and_one_take(page: Page, server: Server) -> None:
    seed.parts(server.store, now_ms())
    page.goto("/")
    drawn(page)
    ties = (IncidentTie("a thief at the main exit", 60_000),)
    first, second = (raise_alert(server, number, ties=ties) for number in (20_006, 20_007))
    card = page.locator(f".feed li[data-id='{first}']")
    expect(card.locator(".notes")).to_have_text("2 × Shoplifting")
    expect(page.locator(f".feed li[data-id='{second}']")).to_have_count(0)
    page.wait_for_function(ON_MAP, arg=first)
    card.locator(".take").click()
    expect(card.locator(".foot")).to_contain_text("Taken by demo")
    states = [found.state for id_ in (first, second) if (found := store.find_alert(server.store, id_))]
    assert states == ["taken", "taken"]


def test_zoom_scroll_and_the_map_itself_outlive_the_ticks(page: Page, server: Server) -> None:
    page.goto("/")
    drawn(page)
    page.locator(".feed ol").evaluate("(list) => { list.scrollTop = 400; }")
    page.evaluate("() => { document.querySelector('.graph').marked = true; }")
    before = page.evaluate(RANGE)
    page.locator(".graph").hover()
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"(before) => ({RANGE})() !== before", arg=before)
    zoomed = page.evaluate(RANGE)
    ticks(page, server, range(21_000, 21_003))
    assert page.evaluate(RANGE) == zoomed
    assert page.evaluate("() => document.querySelector('.graph').marked") is True
    assert page.locator(".feed ol").evaluate("(list) => list.scrollTop") > 300


def test_the_map_outlives_an_outage_that_comes_and_goes(page: Page, server: Server) -> None:
    seed.parts(server.store, now_ms())
    page.goto("/")
    drawn(page)
    page.evaluate("() => { document.querySelector('.graph').marked = true; }")
    seed.parts(server.store, now_ms(), down=["ingest"])
    expect(page.get_by_text(re.compile(" has been down since "))).to_be_visible()
    assert page.evaluate("() => document.querySelector('.graph').marked") is True
    seed.parts(server.store, now_ms())
    expect(page.get_by_text(re.compile(" has been down since "))).to_be_hidden()
    assert page.evaluate("() => document.querySelector('.graph').marked") is True


def test_the_page_does_not_grow_while_it_ticks(page: Page, server: Server) -> None:
    page.goto("/")
    drawn(page)
    before = page.evaluate(SIZE)
    ticks(page, server, range(22_000, 22_008))
    assert page.evaluate(SIZE) <= before + 40


def test_wall_mode_has_no_controls_but_the_way_back(page: Page) -> None:
    page.goto("/wall")
    drawn(page)
    expect(page.locator(".feed .take").first).to_be_hidden()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    page.get_by_role("link", name=text.live.LEAVE_WALL).click()
    expect(page.get_by_role("link", name=text.live.WALL_MODE)).to_be_visible()


def test_a_detector_switched_off_keeps_its_place_and_is_told_on_live(page: Page, server: Server) -> None:
    seed.parts(server.store, now_ms())
    switch_off(page, "Shoplifting", "stocktaking")
    page.get_by_role("link", name=text.live.TITLE).click()
    expect(page.get_by_text("switched off by demo: stocktaking")).to_be_visible()
    store.switch(server.store, seed.ADMIN, "store", "shoplifting", now_ms=now_ms(), enabled=True)
    expect(page.get_by_text("switched off by demo: stocktaking")).to_be_hidden()

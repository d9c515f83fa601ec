"""The running demo of the store in a browser: shown, handled, a detector switched off, another place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app import store
from app.store import ItemMove
from dashboard.words import text
from tests.dashboard.choosing import choose_outcome, switch_off
from tests.dashboard.demo.demos import PATIENCE_S, Demo, await_that, demo_of, now_ms, page_of
from tests.dashboard.demo.flows import FLOWS, Flow, thefts

EXITS = ("main-exit", "side-exit")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with demo_of("store", tmp_path_factory.mktemp("demo")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, demo: Demo) -> Iterator[Page]:
    with page_of(browser, demo) as opened:
        yield opened


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("flow", FLOWS, ids=lambda one: one.__name__)
def test_whoever_shows_the_demo_can(flow: Flow, page: Page, demo: Demo) -> None:
    flow(page, demo)


@pytest.mark.timeout(1800)
def test_an_incident_staged_by_button_is_seen_taken_resolved_and_found_again(page: Page, demo: Demo) -> None:
    page.goto("/demo")
    began = now_ms()
    page.get_by_role("button", name="Shoplifting").click()
    await_that(lambda: bool(thefts(demo, began)))
    alert = thefts(demo, began)[0]
    page.get_by_role("link", name=text.live.TITLE).click()
    expect(page.locator(f".feed li[data-id='{alert.incident}']")).to_be_attached()
    on_map = "(id) => document.querySelector('.graph')?.data?.some((trace) => trace.customdata?.includes(id))"
    page.wait_for_function(on_map, arg=alert.incident)
    page.locator(f".feed li[data-id='{alert.incident}'] .take").click()
    expect(page.locator(f".feed li[data-id='{alert.incident}'] .foot")).to_contain_text("Taken by demo")
    page.locator(f".feed li[data-id='{alert.incident}'] .open").click()
    subjects = [re.escape(one.subject) for one in store.incident_of(demo.store, alert).members]
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("|".join(subjects)))
    page.get_by_role("button", name=text.actions.RESOLVE).first.click()
    choose_outcome(page, "theft")
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=text.actions.RESOLVE).click()
    expect(page.get_by_text(text.alert.RESOLVED_AS.format(text.terms.OUTCOMES["theft"]))).to_be_visible()
    page.get_by_role("link", name=text.alerts.TITLE).click()
    page.get_by_role("textbox", name=text.alerts.SEARCH).fill(alert.subject)
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^\d alerts? found"))).to_be_visible()


@pytest.mark.timeout(1800)
def test_a_detector_switched_off_stops_firing(page: Page, demo: Demo) -> None:
    switch_off(page, "Shoplifting", "stocktaking")
    await_that(lambda: _applied_ms(demo) is not None)
    off = (_applied_ms(demo) or 0) + 2_000
    page.get_by_role("link", name=text.demo.TITLE, exact=True).click()
    page.get_by_role("button", name="Shoplifting").click()
    await_that(lambda: bool(_unpaid_exits(demo, off)))
    seen = _unpaid_exits(demo, off)[0].at_ms
    await_that(
        lambda: any(point.at_ms > seen + 5_000 for point in store.series(demo.store, "batch_ms", seen))
    )
    assert thefts(demo, off) == []


@pytest.mark.soak  # Spark starts a second time
@pytest.mark.timeout(1800)
def test_the_demo_goes_to_another_place_and_the_open_page_follows(page: Page) -> None:
    page.goto("/demo")
    page.get_by_role("button", name=text.demo.OTHER_PLACE).click()
    page.get_by_role("button", name="Hospital ward").click()
    expect(page.get_by_role("button", name="Wrong patient")).to_be_visible(timeout=PATIENCE_S * 1000)
    page.get_by_role("link", name=text.live.TITLE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hospital ward")
    expect(page.locator(".feed li").first).to_be_attached(timeout=PATIENCE_S * 1000)


def _applied_ms(demo: Demo) -> int | None:
    return store.switch_history(demo.store, "store", "shoplifting", limit=1)[0].applied_ms


def _unpaid_exits(demo: Demo, since_ms: int) -> list[ItemMove]:
    """Items that came to an exit and were at no till in the last minutes."""
    moves = store.trail(demo.store, since_ms - 600_000, now_ms())
    paid = {move.tag for move in moves if move.area.startswith("till")}
    return [move for move in moves if move.at_ms >= since_ms and move.area in EXITS and move.tag not in paid]

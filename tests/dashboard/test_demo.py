"""The running demo in a browser: a staged incident becomes an alert that is handled; a detector goes off."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, expect

from app import store
from app.store import Alert, Filter, ItemMove
from dashboard.words import text
from tests.dashboard.servers import free_port

PATIENCE_S = 240.0
EXITS = ("main-exit", "side-exit")


@dataclass(frozen=True)
class Demo:
    url: str
    store: sa.Engine


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    data = tmp_path_factory.mktemp("demo") / "data"
    port = free_port()
    command = [sys.executable, "-m", "app.cli", "demo", "store", "--data", str(data), "--port", str(port)]
    with (data.parent / "demo.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        _await(lambda: b"Everything is up" in (data.parent / "demo.log").read_bytes())
        engine = store.connect(f"sqlite:///{data / 'store.db'}")
        yield Demo(f"http://127.0.0.1:{port}", engine)
        engine.dispose()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def page(browser: Browser, demo: Demo) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=demo.url)
    context.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield context.new_page()
    context.close()


@pytest.mark.timeout(900)
def test_an_incident_staged_by_button_is_seen_taken_resolved_and_found_again(page: Page, demo: Demo) -> None:
    page.goto("/demo")
    began = _now_ms()
    page.get_by_role("button", name="Shoplifting").click()
    _await(lambda: bool(_thefts(demo, began)))
    alert = _thefts(demo, began)[0]
    page.get_by_role("link", name=text.live.TITLE).click()
    expect(page.locator(f".feed li[data-id='{alert.id}']")).to_be_attached()
    on_map = "(id) => document.querySelector('.graph')?.data?.some((trace) => trace.customdata?.includes(id))"
    page.wait_for_function(on_map, arg=alert.id)
    page.locator(f".feed li[data-id='{alert.id}'] .take").click()
    expect(page.locator(f".feed li[data-id='{alert.id}'] .foot")).to_contain_text("Taken by demo")
    page.locator(f".feed li[data-id='{alert.id}'] .open").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(alert.subject)
    page.get_by_role("button", name=text.actions.RESOLVE).first.click()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=text.actions.RESOLVE).click()
    expect(page.get_by_text(text.alert.RESOLVED_AS.format(text.terms.OUTCOMES["theft"]))).to_be_visible()
    page.get_by_role("link", name=text.alerts.TITLE).click()
    page.get_by_role("textbox", name=text.alerts.SEARCH).fill(alert.subject)
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^\d alerts? found"))).to_be_visible()


@pytest.mark.timeout(900)
def test_a_detector_switched_off_stops_firing(page: Page, demo: Demo) -> None:
    page.goto("/detectors")
    page.get_by_text("Shoplifting (on)").click()
    expect(page.get_by_role("heading", level=2)).to_have_text("Shoplifting")
    expect(page.get_by_text(text.detectors.SWITCHED_ON)).to_have_count(1)  # the card shown before has gone
    page.get_by_text(text.detectors.SWITCHED_ON).click()
    expect(page.get_by_text("Shoplifting (off)")).to_be_visible()
    _await(lambda: _applied_ms(demo) is not None)
    off = (_applied_ms(demo) or 0) + 2_000
    page.get_by_role("link", name=text.demo.TITLE).click()
    page.get_by_role("button", name="Shoplifting").click()
    _await(lambda: bool(_unpaid_exits(demo, off)))
    seen = _unpaid_exits(demo, off)[0].at_ms
    _await(lambda: any(point.at_ms > seen + 5_000 for point in store.series(demo.store, "batch_ms", seen)))
    assert _thefts(demo, off) == []


@pytest.mark.soak  # Spark starts a second time
@pytest.mark.timeout(900)
def test_the_demo_goes_to_another_place_and_the_open_page_follows(page: Page) -> None:
    page.goto("/demo")
    page.get_by_role("button", name=text.demo.OTHER_PLACE).click()
    page.get_by_role("button", name="Hospital ward").click()
    expect(page.get_by_role("button", name="Wrong patient")).to_be_visible(timeout=PATIENCE_S * 1000)
    page.get_by_role("link", name=text.live.TITLE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hospital ward")
    expect(page.locator(".feed li").first).to_be_attached(timeout=PATIENCE_S * 1000)


def _thefts(demo: Demo, since_ms: int) -> list[Alert]:
    found = store.search(demo.store, Filter(detectors=("shoplifting",), from_ms=since_ms))
    return list(found.alerts)


def _applied_ms(demo: Demo) -> int | None:
    return store.switch_history(demo.store, "store", "shoplifting", limit=1)[0].applied_ms


def _unpaid_exits(demo: Demo, since_ms: int) -> list[ItemMove]:
    """Items that came to an exit and were at no till in the last minutes."""
    moves = store.trail(demo.store, since_ms - 600_000, _now_ms())
    paid = {move.tag for move in moves if move.area.startswith("till")}
    return [move for move in moves if move.at_ms >= since_ms and move.area in EXITS and move.tag not in paid]


def _await(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, "what was waited for did not happen"
        time.sleep(0.2)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000

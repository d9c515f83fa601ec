"""`python -m tests.dashboard.demo.times URL [PLACE]`: how long people wait in a running demo, in seconds.

Loading each page anew, from the click on each incident to its alert on the page, and, with the title of
another place, from the click on it until that place is there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from playwright.sync_api import Browser, Page, TimeoutError, expect, sync_playwright

from dashboard.words import text
from tests.dashboard import chromium

PAGES = ("/", "/wall", "/alerts", "/whereabouts", "/detectors", "/demo", "/report", "/health")
PATIENCE_MS = 240_000


def main(url: str, elsewhere: str) -> None:
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for path in PAGES:
            print(f"load {path:32} {_timed(lambda path=path: _load(browser, url + path)):6.1f}", flush=True)
        page = _page(browser)
        page.goto(f"{url}/demo")
        page.locator(".graph .main-svg").first.wait_for()
        for button in _incidents(page):
            print(f"click to alert: {button:20} {_staged(page, button)}", flush=True)
        if elsewhere:
            print(f"change of place: {elsewhere:19} {_timed(lambda: _go(page, elsewhere)):6.1f}")
        browser.close()


def _page(browser: Browser) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


def _timed(action: Callable[[], None]) -> float:
    began = time.monotonic()
    action()
    return time.monotonic() - began


def _load(browser: Browser, address: str) -> None:
    """In a browser that has seen nothing of it before."""
    page = _page(browser)
    page.goto(address)
    page.get_by_role("heading", level=1).wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE_MS)
    page.context.close()


def _incidents(page: Page) -> list[str]:
    offered = page.locator("[class*='st-key-stage-']")
    offered.first.wait_for()
    classes = [str(one.get_attribute("class")) for one in offered.all()]
    names = [one for each in classes for one in each.split() if one.startswith("st-key-stage-")]
    return [one.removeprefix("st-key-stage-") for one in names]


def _staged(page: Page, incident: str) -> str:
    label, before = text.demo.INCIDENTS[incident][0], page.locator(".story .head").all_text_contents()
    page.locator(f".st-key-stage-{incident} button").click()
    began = time.monotonic()
    try:
        page.wait_for_function(
            """([label, before]) => { const story = document.querySelector('.story');
            const head = story?.querySelector('.head').textContent ?? '';
            const told = story?.querySelector('.conclusion').textContent;
            return head.startsWith(label) && head !== before && told; }""",
            arg=[f"{label}, ", before[0] if before else ""],
            timeout=PATIENCE_MS / 2,
        )
    except TimeoutError:
        return f"none within {PATIENCE_MS // 2000} s"
    watch = page.locator(".story .time").text_content()
    return f"{time.monotonic() - began:6.1f}   of which from the deed on: {watch}"


def _go(page: Page, title: str) -> None:
    page.get_by_role("button", name=text.demo.OTHER_PLACE).click()
    page.get_by_role("button", name=title).click()
    page.locator("strong", has_text=f"{title}.").wait_for()  # the page of the other place says where it is


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2] if len(sys.argv) > 2 else "")

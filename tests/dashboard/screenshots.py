"""`python -m tests.dashboard.screenshots URL FOLDER`: pictures of every page of a running product."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.dashboard import chromium

# Name, address, size, and what must be there before the picture is taken.
PICTURES = (
    ("live", "/", (1440, 900), ".graph .main-svg"),
    ("live-dark", "/", (1440, 900), ".graph .main-svg"),
    ("live-tablet", "/", (820, 1180), ".graph .main-svg"),
    ("wall", "/wall", (1440, 900), ".graph .main-svg"),
    ("live-phone", "/", (390, 844), ".feed li"),
    ("alerts", "/alerts", (1440, 900), ".alert-list tbody tr"),
    ("whereabouts", "/whereabouts", (1440, 900), ".graph .main-svg"),
    ("report", "/report", (1440, 1100), ".graph .main-svg"),
    ("detectors", "/detectors", (1440, 1100), "[data-testid='stForm']"),
    ("demo", "/demo", (1440, 900), ".graph .main-svg"),
    ("health", "/health", (1440, 1100), "[data-testid='stDataFrame']"),
    ("account", "/account", (1440, 900), "[data-testid='stForm']"),
    ("sign-in", "/login", (1440, 900), "form"),
)
PATIENCE_MS = 60_000
SETTLE_MS = 3_000


def take(url: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for name, path, size, sign in PICTURES:
            page = _opened(browser, url + path, size, dark=name.endswith("dark"))
            _picture(page, sign, folder / f"{name}.png")
        page = _opened(browser, url, (1440, 1500), dark=False)
        page.locator(".feed .open").first.click()
        page.wait_for_url("**/alert?id=*")
        _picture(page, ".graph .main-svg", folder / "alert.png")
        browser.close()


def _opened(browser: Browser, url: str, size: tuple[int, int], dark: bool) -> Page:
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    page.set_default_timeout(PATIENCE_MS)
    page.goto(url)
    return page


def _picture(page: Page, sign: str, path: Path) -> None:
    page.locator(sign).first.wait_for()
    page.wait_for_timeout(SETTLE_MS)
    page.screenshot(path=str(path))
    page.close()
    print(path)


if __name__ == "__main__":
    take(sys.argv[1].rstrip("/"), Path(sys.argv[2]))

"""What browser tests do with a page: wait until it is drawn, walk it with the keyboard, raise alerts."""

from __future__ import annotations

import time

from playwright.sync_api import Locator, Page

from app import store
from tests.dashboard import seed
from tests.dashboard.servers import Server

PATIENCE_MS = 30_000
ON_MAP = "(id) => document.querySelector('.graph').data.some((trace) => trace.customdata?.includes(id))"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def raise_alert(server: Server, number: int, **changes: object) -> str:
    """A new alert, as the pipeline would store it; number above those of the busy store."""
    alert = seed.shoplifting(number, now_ms(), **changes)
    store.record_alerts(server.store, [alert], now_ms())
    return alert.id


def drawn(page: Page) -> None:
    page.wait_for_function("() => document.querySelector('.graph')?._fullLayout")


def tab_to(page: Page, wanted: Locator, outlined: bool = True) -> None:
    """With the Tab key alone; where the focus is can be seen (of a choice by the colour of its frame)."""
    wanted.wait_for()
    until = time.monotonic() + PATIENCE_MS / 1000
    while not wanted.evaluate("(node) => node === document.activeElement"):
        assert time.monotonic() < until, "cannot be reached with the keyboard"
        page.keyboard.press("Tab")
    if outlined:
        assert wanted.evaluate("(node) => getComputedStyle(node).outlineStyle") == "solid"

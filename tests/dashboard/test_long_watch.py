"""A browser that watches for hours, on a store with ten thousand alerts: neither it nor the server swells."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, CDPSession, Page

from app import store as stores
from app.store import Position
from tests.dashboard import seed
from tests.dashboard.servers import Server, dashboard

MEGABYTE = 1_000_000
# One a second: 28800 are eight hours.
TICKS = int(os.environ.get("SOAK_TICKS", "3000"))
PARTS = 10
COUNT = """() => {
  window.drawn = 0; window.slow = [];
  const react = window.Plotly.react;
  window.Plotly.react = (...given) => { window.drawn += 1; return react(...given); };
  new PerformanceObserver((list) => window.slow.push(...list.getEntries().map((one) => one.duration)))
    .observe({ entryTypes: ['longtask'] });
}"""


@dataclass(frozen=True)
class Size:
    drawn: int
    heap: float
    nodes: float
    listeners: float
    server: float

    def __str__(self) -> str:
        return (
            f"{self.drawn:6} ticks: heap {self.heap / MEGABYTE:5.1f} MB, {self.nodes:6.0f} nodes, "
            f"{self.listeners:4.0f} listeners, server {self.server / MEGABYTE:5.1f} MB"
        )


@pytest.fixture
def server(tmp_path: Path, busy_file: Path) -> Iterator[Server]:
    shutil.copy(busy_file, tmp_path / "store.db")
    with dashboard(tmp_path, "--demo") as running:
        yield running


@pytest.mark.soak
@pytest.mark.timeout(14_400)
def test_hours_of_ticks_leave_browser_and_server_as_they_were(browser: Browser, server: Server) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(server.url)
    page.wait_for_function("() => document.querySelector('.graph')?._fullLayout")
    page.evaluate(COUNT)
    devtools = page.context.new_cdp_session(page)
    sizes = [_after(TICKS * part // PARTS, page, devtools, server) for part in range(1, PARTS + 1)]
    slow = sorted(page.evaluate("() => window.slow"))
    print(f"{len(slow)} tasks over 50 ms, the longest {slow[-1] if slow else 0:.0f} ms")
    settled, last = sizes[1], sizes[-1]
    assert last.heap < 1.3 * settled.heap + 5 * MEGABYTE
    assert last.nodes < 1.2 * settled.nodes + 500
    assert last.listeners < 1.2 * settled.listeners + 50
    assert last.server < 1.2 * settled.server + 20 * MEGABYTE


def _after(ticks: int, page: Page, devtools: CDPSession, server: Server) -> Size:
    """The shop goes on until so many ticks are drawn: alerts come, items move, colleagues resolve."""
    until = time.monotonic() + 14_000
    number = 40_000 + 10 * ticks
    drawn = 0
    while drawn < ticks and time.monotonic() < until:
        number += 1
        _go_on(server, number)
        drawn = _more_than(drawn, page)
    size = _measured(drawn, page, devtools, server)
    print(size, flush=True)
    return size


def _go_on(server: Server, number: int) -> None:
    now = time.time_ns() // 1_000_000
    item = seed.shop().items.slice(number % 1_000, 1).to_pylist()[0]
    areas = seed.shop().plan.areas
    with stores.writing(server.store) as connection:
        moved = Position(item["tag"], item["name"], areas[number % len(areas)].name, "main-exit-gate", now)
        stores.record_positions(connection, [moved])
    seed.parts(server.store, now)
    stores.record_metrics(server.store, seed.figures(number % 600), now)
    alert = seed.shoplifting(number, now)
    stores.record_alerts(server.store, [alert], now)
    stores.resolve(server.store, seed.STAFF, [alert.id], "theft", "", now_ms=now)


def _more_than(drawn: int, page: Page) -> int:
    until = time.monotonic() + 60
    while (seen := int(page.evaluate("() => window.drawn"))) <= drawn:
        assert time.monotonic() < until, "the page has stopped"
        page.wait_for_timeout(100)
    return seen


def _measured(drawn: int, page: Page, devtools: CDPSession, server: Server) -> Size:
    # While a picture is being drawn the browser cannot tell which of the old nodes are garbage.
    page.evaluate("() => new Promise((done) => setTimeout(() => requestIdleCallback(done), 300))")
    devtools.send("HeapProfiler.collectGarbage")
    counted = devtools.send("Memory.getDOMCounters")
    heap = devtools.send("Runtime.getHeapUsage")["usedSize"]
    return Size(
        drawn,
        heap,
        counted["nodes"],
        counted["jsEventListeners"],
        psutil.Process(server.process.pid).memory_info().rss,
    )

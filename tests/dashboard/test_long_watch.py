"""A browser that watches for eight hours, with ten thousand alerts in the store: nothing swells or slows."""

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

from app import store
from app.store import Position
from tests.dashboard import seed
from tests.dashboard.servers import Server, dashboard

MEGABYTE = 1_000_000
# A page ticks once a second: 28800 ticks are eight hours.
TICKS = int(os.environ.get("SOAK_TICKS", "3000"))
PARTS = 12
MOVES = 3  # items that change their area with each tick
ALERT_EVERY = 30  # ticks: in eight hours a thousand come and are resolved
# The page's clock runs faster, so that eight hours of ticks take less than eight hours.
TICK_MS = int(os.environ.get("SOAK_TICK_MS", "170"))
HURRY = f"""
  const real = window.setInterval;
  window.setInterval = (call, ms, ...rest) => real(call, ms === 1000 ? {TICK_MS} : ms, ...rest);
"""
COUNT = """() => {
  window.drawn = 0; window.slow = 0; window.longest = 0;
  const react = window.Plotly.react;
  window.Plotly.react = async (...given) => { await react(...given); window.drawn += 1; };
  new PerformanceObserver((list) => list.getEntries().forEach((one) => {
    window.slow += 1; window.longest = Math.max(window.longest, one.duration);
  })).observe({ entryTypes: ['longtask'] });
}"""


@dataclass(frozen=True)
class Size:
    """`busy_ms`: what an update took of the page's thread, on average since the part before."""

    drawn: int
    heap: float
    nodes: float
    listeners: float
    server: float
    busy_ms: float

    def __str__(self) -> str:
        return (
            f"{self.drawn:6} updates: heap {self.heap / MEGABYTE:5.1f} MB, {self.nodes:6.0f} nodes, "
            f"{self.listeners:4.0f} listeners, server {self.server / MEGABYTE:5.1f} MB, "
            f"{self.busy_ms:5.1f} ms an update"
        )


@pytest.fixture
def server(tmp_path: Path, busy_file: Path) -> Iterator[Server]:
    shutil.copy(busy_file, tmp_path / "store.db")
    with dashboard(tmp_path, "--demo", hasty=True) as running:
        yield running


@pytest.mark.soak
@pytest.mark.timeout(14_400)
def test_eight_hours_of_updates_leave_browser_and_server_as_they_were(
    browser: Browser, server: Server
) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(600_000)  # the machine may have other things to do
    page.add_init_script(HURRY)
    page.goto(server.url)
    page.wait_for_function("() => document.querySelector('.graph')?._fullLayout")
    page.evaluate(COUNT)
    day = Day(server, page)
    sizes = [day.until(TICKS * part // PARTS) for part in range(1, PARTS + 1)]
    slow, longest = page.evaluate("() => [window.slow, window.longest]")
    print(f"{slow} tasks over 50 ms, the longest {longest:.0f} ms")
    settled, last = sizes[1], sizes[-1]
    assert last.heap < 1.3 * settled.heap + 5 * MEGABYTE
    assert last.nodes < 1.2 * settled.nodes + 500
    assert last.listeners < 1.2 * settled.listeners + 50
    assert last.server < 1.2 * settled.server + 20 * MEGABYTE
    assert last.busy_ms < 1.5 * settled.busy_ms + 5


class Day:
    """The shop goes on while the page ticks: items move, alerts come, colleagues resolve them."""

    def __init__(self, server: Server, page: Page) -> None:
        self._server, self._page = server, page
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.send("Performance.enable")
        self._drawn, self._moved, self._busy_s = 0, 0, self._metrics()["TaskDuration"]
        self._items = seed.shop().items.select(["tag", "name"]).to_pylist()
        self._areas = [area.name for area in seed.shop().plan.areas]

    def until(self, drawn: int) -> Size:
        before = self._drawn
        while self._drawn < drawn:
            self._go_on()
            self._page.wait_for_function("(known) => window.drawn > known", arg=self._drawn, polling=50)
            self._drawn = int(self._page.evaluate("() => window.drawn"))
        size = self._measured(self._drawn - before)
        print(time.strftime("%H:%M:%S"), size, flush=True)
        return size

    def _go_on(self) -> None:
        now = time.time_ns() // 1_000_000
        with store.writing(self._server.store) as connection:
            store.record_positions(connection, [self._move(now) for _ in range(MOVES)])
        number = self._moved // MOVES
        if number % 10 == 0:
            seed.parts(self._server.store, now)
            store.record_metrics(self._server.store, seed.figures(number % 600), now)
        if number % ALERT_EVERY == 0:
            store.record_alerts(self._server.store, [seed.shoplifting(40_000 + number, now)], now)
        if number % ALERT_EVERY == ALERT_EVERY // 2 and number > ALERT_EVERY:
            known = f"{40_000 + number - ALERT_EVERY // 2:064x}"
            store.resolve(self._server.store, seed.STAFF, [known], "theft", "", now_ms=now)

    def _move(self, now: int) -> Position:
        self._moved += 1
        item = self._items[self._moved * 7 % len(self._items)]
        return Position(
            item["tag"], item["name"], self._areas[self._moved % len(self._areas)], "main-exit-gate", now
        )

    def _measured(self, updates: int) -> Size:
        metrics = self._metrics()
        busy = (metrics["TaskDuration"] - self._busy_s) * 1000 / max(1, updates)
        # While a picture is being drawn the browser cannot tell which of the old nodes are garbage.
        self._page.evaluate("() => new Promise((done) => setTimeout(() => requestIdleCallback(done), 300))")
        self._devtools.send("HeapProfiler.collectGarbage")
        counted = self._devtools.send("Memory.getDOMCounters")
        heap = self._devtools.send("Runtime.getHeapUsage")["usedSize"]
        server = psutil.Process(self._server.process.pid).memory_info().rss
        self._busy_s = self._metrics()["TaskDuration"]
        return Size(self._drawn, heap, counted["nodes"], counted["jsEventListeners"], server, busy)

    def _metrics(self) -> dict[str, float]:
        found = self._devtools.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in found}

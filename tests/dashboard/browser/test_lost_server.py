"""A page whose server goes away: our own words, progress, and back by itself, in another place too."""

from __future__ import annotations

import shutil
from pathlib import Path

from playwright.sync_api import Browser, expect

from app.demo import change_place
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.browser.looking import PATIENCE_MS, drawn, now_ms
from tests.dashboard.servers import dashboard, free_port


def test_a_page_follows_the_demo_to_another_place(browser: Browser, tmp_path: Path, busy_file: Path) -> None:
    port = free_port()
    shutil.copy(busy_file, tmp_path / "store.db")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(2 * PATIENCE_MS)
    page = context.new_page()
    with dashboard(tmp_path, "--demo", port=port) as server:
        seed.parts(server.store, now_ms())
        page.goto(server.url)
        drawn(page)
        change_place.ask(tmp_path, seed.ADMIN, "ward")
        expect(page.locator("[data-going]")).to_be_attached(timeout=PATIENCE_MS)
    box = page.locator("#vigil-lost")
    expect(box.get_by_role("heading")).to_have_text(
        text.failures.GOING.format("Hospital ward"), timeout=PATIENCE_MS
    )
    expect(box.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("connected to the internet")).not_to_be_visible()
    (tmp_path / change_place.FILE).unlink()
    with dashboard(tmp_path, "--demo", place="ward", port=port):
        expect(page.get_by_role("heading", level=1)).to_have_text("Hospital ward", timeout=2 * PATIENCE_MS)
        expect(box).to_have_count(0)
    context.close()

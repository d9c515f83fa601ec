"""A dashboard of its own for every file of browser tests, and a page of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.dashboard import seed
from tests.dashboard.browser.looking import PATIENCE_MS, now_ms
from tests.dashboard.servers import Server, dashboard


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, busy_file: Path) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("pages")
    shutil.copy(busy_file, data / "store.db")
    with dashboard(data, "--demo") as running:
        seed.parts(running.store, now_ms())
        seed.whereabouts(data / "checkpoint", now_ms())
        yield running


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=server.url)
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    opened = context.new_page()
    yield opened
    context.close()

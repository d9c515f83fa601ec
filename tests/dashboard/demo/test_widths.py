"""Everything that a demo shows, on a tablet and a phone, in light and dark: works, fits, and is pictured."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.dashboard.demo.demos import Demo, demo_of, page_of
from tests.dashboard.demo.flows import FLOWS, Flow

pytestmark = [pytest.mark.soak, pytest.mark.timeout(900)]
WIDER = "() => document.querySelector('.stMain').scrollWidth - window.innerWidth"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    with demo_of("store", tmp_path_factory.mktemp("demo")) as running:
        yield running


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SOAK_PICTURES is a folder to keep them in."""
    folder = Path(os.environ.get("SOAK_PICTURES") or tmp_path_factory.mktemp("pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [820, 390])
@pytest.mark.parametrize("flow", FLOWS, ids=lambda one: one.__name__)
def test_on_every_screen_one_can(
    flow: Flow, width: int, dark: bool, browser: Browser, demo: Demo, pictures: Path
) -> None:
    with page_of(browser, demo, width, dark) as page:
        flow(page, demo)
        page.screenshot(path=pictures / f"{flow.__name__}-{width}{'-dark' if dark else ''}.png")
        assert page.evaluate(WIDER) <= 0

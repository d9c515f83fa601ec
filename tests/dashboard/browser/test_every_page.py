"""What every page owes whoever looks: names, contrast, nothing from elsewhere, words of our own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, TimeoutError, expect

from dashboard.words import text
from tests.dashboard.servers import Server

NAMELESS = """() => {
  const named = (node) => node.textContent || node.ariaLabel || node.title || node.ariaLabelledByElements;
  const nodes = [...document.querySelectorAll('main button, [role=img]')];
  return nodes.filter((node) => node.checkVisibility() && !named(node)).length;
}"""
PATHS = [
    *("/", "/wall", "/alerts", "/alert?id=" + "0" * 64, "/detectors", "/demo", "/report", "/health"),
    *("/account", "/whereabouts?what=JEAN-28-001", "/whereabouts?area=Denim"),
]
FAINT = (Path(__file__).parents[1] / "contrast.js").read_text().partition("\n")[2]


@pytest.mark.parametrize("path", PATHS)
def test_every_page_has_one_heading_named_controls_and_asks_no_other_host(
    path: str, page: Page, server: Server
) -> None:
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    assert page.evaluate(NAMELESS) == 0
    assert hosts == {f"127.0.0.1:{server.port}"}


def faint(page: Page) -> list[str]:
    """What is too faint and stays so: a change of theme fades one colour into another."""
    with suppress(TimeoutError):
        page.wait_for_function(f"() => ({FAINT})().length === 0", timeout=5_000)
    found: list[str] = page.evaluate(FAINT)
    return found


@pytest.mark.parametrize("path", PATHS)
def test_all_text_stands_out_in_light_and_dark(path: str, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")  # a row that has just come glows for a moment
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    light = faint(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => matchMedia('(prefers-color-scheme: dark)').matches")
    expect(page.locator(".stApp")).to_have_css("color-scheme", "dark")
    assert (light, faint(page)) == ([], [])


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_serious(path: str, page: Page) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    found = Axe().run(page).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    told = {one["id"]: [node["html"][:200] for node in one["nodes"]] for one in serious}
    assert told == {}


def test_no_page_breaks_the_content_security_policy(page: Page) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PATHS:
        answer = page.goto(path)
        assert answer is not None
        assert "script-src 'self' blob: 'sha256-" in answer.headers["content-security-policy"]
        page.get_by_role("navigation").or_(page.locator(".feed")).first.wait_for()
        page.wait_for_timeout(1_000)  # what Streamlit loads by and by
    assert said == []


def test_an_unknown_address_gets_a_page_of_our_own(page: Page) -> None:
    answer = page.goto("/allerts")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text(text.failures.UNKNOWN_ADDRESS)
    page.get_by_role("link", name=text.failures.TO_LIVE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clothing store")


def test_every_page_says_whose_it_is_and_who_is_signed_in(page: Page) -> None:
    page.goto("/health")
    expect(page.get_by_test_id("stHeaderLogo")).to_be_visible()
    expect(page.get_by_role("link", name=text.account.TITLE_OF.format("demo"))).to_be_visible()

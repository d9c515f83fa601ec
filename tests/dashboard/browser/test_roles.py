"""Pages as each role finds them, of several sites: the menu, what is closed to it, the list of sites."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from app import store
from app.store import Site
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.browser.looking import PATIENCE_MS, now_ms
from tests.dashboard.servers import Server, dashboard

SITES = (("north", "North Street"), ("south", "South Street by the old harbour"))
STAFF = {text.live.TITLE, text.alerts.TITLE, text.whereabouts.TITLE, text.report.TITLE, text.health.TITLE}
MENUS = {
    "viewer": STAFF - {text.whereabouts.TITLE},
    "staff": STAFF,
    "manager": STAFF | {text.detectors.TITLE, text.sites.TITLE},
    "admin": STAFF | {text.detectors.TITLE, text.sites.TITLE},
}
CLOSED = {
    "viewer": ("whereabouts", "detectors", "demo", "display", "sites"),
    "staff": ("detectors", "sites"),
    "manager": ("display", "demo"),
}
SignedIn = Callable[..., Page]
LEFT_EDGES = """() => [...document.querySelectorAll('main tr:has(a)')]
  .map((row) => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left)).join())"""
WIDER = "() => document.querySelector('.stMain').scrollWidth - window.innerWidth"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("roles")
    engine = store.open_store(f"sqlite:///{data / 'store.db'}")
    for name, title in SITES:
        store.add_site(engine, seed.ADMIN, Site(name, title, "store", "Europe/Berlin"))
    for role in ("viewer", "staff"):
        store.add_account(engine, seed.ADMIN, role, role, seed.PASSWORD, now_ms=1, sites=[""])
    for role in ("manager", "admin"):
        sites = ["", *(name for name, _ in SITES)]
        store.add_account(engine, seed.ADMIN, role, role, seed.PASSWORD, now_ms=1, sites=sites)
    store.record_alerts(store.at_site(engine, "north"), [seed.shoplifting(1, now_ms())], now_ms())
    engine.dispose()
    with dashboard(data) as running:
        seed.switches(running.store, time.time_ns() // 1_000_000)
        yield running


@pytest.fixture
def signed_in(browser: Browser, server: Server) -> Iterator[SignedIn]:
    """By the form, as a person does; of any width."""
    contexts = []

    def opened(role: str, width: int = 1440) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 844}, base_url=server.url)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        page = context.new_page()
        page.goto("/")
        page.get_by_label(text.sign_in.ACCOUNT_NAME).fill(role)
        page.get_by_label(text.sign_in.PASSWORD).fill(seed.PASSWORD)
        page.get_by_role("button", name=text.sign_in.SIGN_IN).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Clothing store")
        return page

    yield opened
    for context in contexts:
        context.close()


def serious(page: Page) -> dict[str, list[str]]:
    found = Axe().run(page).response["violations"]
    bad = [one for one in found if one["impact"] in ("serious", "critical")]
    return {one["id"]: [node["html"][:200] for node in one["nodes"]] for one in bad}


@pytest.mark.parametrize("role", MENUS)
def test_the_menu_has_what_a_role_may_and_no_more(role: str, signed_in: SignedIn) -> None:
    page = signed_in(role)
    menu = {*MENUS[role], text.account.TITLE_OF.format(role)}
    links = page.get_by_test_id("stTopNavLink")
    expect(links).to_have_count(len(menu))
    assert {words.split("\n")[-1].strip() for words in links.all_inner_texts()} == menu


@pytest.mark.parametrize("role", CLOSED)
def test_a_page_that_is_not_for_a_role_says_so_and_shows_no_other(role: str, signed_in: SignedIn) -> None:
    page = signed_in(role)
    for address in CLOSED[role]:
        page.goto(f"/{address}")
        expect(page.get_by_role("heading", level=1)).to_have_text(text.failures.UNKNOWN_ADDRESS)
        expect(page.get_by_text(text.failures.NOT_HERE)).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert serious(page) == {}


def test_sites_stand_in_columns_and_fit_a_phone(signed_in: SignedIn) -> None:
    page = signed_in("admin")
    page.goto("/sites")
    expect(page.get_by_role("link", name=SITES[1][1])).to_be_visible()
    rows = page.evaluate(LEFT_EDGES)
    assert (len(rows), len(set(rows))) == (2, 1)
    assert serious(page) == {}
    phone = signed_in("manager", 390)
    phone.goto("/sites")
    expect(phone.get_by_role("link", name=SITES[1][1])).to_be_visible()
    assert phone.evaluate(WIDER) <= 0


def test_the_sign_in_and_an_unknown_address_have_nothing_serious(browser: Browser, server: Server) -> None:
    page = browser.new_page(base_url=server.url)
    for address in ("/", "/allerts"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        assert serious(page) == {}
    page.close()

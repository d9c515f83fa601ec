"""Pages of several sites: each account finds its own, by page, by cookie and by call, and no other."""

from __future__ import annotations

from dataclasses import replace
from http.cookies import SimpleCookie

import pytest
from starlette.requests import Request

from app import store
from app.store import Account, Actor, ReaderState, Site
from dashboard.context import Context, current_context, set_context, showing
from dashboard.sign_in import session
from dashboard.sign_in.cookies import COOKIE, SignInCookies
from dashboard.sign_in.guard import OPEN_PATHS
from dashboard.site_choice import SITE_COOKIE, SITE_PATH, chosen_context, go_to_site
from dashboard.words import severity, text
from dashboard.words.escape import escaped
from tests.dashboard import seed
from tests.dashboard.opened import button, markup, opened, words

PASSWORD = seed.PASSWORD
MINUTE = 60_000


@pytest.fixture
def chain(empty: Context) -> Context:
    """Two sites, a theft at the one in the north; staff there, a manager of both, staff of neither."""
    for name, title, place in (("north", "North Street", 13.4), ("south", "<b>South</b>", 13.5)):
        store.add_site(
            empty.store,
            seed.ADMIN,
            Site(name, title, "store", "Europe/Berlin", x=place, y=52.5, on_earth=True),
        )
    north = store.at_site(empty.store, "north")
    store.record_alerts(north, [seed.shoplifting(1, seed.NOW - MINUTE)], seed.NOW - MINUTE)
    store.record_part(north, "ingest", "up", "", seed.NOW - 10 * MINUTE)
    with store.writing(north) as connection:
        store.record_readers(connection, [ReaderState("r1", "exit", seed.NOW), ReaderState("r2", "exit")])
    for name, role, sites in (
        ("stan", "staff", ["north"]),
        ("mia", "manager", ["north", "south"]),
        ("vera", "viewer", [""]),
        ("ada", "admin", [""]),
    ):
        store.add_account(empty.store, seed.ADMIN, name, role, PASSWORD, now_ms=1, sites=sites)
    return replace(empty, demo=False, has_other_sites=True)


def look(context: Context, monkeypatch: pytest.MonkeyPatch, name: str, site: str = "") -> Account:
    set_context(context)
    account = store.find_account(context.store, name)
    assert account is not None
    held = {COOKIE: SignInCookies(context).issue(account)} | ({SITE_COOKIE: site} if site else {})
    monkeypatch.setattr(session, "cookies", lambda: held)
    return account


def test_the_list_tells_how_each_site_stands(chain: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    look(chain, monkeypatch, "mia")
    said = markup(opened("sites"))
    assert "North Street" in said
    assert f"{severity.badge('high')} 1" in said
    assert text.sites.READERS.format(1, 2) in said
    assert "Cut off since" in said
    assert text.sites.NEVER_HEARD in said
    assert "<b>" not in said


def test_staff_see_their_own_site_and_no_other(chain: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    stan = look(chain, monkeypatch, "stan")
    assert store.site_of(chosen_context(stan).store) == "north"
    assert "South" not in markup(opened("sites"))
    [alert] = store.all_alerts(store.at_site(chain.store, "north"), store.Filter())
    assert alert.title in words(opened("alert", id=alert.id))
    look(chain, monkeypatch, "stan", "south")
    said = words(opened("alert", id=alert.id))
    assert escaped(text.sites.NOT_YOURS) in said
    assert alert.title not in said


@pytest.mark.parametrize("site", ["north", "south", "nowhere", "../north", "x" * 5_000])
def test_a_cookie_opens_nothing_to_which_the_account_does_not_belong(
    chain: Context, monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    vera = look(chain, monkeypatch, "vera", site)
    with pytest.raises(store.RefusedError):
        chosen_context(vera)
    assert words(opened("alerts")).strip() == escaped(text.sites.NOT_YOURS)


def test_a_manager_acts_at_the_site_that_is_shown(chain: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    mia = look(chain, monkeypatch, "mia", "south")
    with showing(chosen_context(mia)):
        assert store.site_of(current_context().store) == "south"
        assert current_context().scenario.title == "<b>South</b>"
        assert session.actor() == Actor("mia", "manager", frozenset({"north", "south"}))
    assert store.site_of(current_context().store) == ""


def test_who_belongs_to_no_site_of_the_pages_is_not_let_in(chain: Context) -> None:
    alone = replace(chain, has_other_sites=False)
    for context, name, may in ((alone, "stan", False), (chain, "stan", True), (alone, "vera", True)):
        account = store.find_account(context.store, name)
        assert account is not None
        cookies = SignInCookies(context)
        assert (cookies.account(cookies.issue(account)) is not None) is may


@pytest.mark.parametrize(("name", "kept"), [("north", "north"), ("0", ""), ("a\r\nb", ""), ("x" * 5_000, "")])
def test_the_way_to_a_site_is_a_cookie(chain: Context, name: str, kept: str) -> None:
    set_context(chain)
    scope = {"type": "http", "method": "GET", "path": "/site/", "headers": [], "query_string": b""}
    asked = Request(scope | {"server": ("vigil", 80), "path_params": {"name": name}})
    went = go_to_site(asked)
    assert (went.status_code, went.headers["location"]) == (303, "/")
    cookie = SimpleCookie(went.headers["set-cookie"])[SITE_COOKIE]
    assert cookie.value == kept
    assert len(went.headers["set-cookie"]) < 200


def test_the_way_to_a_site_is_guarded_like_every_page() -> None:
    assert not any(SITE_PATH.startswith(path) for path in OPEN_PATHS)


PARTS = ("overview", "alerts", "report", "detectors")


@pytest.fixture
def running(chain: Context) -> Context:
    """Both have been started; at each something has happened."""
    for name in ("north", "south"):
        seed.switches(store.at_site(chain.store, name), seed.NOW - 5 * MINUTE)
    south = store.at_site(chain.store, "south")
    store.record_alerts(south, [seed.shoplifting(2, seed.NOW - MINUTE, explanation="A coat has left.")], 1)
    return chain


@pytest.mark.parametrize("part", PARTS)
def test_no_part_of_the_page_shows_a_site_to_which_the_account_does_not_belong(
    running: Context, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    store.set_sites(running.store, seed.ADMIN, "mia", ["north"], now_ms=2)
    look(running, monkeypatch, "mia")
    page = opened("sites", part=part)
    assert not page.exception
    said = words(page) + markup(page)
    assert "North Street" in said
    assert "South" not in said
    assert "A coat has left." not in said
    assert all("South" not in option for one in page.multiselect for option in one.options)


@pytest.mark.parametrize("part", ["detectors"])
def test_staff_are_not_offered_what_managers_do(
    running: Context, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    look(running, monkeypatch, "stan")
    assert text.sites.CHANGE not in [one.value for one in opened("sites", part=part).subheader]


def test_alerts_of_several_sites_are_searched_at_once_and_lead_to_their_site(
    running: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(running, monkeypatch, "mia")
    every = markup(opened("sites", part="alerts"))
    [alert] = store.all_alerts(store.at_site(running.store, "south"), store.Filter())
    assert f'href="{SITE_PATH}south?alert={alert.id}"' in every
    assert f'href="{SITE_PATH}north?alert=' in every
    page = opened("sites", part="alerts")
    alone = markup(page.text_input(key="q").set_value("coat").run())
    assert SITE_PATH + "south" in alone
    assert SITE_PATH + "north" not in alone


def test_the_report_has_a_line_for_each_site_and_one_for_all(
    running: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(running, monkeypatch, "mia")
    said = markup(opened("sites", part="report"))
    assert said.count('<td class="figure" data-heading="Incidents">1</td>') == 2
    assert '<td class="figure" data-heading="Incidents">2</td>' in said


def test_a_detector_is_switched_on_at_several_sites_and_each_has_it_in_its_history(
    running: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores = [store.at_site(running.store, name) for name in ("north", "south")]
    for one in stores:
        store.switch(one, seed.ADMIN, "store", "shoplifting", now_ms=seed.NOW, enabled=False, reason="x")
    look(running, monkeypatch, "mia")
    page = opened("sites", part="detectors")
    page.selectbox(key="which").set_value("shoplifting").run()
    page.multiselect(key="change-shoplifting").set_value(["north", "south"]).run()
    button(page, text.sites.SWITCH_ON).click().run()  # type: ignore[attr-defined]
    assert not page.exception
    for one in stores:
        assert store.switches(one, "store")["shoplifting"].enabled
        assert store.switch_history(one, "store", "shoplifting")[0].actor == "mia"
    said = markup(page)
    assert said.count(">mia</td>") == 2
    assert "shoplifting" not in said


def test_the_way_to_an_alert_leads_through_its_site_and_nowhere_else(chain: Context) -> None:
    set_context(chain)
    scope = {"type": "http", "method": "GET", "path": "/site/", "headers": [], "server": ("vigil", 80)}
    query = b"alert=//evil.example/%0d%0ax&id=1"
    went = go_to_site(Request(scope | {"query_string": query, "path_params": {"name": "north"}}))
    assert went.headers["location"] == "/alert?id=%2F%2Fevil.example%2F%0D%0Ax"

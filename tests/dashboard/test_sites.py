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
from tests.dashboard.opened import opened, words

PASSWORD = seed.PASSWORD
MINUTE = 60_000


@pytest.fixture
def chain(empty: Context) -> Context:
    """Two sites, a theft at the one in the north; staff there, a manager of both, staff of neither."""
    for name, title in (("north", "North Street"), ("south", "<b>South</b>")):
        store.add_site(empty.store, seed.ADMIN, Site(name, title, "store", "Europe/Berlin"))
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
    said = words(opened("sites"))
    assert "North Street" in said
    assert f"{severity.badge('high')} 1" in said
    assert text.sites.READERS.format(1, 2) in said
    assert "Cut off since" in said
    assert text.sites.NEVER_HEARD in said
    assert "<b>" not in said


def test_staff_see_their_own_site_and_no_other(chain: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    stan = look(chain, monkeypatch, "stan")
    assert store.site_of(chosen_context(stan).store) == "north"
    assert "South" not in words(opened("sites"))
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
    assert (went.status_code, went.headers["location"]) == (303, "/live")
    cookie = SimpleCookie(went.headers["set-cookie"])[SITE_COOKIE]
    assert cookie.value == kept
    assert len(went.headers["set-cookie"]) < 200


def test_the_way_to_a_site_is_guarded_like_every_page() -> None:
    assert not any(SITE_PATH.startswith(path) for path in OPEN_PATHS)

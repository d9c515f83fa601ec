"""Every page on an empty, a busy and a broken store, and which of them a role is offered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import store
from app.store import Account
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened

PAGES = (
    *("live", "wall", "alerts", "alert", "whereabouts", "detectors", "demo", "report", "health"),
    "account",
)
MAIN = Path(__file__).parents[3] / "dashboard" / "main.py"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_on_an_empty_store(name: str, empty: Context, sign_in: SignIn) -> None:
    sign_in(empty)
    page = opened(name)
    assert not page.exception
    assert not page.error


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_on_a_busy_store(name: str, busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = opened(name, id=f"{0:064x}")
    assert not page.exception
    assert not page.error


@pytest.mark.parametrize("name", [name for name in PAGES if name != "wall"])
def test_every_page_says_that_the_store_is_broken_and_since_when(
    name: str, broken: Context, sign_in: SignIn
) -> None:
    sign_in(broken)
    page = opened(name)
    assert not page.exception
    assert text.failures.STORE_DOWN.split("{}")[0] in page.error[0].value


def test_a_broken_store_is_down_since_it_was_first_missed(broken: Context, sign_in: SignIn) -> None:
    now = [seed.NOW]
    sign_in(replace(broken, now_ms=lambda: now[0]))
    first = AppTest.from_file(str(MAIN), default_timeout=30).run().error[0].value
    now[0] += 90_000
    assert AppTest.from_file(str(MAIN), default_timeout=30).run().error[0].value == first


def test_the_whole_script_offers_every_page_to_an_admin(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    page = AppTest.from_file(str(MAIN), default_timeout=30).run()
    assert not page.exception
    assert set(page.session_state["pages"]) == set(PAGES)


def test_a_viewer_is_not_offered_whereabouts_detectors_and_the_demo(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("vera", "viewer", 1, True))
    page = AppTest.from_file(str(MAIN), default_timeout=30).run()
    assert set(page.session_state["pages"]) == set(PAGES) - {"detectors", "demo", "whereabouts"}


def test_a_cookie_of_an_earlier_password_is_no_longer_good(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    store.set_password(busy.store, seed.ADMIN, "ada", "another password", now_ms=1)
    page = AppTest.from_file(str(MAIN), default_timeout=30).run()
    assert page.warning[0].value == text.sign_in.SIGN_IN_AGAIN

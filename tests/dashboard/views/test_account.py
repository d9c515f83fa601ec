"""Account: an admin lets somebody in."""

from __future__ import annotations

from app import store
from app.store import Account
from dashboard.context import Context
from dashboard.words import text
from tests.dashboard.opened import SignIn, button, field, opened, words


def test_an_admin_adds_an_account_that_can_sign_in(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy, Account("ada", "admin", 1, True))
    page = opened("account")
    field(page, text.sign_in.ACCOUNT_NAME).input("nina")
    field(page, text.account.FIRST_PASSWORD).input("a long password")
    button(page, text.account.ADD_ACCOUNT).click().run()
    assert store.authenticate(busy.store, "nina", "a long password") == Account("nina", "viewer", 1, True)


def test_where_nobody_has_an_account_the_page_says_so(empty: Context, sign_in: SignIn) -> None:
    sign_in(empty)
    page = opened("account")
    assert text.account.NO_ACCOUNTS in words(page)
    assert field(page, text.account.FIRST_PASSWORD)

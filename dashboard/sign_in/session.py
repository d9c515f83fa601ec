"""Who is signed in in this browser, asked anew for every run of a page and every action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.store import ROLES, Account, Actor
from dashboard.context import home_context
from dashboard.sign_in.cookies import COOKIE, SignInCookies


class SignedOutError(Exception):
    """The sign-in has ended while the page was open."""


def account() -> Account:
    found = SignInCookies(home_context()).account(cookies().get(COOKIE))
    if found is None:
        raise SignedOutError
    return found


def actor() -> Actor:
    """Whom the store will hold responsible."""
    signed_in = account()
    return Actor(signed_in.name, signed_in.role, frozenset(signed_in.sites))


def may(role: str) -> bool:
    """Whether to offer an action; whether it is allowed is decided by the store."""
    return ROLES.index(account().role) >= ROLES.index(role)


def cookies() -> Mapping[str, Any]:
    return st.context.cookies

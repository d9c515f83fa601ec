"""Which of the account's sites a part of the page is about."""

from __future__ import annotations

import streamlit as st

from app import store
from dashboard.context import current_context
from dashboard.sign_in import session
from dashboard.words import text


def titles() -> dict[str, str]:
    """What people call the sites that the account may enter."""
    account = session.account()
    found = store.list_sites(current_context().store)
    return {site.name: site.title for site in found if account.may_enter(site.name)}


def chosen_sites(key: str = "at") -> list[str]:
    """Those of the account that are chosen; none stands for all."""
    known = titles()
    return st.multiselect(
        text.sites.SITES,
        list(known),
        format_func=known.__getitem__,
        key=key,
        placeholder=text.sites.ALL,
        bind="query-params",
    )

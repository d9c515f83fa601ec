"""Account: who I am, my password, and for admins everybody's accounts."""

from __future__ import annotations

import streamlit as st

from app import store as stores
from app.store import ROLES, Account
from dashboard import context as places
from dashboard.context import Place
from dashboard.sign_in import session
from dashboard.sign_in.pages import DEMO
from dashboard.words import text, times
from dashboard.words.escape import plain


def show() -> None:
    place, me = places.current(), session.account()
    st.title(text.ACCOUNT, anchor=False)
    st.markdown(text.SIGNED_IN_AS.format(plain(me.name), text.ROLES[me.role]))
    if me == DEMO:
        st.caption(text.DEMO_ACCOUNT)
    else:
        st.link_button(text.SIGN_OUT, "/logout", icon=":material/logout:")
        _own_password(me, place)
    if session.may("admin"):
        _everybody(place)


def _own_password(me: Account, place: Place) -> None:
    with st.form("own password", clear_on_submit=True):
        st.subheader(text.CHANGE_PASSWORD, anchor=False)
        old = st.text_input(text.OLD_PASSWORD, type="password", autocomplete="current-password")
        new = st.text_input(text.NEW_PASSWORD, type="password", autocomplete="new-password")
        if not st.form_submit_button(text.CHANGE_PASSWORD):
            return
    if stores.authenticate(place.store, me.name, old) is None:
        st.error(text.WRONG_OLD_PASSWORD, icon=":material/block:")
        return
    stores.set_password(place.store, session.actor(), me.name, new, now_ms=place.now_ms())
    st.success(text.PASSWORD_CHANGED)


def _everybody(place: Place) -> None:
    st.header(text.ACCOUNTS, anchor=False)
    found = stores.list_accounts(place.store)
    st.dataframe(
        [
            {
                text.ACCOUNT_NAME: one.name,
                text.ROLE: text.ROLES[one.role],
                text.STATE: text.OPEN_ACCOUNT if one.active else text.CLOSED_ACCOUNT,
            }
            for one in found
        ],
        hide_index=True,
        alt=text.ACCOUNTS,
    )
    add, change = st.columns(2)
    with add:
        _add(place)
    with change:
        if found:
            _change(found, place)
    _past(place)


def _add(place: Place) -> None:
    with st.form("add account", clear_on_submit=True):
        st.subheader(text.ADD_ACCOUNT, anchor=False)
        name = st.text_input(text.ACCOUNT_NAME, autocomplete="off")
        role = st.selectbox(text.ROLE, ROLES, format_func=text.ROLES.__getitem__)
        password = st.text_input(text.FIRST_PASSWORD, type="password", autocomplete="new-password")
        if st.form_submit_button(text.ADD_ACCOUNT):
            stores.add_account(
                place.store, session.actor(), name.strip(), role, password, now_ms=place.now_ms()
            )
            st.rerun()


def _change(found: list[Account], place: Place) -> None:
    with st.form("change account"):
        st.subheader(text.CHANGE_ACCOUNT, anchor=False)
        account = st.selectbox(text.ACCOUNT_NAME, found, format_func=lambda one: one.name)
        role = st.selectbox(text.NEW_ROLE, [None, *ROLES], format_func=_role)
        active = st.selectbox(
            text.MAY_SIGN_IN, list(text.MAY_SIGN_INS), format_func=text.MAY_SIGN_INS.__getitem__
        )
        if st.form_submit_button(text.CHANGE_ACCOUNT):
            actor, now = session.actor(), place.now_ms()
            if role:
                stores.set_role(place.store, actor, account.name, role, now_ms=now)
            if active is not None:
                stores.set_active(place.store, actor, account.name, active, now_ms=now)
            st.rerun()


def _role(role: str | None) -> str:
    return text.ROLES[role] if role else text.UNCHANGED


def _past(place: Place) -> None:
    with st.expander(text.HISTORY, icon=":material/history:"):
        changes = stores.account_history(place.store, session.actor(), limit=50)
        st.dataframe(
            [
                {
                    text.TIME: times.moment(one.at_ms, place.zone),
                    text.ACCOUNT_NAME: one.account,
                    text.CHANGE: text.ACCOUNT_CHANGES.get(one.action, one.action),
                    text.BY: one.actor,
                }
                for one in changes
            ],
            hide_index=True,
            alt=text.HISTORY,
        )

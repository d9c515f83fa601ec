"""Account: who I am, my password, and for admins everybody's accounts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import store
from app.store import ROLES, Account
from dashboard.context import Context, current_context
from dashboard.sign_in import session
from dashboard.sign_in.cookies import DEMO
from dashboard.words import text, times
from dashboard.words.escape import escaped


def show() -> None:
    context, me = current_context(), session.account()
    st.title(text.account.TITLE, anchor=False)
    st.markdown(text.account.SIGNED_IN_AS.format(escaped(me.name), text.account.ROLES[me.role]))
    if me == DEMO:
        st.caption(text.account.DEMO_ACCOUNT)
    else:
        st.link_button(text.sign_in.SIGN_OUT, "/logout", icon=":material/logout:")
        _own_password(me, context)
    if session.may("admin"):
        _everybody(context)


def _own_password(me: Account, context: Context) -> None:
    with st.form("own password", clear_on_submit=True):
        st.subheader(text.account.CHANGE_PASSWORD, anchor=False)
        old = st.text_input(text.account.OLD_PASSWORD, type="password", autocomplete="current-password")
        new = st.text_input(text.account.NEW_PASSWORD, type="password", autocomplete="new-password")
        if not st.form_submit_button(text.account.CHANGE_PASSWORD):
            return
    if store.authenticate(context.store, me.name, old) is None:
        st.error(text.account.WRONG_OLD_PASSWORD, icon=":material/block:")
        return
    store.set_password(context.store, session.actor(), me.name, new, now_ms=context.now_ms())
    st.success(text.account.PASSWORD_CHANGED)


def _everybody(context: Context) -> None:
    st.header(text.account.ACCOUNTS, anchor=False)
    found = store.list_accounts(context.store)
    if found:
        _list(found)
    else:
        st.caption(text.account.NO_ACCOUNTS)
    add, change = st.columns(2)
    with add:
        _add(context)
    with change:
        if found:
            _change(found, context)
    _past(context)


def _add(context: Context) -> None:
    with st.form("add account", clear_on_submit=True):
        st.subheader(text.account.ADD_ACCOUNT, anchor=False)
        name = st.text_input(text.sign_in.ACCOUNT_NAME, autocomplete="off")
        role = st.selectbox(text.account.ROLE, ROLES, format_func=text.account.ROLES.__getitem__)
        password = st.text_input(text.account.FIRST_PASSWORD, type="password", autocomplete="new-password")
        if st.form_submit_button(text.account.ADD_ACCOUNT):
            store.add_account(
                context.store, session.actor(), name.strip(), role, password, now_ms=context.now_ms()
            )
            st.rerun()


def _change(found: list[Account], context: Context) -> None:
    with st.form("change account"):
        st.subheader(text.account.CHANGE_ACCOUNT, anchor=False)
        account = st.selectbox(text.sign_in.ACCOUNT_NAME, found, format_func=lambda one: one.name)
        role = st.selectbox(text.account.NEW_ROLE, [None, *ROLES], format_func=_role)
        active = st.selectbox(
            text.account.MAY_SIGN_IN,
            list(text.account.MAY_SIGN_INS),
            format_func=text.account.MAY_SIGN_INS.__getitem__,
        )
        if st.form_submit_button(text.account.CHANGE_ACCOUNT):
            actor, now = session.actor(), context.now_ms()
            if role:
                store.set_role(context.store, actor, account.name, role, now_ms=now)
            if active is not None:
                store.set_active(context.store, actor, account.name, active, now_ms=now)
            st.rerun()


def _role(role: str | None) -> str:
    return text.account.ROLES[role] if role else text.account.UNCHANGED


def _list(found: Sequence[Account]) -> None:
    st.dataframe(
        [
            {
                text.sign_in.ACCOUNT_NAME: one.name,
                text.account.ROLE: text.account.ROLES[one.role],
                text.terms.STATE: text.account.OPEN_ACCOUNT if one.active else text.account.CLOSED_ACCOUNT,
            }
            for one in found
        ],
        hide_index=True,
        alt=text.account.ACCOUNTS,
    )


def _past(context: Context) -> None:
    with st.expander(text.terms.HISTORY, icon=":material/history:"):
        changes = store.account_history(context.store, session.actor(), limit=50)
        st.dataframe(
            [
                {
                    text.terms.TIME: times.moment(one.at_ms, context.zone),
                    text.sign_in.ACCOUNT_NAME: one.account,
                    text.account.CHANGE: text.account.ACCOUNT_CHANGES.get(one.action, one.action),
                    text.account.BY: one.actor,
                }
                for one in changes
            ],
            hide_index=True,
            alt=text.terms.HISTORY,
        )

"""What staff can do to alerts: take, hand over, resolve, snooze, note and re-open; for one alert or many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

import detectors
from app import store
from app.store import Actor, Alert, BookedLoan
from dashboard.context import Context
from dashboard.facts.loans import possible_loans
from dashboard.sign_in import session
from dashboard.words import text
from dashboard.words.escape import escaped

Action = Callable[[Actor, int], None]


def show_actions(alert: Alert, context: Context) -> None:
    if not session.may("staff"):
        st.caption(text.actions.VIEWERS_ONLY_LOOK)
        return
    if alert.state != "resolved":
        _whose(alert, context)
    show_bulk_actions(_meant(alert, context), context)


def _meant(alert: Alert, context: Context) -> list[Alert]:
    """The incident as far as it is open, or closed, like this alert; or this alert alone, treated apart."""
    members = store.incident_of(context.store, alert).members
    closed = alert.state == "resolved"
    alike = [one for one in members if (one.state == "resolved") == closed]
    if len(alike) == 1:
        return [alert]
    choices = [text.incidents.ALL_OF_IT.format(len(alike)), text.incidents.ONLY_THIS]
    chosen = st.radio(text.incidents.COUNTS_FOR, choices, horizontal=True, key=f"meant-{alert.id}")
    return alike if chosen == choices[0] else [alert]


def show_bulk_actions(chosen: Sequence[Alert], context: Context) -> None:
    """The same buttons for every selection. Each form has its own submit: half-typed text is never lost."""
    ids = [alert.id for alert in chosen]
    closed = [alert.state == "resolved" for alert in chosen]
    me = session.actor().name
    with st.container(horizontal=True):
        if not all(closed):
            if any(alert.owner != me or alert.state != "taken" for alert in chosen) and st.button(
                text.actions.TAKE,
                icon=":material/pan_tool:",
                type="primary",
                shortcut="t",
                help=text.actions.TAKE_HELP,
            ):
                _act(context, lambda actor, now: store.take(context.store, actor, ids, now_ms=now))
            _resolve(chosen, context)
            _snooze(chosen, context)
            _hand_over(ids, context)
        _note(ids, context)
        if all(closed) and st.button(text.actions.REOPEN, icon=":material/undo:"):
            _act(context, lambda actor, now: store.reopen(context.store, actor, ids, now_ms=now))


def _act(context: Context, action: Action) -> None:
    """The store decides whether the actor may; what it says is shown by the page."""
    action(session.actor(), context.now_ms())
    st.rerun()


def _whose(alert: Alert, context: Context) -> None:
    """Where only a person can tell who has borrowed something: a button for each who may have."""
    loans = list(possible_loans(alert))
    if not loans:
        return
    st.subheader(text.actions.WHOSE, anchor=False)
    for loan in loans:
        label = text.actions.IT_WAS.format(escaped(loan.name))
        if st.button(label, icon=":material/person:", help=text.actions.IT_WAS_HELP, key=loan.patron):
            _act(context, partial(_lend, context, alert, loan))


def _lend(context: Context, alert: Alert, loan: BookedLoan, actor: Actor, now: int) -> None:
    store.lend(context.store, actor, alert, loan, now_ms=now)


def _resolve(chosen: Sequence[Alert], context: Context) -> None:
    """Nothing is preselected: a careless Enter must not write a theft into a record."""
    ids = [alert.id for alert in chosen]
    with st.popover(text.actions.RESOLVE, icon=":material/check:"), st.form("resolve", border=False):
        outcome = st.selectbox(
            text.actions.OUTCOME,
            _outcomes(chosen),
            index=None,
            format_func=_outcome,
            placeholder=text.actions.CHOOSE_OUTCOME,
        )
        reason = st.text_area(text.terms.REASON, max_chars=1000)
        if st.form_submit_button(text.actions.RESOLVE, type="primary"):
            if outcome is None:
                st.error(text.actions.CHOOSE_OUTCOME)
                return
            _act(
                context,
                lambda actor, now: store.resolve(context.store, actor, ids, outcome, reason, now_ms=now),
            )


def _outcomes(chosen: Sequence[Alert]) -> list[str]:
    """What all of the chosen alerts can be."""
    known = detectors.load()
    possible = [known[one.detector].outcomes for one in chosen if one.detector in known]
    return [name for name in store.RESOLUTIONS if all(name in each for each in possible)]


def _snooze(chosen: Sequence[Alert], context: Context) -> None:
    ids, now_ms = [alert.id for alert in chosen], context.now_ms()
    asleep = any((alert.snoozed_until_ms or 0) > now_ms for alert in chosen)
    with st.popover(text.actions.SNOOZE, icon=":material/snooze:"), st.form("snooze", border=False):
        minutes = st.selectbox(
            text.actions.SNOOZE_FOR, list(text.actions.SNOOZES), format_func=text.actions.SNOOZES.__getitem__
        )
        snoozed = st.form_submit_button(text.actions.SNOOZE, type="primary")
        woken = asleep and st.form_submit_button(text.actions.WAKE)
        if snoozed:
            _act(
                context,
                lambda actor, now: store.snooze(
                    context.store, actor, ids, now + minutes * 60_000, now_ms=now
                ),
            )
        if woken:
            _act(context, lambda actor, now: store.wake(context.store, actor, ids, now_ms=now))


def _hand_over(ids: Sequence[str], context: Context) -> None:
    people = [one.name for one in store.list_accounts(context.store) if one.active and one.role != "viewer"]
    if not people:
        return
    with st.popover(text.actions.HAND_OVER, icon=":material/forward:"), st.form("hand over", border=False):
        to = st.selectbox(text.actions.HAND_OVER_TO, people)
        if st.form_submit_button(text.actions.HAND_OVER, type="primary"):
            _act(context, lambda actor, now: store.hand_over(context.store, actor, ids, to, now_ms=now))


def _note(ids: Sequence[str], context: Context) -> None:
    with st.popover(text.actions.NOTE, icon=":material/edit_note:"), st.form("note", border=False):
        words = st.text_area(text.actions.NOTE_TEXT, max_chars=2000)
        if st.form_submit_button(text.actions.ADD_NOTE, type="primary"):
            _act(context, lambda actor, now: store.note(context.store, actor, ids, words, now_ms=now))


def _outcome(name: str) -> str:
    needed = text.actions.REASON_NEEDED if name in store.NEEDS_REASON else ""
    return f"{text.terms.OUTCOMES.get(name, name)}{needed}"

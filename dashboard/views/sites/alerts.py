"""Alerts of several sites: the same words and filters as at one, and from a row to the alert at its site."""

from __future__ import annotations

from html import escape

import streamlit as st

import detectors
from app import store
from app.store import Filter, SiteAlert
from dashboard.context import current_context
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views.sites.chosen import chosen_sites, titles
from dashboard.views.sites.rows import table, way
from dashboard.words import severity, text, times

PAGE_ROWS = 50
OVERVIEW_REFRESH_S = 5.0
_HOUR_MS = 3_600_000


def show() -> None:
    words = st.text_input(
        text.alerts.SEARCH,
        key="q",
        placeholder=text.alerts.SEARCH_HINT,
        icon=":material/search:",
        bind="query-params",
    )
    sites = chosen_sites()
    first, second, third, fourth = st.columns(4)
    with first:
        states = _many(text.terms.STATE, "state", text.terms.STATES)
    with second:
        names = {name: severity.badge(name) for name in severity.SEVERITIES}
        severities = _many(text.alerts.SEVERITY, "severity", names)
    with third:
        known = {name: one.title for name, one in detectors.load().items()}
        chosen = _many(text.terms.DETECTOR, "detector", known)
    with fourth:
        sinces = {hours: label for hours, label in text.alerts.SINCES.items() if hours >= 0}
        hours = st.selectbox(
            text.alerts.WHEN, list(sinces), format_func=sinces.__getitem__, key="since", bind="query-params"
        )
    from_ms = current_context().now_ms() - hours * _HOUR_MS if hours else None
    wanted = Filter(states=states, severities=severities, detectors=chosen, text=words, from_ms=from_ms)
    _found(wanted, sites)


def _many(label: str, key: str, names: dict[str, str]) -> tuple[str, ...]:
    chosen = st.multiselect(
        label,
        list(names),
        format_func=names.__getitem__,
        key=key,
        placeholder=text.alerts.ANY,
        bind="query-params",
    )
    return tuple(chosen)


@st.fragment(run_every=OVERVIEW_REFRESH_S)
@shows_failures
def _found(wanted: Filter, sites: list[str]) -> None:
    context, number = current_context(), int(st.session_state.get("page", 1))
    offset = (number - 1) * PAGE_ROWS
    found = store.search_sites(
        context.store, session.account(), wanted, sites, limit=PAGE_ROWS, offset=offset
    )
    one = text.alerts.FOUND_ONE if found.total == 1 else text.alerts.FOUND.format(f"{found.total:,}")
    st.markdown(one)
    if not found.total:
        st.info(text.alerts.NOTHING_FOUND, icon=":material/search_off:")
        return
    called = titles()
    st.html(table(text.sites.ALERT_HEADINGS, [_row(each, called) for each in found.alerts]))
    st.pagination(max(1, -(-found.total // PAGE_ROWS)), key="page")


def _row(found: SiteAlert, called: dict[str, str]) -> tuple[str, ...]:
    alert, zone = found.alert, current_context().zone
    outcome = text.terms.OUTCOMES.get(alert.resolution or "", alert.resolution or "")
    state = text.terms.TAKEN_BY.format(alert.owner) if alert.owner else text.terms.STATES[alert.state]
    return (
        way(found.site, alert.title, alert.id) + f"<br>{escape(alert.explanation)}",
        escape(called.get(found.site, found.site)),
        escape(times.moment(alert.occurred_ms, zone)),
        escape(severity.badge(alert.severity)).replace(" ", "&nbsp;"),
        escape(outcome or state),
    )

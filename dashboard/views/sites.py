"""Sites: how each one stands that the account may enter, the worst first, and the way into its pages."""

from __future__ import annotations

from html import escape
from zoneinfo import ZoneInfo

import streamlit as st

from app import store
from app.store import SiteState
from dashboard.context import current_context, home_context
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.site_choice import HOME, SITE_PATH
from dashboard.words import severity, text, times
from dashboard.words.escape import escaped

SITES_TICK_S = 5.0
_WAY_WIDTH = 220  # of all alike, so that what stands before it is in columns


def show() -> None:
    st.title(text.sites.TITLE, anchor=False)
    st.caption(text.sites.EXPLAINED)
    tick()


@st.fragment(run_every=SITES_TICK_S)
@shows_failures
def tick() -> None:
    context = current_context()
    states = store.site_states(context.store, session.account(), context.now_ms())
    for state in sorted(states, key=_urgency):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escaped(state.title)}**", width=240)
            st.markdown(open_words(state), width="stretch")
            st.markdown(_reader_words(state), width=200)
            st.markdown(link_words(state, context.zone), width=240)
            _way(state.name, text.sites.OPEN_SITE.format(state.title))
    if not store.site_of(home_context().store):
        _way(HOME, text.sites.OPEN_SITE.format(home_context().scenario.title))


def _way(name: str, label: str) -> None:
    """Followed by the browser itself, which learns by it which site it looks at."""
    st.html(f'<a href="{SITE_PATH}{name}">{escape(label)}</a>', width=_WAY_WIDTH)


def _urgency(state: SiteState) -> tuple[tuple[int, ...], bool, str]:
    """The most of the worst first; of those alike, who is cut off."""
    worst = tuple(-state.open.get(name, 0) for name in severity.SEVERITIES)
    return worst, state.cut_off_ms is None, state.name


def open_words(state: SiteState) -> str:
    found = [
        f"{severity.badge(name)} {state.open[name]}" for name in severity.SEVERITIES if name in state.open
    ]
    return ", ".join(found) or text.sites.NONE_OPEN


def _reader_words(state: SiteState) -> str:
    if not state.readers:
        return text.sites.NO_READERS
    return text.sites.READERS.format(state.readers - state.down, state.readers)


def link_words(state: SiteState, zone: ZoneInfo) -> str:
    if state.heard_ms is None:
        return text.sites.NEVER_HEARD
    if state.cut_off_ms is None:
        return text.sites.CONNECTED
    return text.sites.CUT_OFF.format(times.moment(state.cut_off_ms, zone))

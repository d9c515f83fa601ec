"""The sites on a map and in a list: open incidents, readers that are heard, cut off since when."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from zoneinfo import ZoneInfo

import streamlit as st

from app import store
from app.store import SiteState
from dashboard.context import current_context, home_context
from dashboard.failures import shows_failures
from dashboard.pictures.site_map import WIDE, SiteSpot, spots
from dashboard.sign_in import session
from dashboard.site_choice import HOME
from dashboard.views.sites.rows import table, way
from dashboard.words import severity, text, times

SITES_TICK_S = 5.0
_NAMED = 24  # more names than that would lie on each other


def show() -> None:
    st.caption(text.sites.EXPLAINED)
    tick()


@st.fragment(run_every=SITES_TICK_S)
@shows_failures
def tick() -> None:
    context = current_context()
    states = sorted(store.site_states(context.store, session.account(), context.now_ms()), key=_urgency)
    placed = spots([state.site for state in states])
    with st.container(key="board"):
        left, right = st.columns([2, 3], gap="large") if placed else (None, st.container())
    if left is not None:
        left.html(_map(states, placed, context.zone))
    right.html(table(text.sites.HEADINGS, [_row(state, context.zone) for state in states]))
    home = home_context()
    if not store.site_of(home.store):
        home_way = way(HOME, text.sites.OPEN_SITE.format(home.scenario.title))
        st.html(f'<div class="sites">{home_way}</div>')


def _row(state: SiteState, zone: ZoneInfo) -> tuple[str, ...]:
    name = way(state.name, state.title)
    return name, _badges(state), escape(_reader_words(state)), escape(_link_words(state, zone))


def _urgency(state: SiteState) -> tuple[tuple[int, ...], bool, str]:
    """The most of the worst first; of those alike, who is cut off."""
    worst = tuple(-state.open.get(name, 0) for name in severity.SEVERITIES)
    return worst, state.cut_off_ms is None, state.name


def _badges(state: SiteState) -> str:
    found = [f"{escape(severity.badge(name))} {state.open[name]}" for name in _open(state)]
    return "<br>".join(found) or escape(text.sites.NONE_OPEN)


def _open(state: SiteState) -> list[str]:
    """The severities of which something is open, the worst first."""
    return [name for name in severity.SEVERITIES if name in state.open]


def _reader_words(state: SiteState) -> str:
    if not state.readers:
        return text.sites.NO_READERS
    return text.sites.READERS.format(state.readers - state.down, state.readers)


def _link_words(state: SiteState, zone: ZoneInfo) -> str:
    if state.heard_ms is None:
        return text.sites.NEVER_HEARD
    if state.cut_off_ms is None:
        return text.sites.CONNECTED
    return text.sites.CUT_OFF.format(times.moment(state.cut_off_ms, zone))


def _map(states: Sequence[SiteState], placed: Sequence[SiteSpot], zone: ZoneInfo) -> str:
    known = {state.name: state for state in states}
    marks = "".join(_mark(spot, known[spot.name], zone, named=len(placed) <= _NAMED) for spot in placed)
    return f'<div class="site-map" style="aspect-ratio: {WIDE}">{marks}</div>'


def _mark(spot: SiteSpot, state: SiteState, zone: ZoneInfo, *, named: bool) -> str:
    """The worst that is open, in its shape and colour; one that is cut off stands on a dashed ring."""
    worst = _open(state)
    look = severity.look(worst[0]) if worst else None
    sign, colour = (look.sign, look.colour) if look else ("●", severity.ALIVE)
    told = [state.title, *(f"{severity.badge(one)} {state.open[one]}" for one in worst)]
    told = [*told, _reader_words(state), _link_words(state, zone)]
    kind = "mark cut-off" if state.cut_off_ms is not None else "mark"
    label = f'<span class="name">{escape(state.title)}</span>' if named else ""
    side = " before" if spot.left > 60 else ""
    shown = f'<span class="{kind}" style="color: {colour}">{sign}</span>{label}'
    words = escape(text.alert.BESIDE.join(told))
    link = way(state.name, "").replace(
        "<a ", f'<a class="spot{side}" aria-label="{words}" title="{words}" ', 1
    )
    placed = f"left: {spot.left:.2f}%; top: {spot.top:.2f}%"
    return f'<div class="at" style="{placed}">{link.removesuffix("</a>")}{shown}</a></div>'

"""Wall mode: one state that can be read across the room, and below it map and feed; nobody touches it."""

from __future__ import annotations

import streamlit as st

from app.store import AlertIncident
from dashboard import links, style
from dashboard.components import wall
from dashboard.components.wall import WallState
from dashboard.context import Context, area_title, current_context
from dashboard.facts.live_data import LiveData, newest
from dashboard.failures import shows_failures
from dashboard.views import live
from dashboard.views.notices import late, switched_off
from dashboard.views.outages import in_words
from dashboard.words import incidents, severity, text, times
from dashboard.words.escape import escaped


def show() -> None:
    style.apply_wall()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(escaped(current_context().scenario.title), anchor=False, width="stretch")
        links.link("live", text.live.LEAVE_WALL, ":material/close_fullscreen:")
    tick()


@st.fragment(run_every=live.TICK_S)
@shows_failures
def tick() -> None:
    context = current_context()
    seen = newest(context)
    wall.show(seen.once("wall", lambda: state_of(seen, context)), seen.at_ms, key="wall state")
    live.board(seen, context, live.WALL)


def state_of(seen: LiveData, context: Context) -> WallState:
    """Act on the worst that nobody has taken; attention for all else that is not as it should be."""
    notices = _notices(seen, context)
    new = [incident for incident in seen.incidents if incident.is_new]
    name, where, what = _calm(seen)
    if new:
        urgent = severity.look(new[0].severity).rank <= severity.look("high").rank
        name, where, what = "act" if urgent else "attention", *_told(new, context)
    elif notices or not seen.parts:
        name, where, what = "attention", text.live.WALL_NOT_WATCHED, ""
    return WallState(
        state=name,
        word=text.live.WALL_STATES[name],
        where=where,
        what=what,
        notices=notices,
        last=_last(seen, context),
        clock=times.short_clock(seen.at_ms, context.zone),
        lost=text.live.WALL_LOST,
    )


def _told(new: list[AlertIncident], context: Context) -> tuple[str, str]:
    """Where, and what with its value; how many more wait."""
    worst, others = new[0], len(new) - 1
    where = area_title(context, worst.members[0].area) or incidents.titles(worst)
    more = [text.live.WALL_MORE.format(others)] if others else []
    told = [incidents.titles(worst), incidents.things(worst), *incidents.doubts(worst), *more]
    return where, " · ".join(filter(None, told))


def _calm(seen: LiveData) -> tuple[str, str, str]:
    handled = text.live.WALL_HANDLED.format(seen.open_incidents) if seen.open_incidents else ""
    return "calm", text.live.WALL_QUIET, handled


def _notices(seen: LiveData, context: Context) -> tuple[str, ...]:
    """What is down, silent, off or late, in whole sentences."""
    return (
        *in_words(live.troubles_of(seen, context), context),
        *(switched_off(one, context) for one in seen.off),
        *late(seen.figures.get("late_share", 0.0)),
    )


def _last(seen: LiveData, context: Context) -> str:
    if seen.last is None:
        return text.live.WALL_NO_ALERT
    when = times.short_clock(seen.last.occurred_ms, context.zone)
    return text.live.WALL_LAST.format(
        when, text.incidents.AND.join(filter(None, [seen.last.title, area_title(context, seen.last.area)]))
    )

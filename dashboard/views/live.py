"""Live: the floor plan, the feed beside it and four big numbers, anew every second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from app import store
from app.store import Alert, AlertIncident
from dashboard import links
from dashboard.components import feed, graph
from dashboard.components.feed import FeedRow
from dashboard.context import Context, area_title, current_context
from dashboard.facts import outage
from dashboard.facts.live_data import LiveData, newest
from dashboard.facts.outage import Outage
from dashboard.failures import shows_failures
from dashboard.pictures import floor, floor_marks
from dashboard.sign_in import session
from dashboard.views.notices import show_late_share, show_switched_off
from dashboard.views.outages import show_outages
from dashboard.views.truth_layer import truth_traces
from dashboard.words import incidents, severity, text, times
from dashboard.words.escape import escaped

TICK_S = 1.0
_MOST_TOASTS = 3


@dataclass(frozen=True)
class Size:
    """How high map and feed are, in CSS, and how large the map's type."""

    map: str
    feed: str
    type: int


_DESK, _WALL = "max(540px, min(100vh - 300px, 60vw))", "max(260px, min(var(--wall-rest, 44vh), 62vw))"
DESK = Size(f"min({_DESK}, 82vw)", _DESK, 13)  # on a phone the map is no emptier than the plan makes it
WALL = Size(_WALL, _WALL, 20)


def show() -> None:
    context = current_context()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(escaped(context.scenario.title), anchor=False, width="stretch")
        _sound(context)
        links.link("wall", text.live.WALL_MODE, ":material/tv:")
    tick()


def _sound(context: Context) -> None:
    """On in a demo: browsers keep it silent until the first click anyway."""
    told = text.live.SOUND_HELP
    st.toggle(text.live.SOUND, value=context.demo, key="sound", help=told, bind="query-params")


@st.fragment(run_every=TICK_S)
@shows_failures
def tick() -> None:
    context = current_context()
    seen = newest(context)
    troubles = troubles_of(seen, context)
    with st.container():  # there when empty too: a box that comes must not push the map into a new place
        show_outages(troubles, context)
        show_switched_off(seen.off, context)
        show_late_share(seen.figures.get("late_share", 0.0))
    _numbers(seen, context, outage.is_deaf(troubles))
    board(seen, context, DESK)


def troubles_of(seen: LiveData, context: Context) -> list[Outage]:
    return outage.outages(seen.parts, seen.readers, seen.at_ms, context.scenario.plan.without_sign())


def board(seen: LiveData, context: Context, size: Size) -> None:
    """The map and the feed."""
    troubles = troubles_of(seen, context)
    deaf = outage.is_deaf(troubles)
    with st.container(key="board"):
        left, right = st.columns([3, 2])
    with left:
        graph.show_packed(seen.once(f"map {size}", lambda: _map(seen, context, size, deaf)), key="map")
    with right:
        taken = _feed(seen, context, size)
        _say_quiet(seen, watched=not seen.off and all(trouble.kind == "silent" for trouble in troubles))
    if taken:
        _take(taken, seen, context)


def _take(incident: str, seen: LiveData, context: Context) -> None:
    """All of it that nobody has taken yet."""
    shown = [one for one in seen.incidents if one.id == incident]
    new = [alert.id for one in shown for alert in one.members if alert.state == "new"]
    if new:
        store.take(context.store, session.actor(), new, now_ms=context.now_ms())


def _numbers(seen: LiveData, context: Context, deaf: bool) -> None:
    with st.container(key="figures"):
        alerts, rate, delay, readers = st.columns(4)
    alerts.metric(text.live.OPEN_INCIDENTS, f"{seen.open_incidents:,}", border=True)
    rate.metric(text.terms.READINGS_RATE, _figure(seen.figures.get("readings_per_s")), border=True)
    delay.metric(text.terms.DELAY, _delay(seen), border=True, help=text.live.DELAY_HELP)
    online = sum(one.silent_since_ms is None and one.last_seen_ms is not None for one in seen.readers)
    told = text.live.ONLINE_OF.format(online, len(context.scenario.plan.readers))
    readers.metric(text.live.READERS_ONLINE, text.terms.UNKNOWN_FIGURE if deaf else told, border=True)


def _delay(seen: LiveData) -> str:
    """Where nothing came in the last minute, nothing can be late."""
    late = seen.figures.get("delay_ms")
    if late is not None:
        return times.duration(late)
    return text.live.ALL_CHECKED if seen.figures.get("lag_rows") == 0 else text.terms.UNKNOWN_FIGURE


def _figure(value: float | None) -> str:
    return text.terms.UNKNOWN_FIGURE if value is None else f"{value:,.0f}"


def _map(seen: LiveData, context: Context, size: Size, deaf: bool) -> bytes:
    plan = context.scenario.plan
    traces = [
        *floor_marks.readers(plan, () if deaf else seen.readers),
        *(truth_traces(context, _members(seen)) if size is DESK else ()),
        *floor_marks.incidents(plan, seen.incidents),
    ]
    drawn = floor.picture(plan, traces, movable=size is DESK, items=floor_marks.items(plan, seen.positions))
    return graph.packed(drawn, size.map, size.type)


def _members(seen: LiveData) -> list[Alert]:
    return [alert for incident in seen.incidents for alert in incident.members]


def _feed(seen: LiveData, context: Context, size: Size) -> str | None:
    fresh = _news(seen)
    _toast(fresh, context)
    staff = session.may("staff")
    listed = seen.once(f"feed {size} {staff}", lambda: _list(seen, context, size, staff))
    taken = feed.show(listed, _announcement(fresh, seen), key="feed")
    more = seen.open_incidents - len(seen.incidents)
    if more > 0:
        st.caption(text.live.MORE_OPEN.format(f"{more:,}"))
    return taken


def _list(seen: LiveData, context: Context, size: Size, staff: bool) -> bytes:
    rows = [_row(incident, seen, context, staff) for incident in seen.incidents]
    return feed.packed(rows, {"feed": text.live.FEED, "take": text.actions.TAKE}, size.feed)


def _say_quiet(seen: LiveData, watched: bool) -> None:
    """That nothing is open means all is quiet only if somebody is watching."""
    if not seen.incidents and watched:
        st.success(text.live.NO_OPEN_ALERTS, icon=":material/check_circle:")
    if not seen.incidents and not watched:
        st.info(text.live.NOT_WATCHED, icon=":material/visibility_off:")


def _news(seen: LiveData) -> list[AlertIncident]:
    """What has come or grown since this browser's last tick, the worst first; nothing on its first."""
    heard = st.session_state.get("heard", seen.change)
    st.session_state["heard"] = seen.change
    return [one for one in seen.incidents if any(map(partial(_is_news, heard), one.members))]


def _is_news(heard: int, alert: Alert) -> bool:
    return alert.change > heard and alert.state == "new"


def _toast(fresh: Sequence[AlertIncident], context: Context) -> None:
    for incident in fresh[:_MOST_TOASTS]:
        words = escaped(incidents.headline(incident, partial(area_title, context)))
        titles = escaped(incidents.titles(incident))
        sign = severity.look(incident.severity).sign
        st.toast(text.live.TOAST.format(sign=sign, titles=titles, words=words))
    if len(fresh) > _MOST_TOASTS:
        st.toast(text.live.MORE_NEW.format(len(fresh) - _MOST_TOASTS))


def _announcement(fresh: Sequence[AlertIncident], seen: LiveData) -> dict[str, Any]:
    worst = min((severity.look(incident.severity).rank for incident in fresh), default=9)
    return {
        "serial": seen.change,
        "words": text.live.NEWS.format(count=len(fresh), title=incidents.titles(fresh[0])) if fresh else "",
        "urgent": worst <= severity.look("high").rank,
        "sound": bool(st.session_state.get("sound")),
    }


def _row(incident: AlertIncident, seen: LiveData, context: Context, staff: bool) -> FeedRow:
    alert, look = incident.members[0], severity.look(incident.severity)
    clock = times.clock(alert.occurred_ms, context.zone)
    return FeedRow(
        id=incident.id,
        alert=alert.id,
        shape=look.symbol,
        colour=look.colour,
        severity=look.name,
        title=incidents.headline(incident, partial(area_title, context)),
        notes=incidents.titles(incident),
        marks=incidents.doubts(incident),
        detail=alert.explanation,
        when=text.live.RAISED.format(clock, times.ago(incident.raised_ms, seen.at_ms)),
        state=text.terms.TAKEN_BY.format(alert.owner) if alert.owner else text.terms.STATES[alert.state],
        takeable=incident.is_new and staff,
    )

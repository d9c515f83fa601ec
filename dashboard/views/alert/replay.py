"""Path and replay on one map: the walk of the alert's things, and the minutes around it to be played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import streamlit as st

from app.store import Alert, ReaderState
from dashboard.components import replay
from dashboard.context import Context, area_title
from dashboard.facts import moves
from dashboard.pictures import floor, floor_marks
from dashboard.pictures.figure import Picture
from dashboard.pictures.story import story
from dashboard.words import text, times
from dashboard.words.events import happened


def show_replay(alert: Alert, context: Context, autoplay: bool = False) -> None:
    st.subheader(text.alert.REPLAY, anchor=False)
    movements = moves.around(context.store, alert)
    if not movements.moves:
        st.caption(text.alert.NO_MOVES)
    told = story(alert, movements, context.scenario.plan, list(_ticks(alert, context)))
    if not movements.moves:
        told |= {"until": None}
    told |= {"zone": context.scenario.timezone, "autoplay": autoplay}
    replay.show(_picture(alert, context), told, "min(420px, 86vw)", key="replay")


def _picture(alert: Alert, context: Context) -> Picture:
    """Everything that will move is there from the start, empty."""
    plan = context.scenario.plan
    heard = [ReaderState(one.name, one.area, last_seen_ms=1) for one in plan.readers]
    marks = [
        *floor_marks.readers(plan, heard)[:2],
        floor_marks.path(plan, list(_stops(alert, context))),
        floor_marks.moving(),
        floor_marks.followed(plan, "", "", ""),
    ]
    return floor.picture(plan, marks)


def _ticks(alert: Alert, context: Context) -> Iterator[tuple[int, str]]:
    """Each event once; of several in one second the first."""
    seen = sorted(alert.evidence.events, key=lambda one: one.at_ms)
    for _, same in groupby(seen, lambda one: (one.at_ms // 1000, one.event, one.area)):
        event = next(same)
        where = area_title(context, event.area)
        words = [times.clock(event.at_ms, context.zone), happened([event.event]), *([where] if where else [])]
        yield event.at_ms, text.alert.AND_SO_ON.join(words)
    yield alert.detected_ms, text.alert.TICK_ALERT.format(times.clock(alert.detected_ms, context.zone))


def _stops(alert: Alert, context: Context) -> Iterator[tuple[str, str]]:
    """One after the other; what was seen in one area in a row is one stop."""
    for area, stay in groupby((seen for seen in alert.evidence.events if seen.area), lambda one: one.area):
        clocks = [times.clock(seen.at_ms, context.zone) for seen in stay]
        yield area, clocks[0] if clocks[0] == clocks[-1] else text.alert.FROM_TO.format(clocks[0], clocks[-1])

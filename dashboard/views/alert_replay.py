"""Replay: a slider through the minutes around an alert, on the map."""

from __future__ import annotations

from datetime import timedelta

import streamlit as st

from app.store import Alert
from dashboard import context as places
from dashboard import moves as replays
from dashboard.components.graph import graph
from dashboard.context import Place
from dashboard.failures import honest
from dashboard.moves import Stretch
from dashboard.pictures import floor
from dashboard.pictures.figure import Picture
from dashboard.words import text, times


def show_replay(alert: Alert, place: Place) -> None:
    st.subheader(text.alert.REPLAY, anchor=False)
    stretch = replays.around(place.store, alert)
    if not stretch.moves:
        st.caption(text.alert.NO_MOVES)
        return
    _replay(alert, stretch)


@st.fragment
@honest
def _replay(alert: Alert, stretch: Stretch) -> None:
    """A fragment of its own: moving the slider redraws nothing but the map."""
    place = places.current()
    chosen = st.slider(
        text.alert.REPLAY_AT,
        min_value=times.local(stretch.from_ms, place.zone),
        max_value=times.local(stretch.until_ms, place.zone),
        value=times.local(alert.occurred_ms, place.zone),
        step=timedelta(seconds=1),
        format="HH:mm:ss",
        key=f"replay-{alert.id}",
    )
    graph(_picture(alert, stretch, int(chosen.timestamp() * 1000), place), key="replay map", height="420px")


def _picture(alert: Alert, stretch: Stretch, at_ms: int, place: Place) -> Picture:
    plan = place.scenario.plan
    where = replays.standing(stretch, at_ms)
    heard = replays.hearing([reader.name for reader in plan.readers], stretch.silences, at_ms)
    marks = [
        floor.mark(plan, tag, where[tag].area, alert.subject) for tag in stretch.followed if tag in where
    ]
    return floor.picture(plan, [*floor.readers(plan, heard), *marks], items=floor.items(plan, where))

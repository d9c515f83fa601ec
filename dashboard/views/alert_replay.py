"""Replay: a slider through the minutes around an alert, on the map."""

from __future__ import annotations

from datetime import timedelta

import streamlit as st

from app.store import Alert
from dashboard import moves
from dashboard.components import graph
from dashboard.context import Context, current_context
from dashboard.failures import shows_failures
from dashboard.moves import Movements
from dashboard.pictures import floor, floor_marks
from dashboard.pictures.figure import Picture
from dashboard.words import text, times


def show_replay(alert: Alert, context: Context) -> None:
    st.subheader(text.alert.REPLAY, anchor=False)
    movements = moves.around(context.store, alert)
    if not movements.moves:
        st.caption(text.alert.NO_MOVES)
        return
    _replay(alert, movements)


@st.fragment
@shows_failures
def _replay(alert: Alert, movements: Movements) -> None:
    """A fragment of its own: moving the slider redraws nothing but the map."""
    context = current_context()
    chosen = st.slider(
        text.alert.REPLAY_AT,
        min_value=times.local(movements.from_ms, context.zone),
        max_value=times.local(movements.until_ms, context.zone),
        value=times.local(alert.occurred_ms, context.zone),
        step=timedelta(seconds=1),
        format="HH:mm:ss",
        key=f"replay-{alert.id}",
    )
    graph.show(
        _picture(alert, movements, int(chosen.timestamp() * 1000), context), key="replay map", height="420px"
    )


def _picture(alert: Alert, movements: Movements, at_ms: int, context: Context) -> Picture:
    plan = context.scenario.plan
    where = moves.positions_at(movements, at_ms)
    heard = moves.readers_at([reader.name for reader in plan.readers], movements.silences, at_ms)
    marks = [
        floor_marks.followed(plan, tag, where[tag].area, alert.subject)
        for tag in movements.followed
        if tag in where
    ]
    return floor.picture(
        plan, [*floor_marks.readers(plan, heard), *marks], items=floor_marks.items(plan, where)
    )

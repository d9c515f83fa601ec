"""The stage: the map with people on it, beside it what was staged, step by step, until its alert is there."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import store
from app.store import Alert, Filter
from dashboard.components import graph, story
from dashboard.context import Context, current_context
from dashboard.facts import stories
from dashboard.facts.live_data import LiveData, newest
from dashboard.failures import shows_failures
from dashboard.pictures import floor, floor_marks
from dashboard.pictures.figure import Trace
from dashboard.truth.stage import StagedStory
from dashboard.views.alert.replay import show_replay
from dashboard.views.demo.story_words import told_story
from dashboard.views.truth_layer import truth_traces
from dashboard.words import text
from dashboard.words.escape import escaped

TICK_S = 1.0
_TOLD = 3  # stories whose alert is looked for
_SET_OUT = 2  # steps of a story before the radios have much to hear
_MOST_ALERTS = 200
_MAP = "min(460px, 82vw)"  # on a phone no emptier than the plan makes it


@st.fragment(run_every=TICK_S)
@shows_failures
def show_stage() -> None:
    context = current_context()
    if context.truth is None:
        return
    seen = newest(context)
    began = st.session_state.get("tour", {}).get("began_ms", 0)
    told = [one for one in context.truth.stage.stories() if one.heard_ms >= began]
    alerts = _alerts(told, context)
    left, right = st.columns([3, 2])
    with left:
        marks = truth_traces(context, alerts)
        graph.show_packed(_map(seen, context, marks), key="stage")
    with right:
        st.subheader(text.demo.STORY, anchor=False)
        if not told:
            st.caption(text.demo.ON_STAGE if began else text.demo.NOTHING_STAGED)
            return
        alert = stories.told(told[0], alerts, context)
        heard = len(context.truth.stage.heard(context.now_ms()))
        shown = told_story(told[0], alert, heard, context)
        story.show(shown, bool(st.session_state.get("sound", True)), key="story")
        if began:
            _guide(told[0], alert)
    if began and alert:
        with st.container(key="tour-replay"):
            show_replay(alert, context, autoplay=True)


def _guide(told: StagedStory, alert: Alert | None) -> None:
    """The tour's own words about what is to be seen now."""
    step = "replay" if alert else "radios" if len(told.steps) > _SET_OUT else "staged"
    words = [text.demo.TOUR_STEPS[step].format(colour=text.demo.TOUR_COLOUR)]
    if alert:
        words.insert(0, text.demo.TOUR_STEPS["concludes"])
    st.info(escaped("\n".join(words)), icon=":material/tour:")


def _alerts(told: Sequence[StagedStory], context: Context) -> Sequence[Alert]:
    if not told:
        return ()
    since = min(one.heard_ms for one in told[:_TOLD])
    wanted = Filter(scenarios=(context.scenario.name,))
    found = store.search(context.store, wanted, limit=_MOST_ALERTS).alerts
    return [alert for alert in found if alert.stored_ms >= since]


def _map(seen: LiveData, context: Context, marks: Sequence[Trace]) -> bytes:
    plan = context.scenario.plan
    traces = [
        *floor_marks.readers(plan, seen.readers),
        *marks,
        *floor_marks.incidents(plan, seen.incidents),
    ]
    drawn = floor.picture(plan, traces, items=floor_marks.items(plan, seen.positions))
    return graph.packed(drawn, _MAP)

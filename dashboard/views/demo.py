"""Demo: stage an incident, turn the world's dials, and see the detectors scored against the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

import detectors
from app import store
from app.demo import change_place
from app.detection.score import Score, score
from app.store import Filter
from dashboard import outage
from dashboard.context import Context, current_context
from dashboard.demo_truth import DemoTruth, Dials
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views.demo_belief import show_belief
from dashboard.views.outages import show_outages
from dashboard.words import text, times
from dashboard.words.escape import escaped

TICK_S = 1.0
_MOST_ALERTS = 2_000


def show() -> None:
    context = current_context()
    st.title(text.demo.TITLE, anchor=False)
    st.markdown(text.demo.DEMO_OF.format(escaped(context.scenario.title), escaped(context.scenario.summary)))
    _troubles()
    ways_out = st.container()
    st.subheader(text.demo.STAGE, anchor=False)
    with st.container(horizontal=True):
        for incident in _incidents(context):
            label, icon = text.demo.INCIDENTS[incident]
            if st.button(label, icon=icon, key=f"stage-{incident}"):
                _send(context, {"incident": incident}, label)
    _dials(context)
    with ways_out:  # last: the other places are loaded the first time
        _other_places(context)
    show_belief()
    _score()


@st.fragment(run_every=TICK_S)
@shows_failures
def _troubles() -> None:
    """Nothing that is staged will happen while a part is down."""
    context = current_context()
    show_outages(outage.outages(store.list_parts(context.store), (), context.now_ms()), context)


def _other_places(context: Context) -> None:
    """The other places; the demo starts anew there, with nothing in the store."""
    if context.data is None:
        return
    with st.popover(text.demo.OTHER_PLACE, icon=":material/moving:"):
        st.caption(text.demo.OTHER_PLACE_HELP)
        for name, title in change_place.choices().items():
            if title != context.scenario.title and st.button(
                escaped(title), key=f"go-{name}", width="stretch"
            ):
                change_place.ask(context.data, session.actor(), name)
                st.info(text.demo.GOING.format(escaped(title)), icon=":material/hourglass_empty:")


def _incidents(context: Context) -> list[str]:
    """What can happen in a place with such areas."""
    kinds = {area.kind for area in context.scenario.plan.areas}
    return [
        *(("shoplift", "misplace", "sweep", "fitting_loss", "copied_tag") if "exit" in kinds else ()),
        *(("overdose", "interaction", "wrong_patient") if "cabinet" in kinds else ()),
        *(("booklift", "confusion", "over_limit", "misplace_book") if "door" in kinds else ()),
        *(("leak", "leak_untold", "long_in_bathroom", "intruder") if context.scenario.household else ()),
        "reader_down",
    ]


def _send(context: Context, command: Mapping[str, Any], label: str) -> None:
    store.stage(context.store, session.actor(), command, now_ms=context.now_ms())
    st.toast(text.demo.SENT.format(label), icon=":material/send:")


def _dials(context: Context) -> None:
    """They stand at what the simulator last said it runs at, whoever turned them."""
    st.subheader(text.demo.DIALS, anchor=False)
    _world_time()
    now = context.truth.dials() if context.truth else Dials()
    with st.form("dials"):
        left, right = st.columns(2)
        with left:
            speed = st.select_slider(
                text.demo.SPEED, _with(text.demo.SPEEDS, now.speed), now.speed, format_func=_speed
            )
        with right:
            noise = st.select_slider(
                text.demo.NOISE, _with(text.demo.NOISES, now.noise), now.noise, format_func=_noise
            )
        if st.form_submit_button(text.demo.TURN):
            _send(context, {"speed": speed}, text.demo.SPEED)
            _send(context, {"noise": noise}, text.demo.NOISE)


@st.fragment(run_every=TICK_S)
@shows_failures
def _world_time() -> None:
    """What time it is in the world that is played, and how fast it passes there."""
    context = current_context()
    now = context.truth.dials() if context.truth else Dials()
    if now.now_ms is None:
        return
    shown = times.moment(now.now_ms, context.zone)
    reached = now.speed if now.reached is None else now.reached
    words = text.demo.WORLD_TIME.format(escaped(shown), f"{reached:.3g}", f"{now.speed:g}")
    st.caption(words)


def _with(steps: Iterable[float], value: float) -> list[float]:
    """A slider must be able to stand where the world is."""
    return sorted({*map(float, steps), value})


def _speed(value: float) -> str:
    return text.demo.TIMES_AS_FAST.format(f"{value:g}")


def _noise(value: float) -> str:
    return text.demo.NOISES.get(value, text.demo.TIMES_AS_MUCH.format(f"{value:g}"))


@st.fragment(run_every=TICK_S)
@shows_failures
def _score() -> None:
    context = current_context()
    st.subheader(text.demo.SCORE, anchor=False)
    truth = context.truth
    if truth is None:
        st.info(text.demo.NO_TRUTH, icon=":material/visibility_off:")
        return
    answer = truth.answer()
    if answer:
        st.caption(escaped(text.demo.ANSWERED.format(times.clock(answer[0], context.zone), answer[1])))
    rows = [_row(one) for one in _scores(context, truth).values()]
    st.caption(text.demo.SCORE_SINCE.format(times.clock(truth.since_ms, context.zone)))
    st.dataframe(rows, hide_index=True, alt=text.demo.SCORE)


def _scores(context: Context, truth: DemoTruth) -> dict[str, Score]:
    wanted = Filter(scenarios=(context.scenario.name,))
    found = store.search(context.store, wanted, limit=_MOST_ALERTS).alerts
    alerts = [alert for alert in found if alert.stored_ms >= truth.since_ms]
    on = [name for name, one in store.switches(context.store, context.scenario.name).items() if one.enabled]
    return score(on, alerts, truth.incidents())


def _row(one: Score) -> dict[str, Any]:
    known = detectors.load()
    return {
        text.terms.DETECTOR: known[one.detector].title if one.detector in known else one.detector,
        text.demo.HAPPENED: one.right + one.missed,
        text.demo.SCORE_FOUND: one.right,
        text.demo.NOT_FOUND: one.missed,
        text.demo.FALSELY: one.false,
        text.demo.PRECISION: _share(one.right, one.right + one.false),
        text.demo.RECALL: _share(one.right, one.right + one.missed),
        text.terms.DELAY: text.terms.UNKNOWN_FIGURE if one.delay_ms is None else times.duration(one.delay_ms),
    }


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else text.terms.UNKNOWN_FIGURE

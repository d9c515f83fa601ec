"""The world's dials: its speed, the noise of its radios and what that costs, readers unplugged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from dashboard.context import Context, current_context, reader_name
from dashboard.failures import shows_failures
from dashboard.truth.heard import Dials
from dashboard.views.demo.score import show_noise_costs
from dashboard.words import text, times
from dashboard.words.escape import escaped

TICK_S = 1.0
_HARDLY = 0.05  # nobody sees so little
Send = Callable[[Context, Mapping[str, Any], str], None]


def show_dials(context: Context, send: Send) -> None:
    """They stand at what the simulator last said it runs at, whoever turned them."""
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(text.demo.DIALS, anchor=False)
        _world_time()
        now = context.truth.dials() if context.truth else Dials()
        with st.form("dials"):
            speed = st.select_slider(
                text.demo.SPEED, _with(text.demo.SPEEDS, now.speed), now.speed, format_func=_speed
            )
            noise = st.select_slider(
                text.demo.NOISE, _with(text.demo.NOISES, now.noise), now.noise, format_func=noise_words
            )
            if st.form_submit_button(text.demo.TURN):
                send(context, {"speed": speed}, text.demo.SPEED)
                send(context, {"noise": noise}, text.demo.NOISE)
    with right:
        show_noise_costs()
        _unplug(context, send)


def _unplug(context: Context, send: Send) -> None:
    st.subheader(text.demo.UNPLUG, anchor=False)
    names = [one.name for one in context.scenario.plan.readers]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            text.demo.WHICH_READER,
            names,
            index=_first_till(context, names),
            format_func=lambda name: reader_name(context, name),
        )
        if st.button(text.demo.PULL, icon=":material/power_off:"):
            send(context, {"unplug": chosen}, text.demo.UNPLUGGED.format(reader_name(context, chosen)))
        if st.button(text.demo.PLUG, icon=":material/power:"):
            send(context, {"plug": chosen}, text.demo.PLUG)
    has_tills = bool(context.scenario.plan.of_kind("counter")) and bool(context.scenario.plan.of_kind("exit"))
    st.caption(text.demo.UNPLUG_TILL if has_tills else text.demo.UNPLUG_ANY)


def _first_till(context: Context, names: list[str]) -> int:
    tills = [
        one.name
        for one in context.scenario.plan.readers
        if context.scenario.plan.area(one.area).kind == "counter"
    ]
    return names.index(tills[0]) if tills else 0


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
    pace = f"{reached:.3g}", f"{now.speed:g}"
    as_here = now.speed == 1 and abs(reached - 1) < _HARDLY
    words = text.demo.WORLD_TIME_AS_HERE if as_here else text.demo.WORLD_TIME
    st.caption(words.format(escaped(shown), *pace))


def _with(steps: Iterable[float], value: float) -> list[float]:
    """A slider must be able to stand where the world is."""
    return sorted({*map(float, steps), value})


def _speed(value: float) -> str:
    return text.demo.TIMES_AS_FAST.format(f"{value:g}")


def noise_words(value: float) -> str:
    return text.demo.NOISES.get(value, text.demo.TIMES_AS_MUCH.format(f"{value:g}"))

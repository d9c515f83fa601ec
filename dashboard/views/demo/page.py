"""Demo: stage an incident and watch it happen, take the tour, turn the world's dials, see the score."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import streamlit as st

import detectors
from app import store
from app.demo import change_place
from app.demo.opening import OPENING
from dashboard.context import Context, current_context
from dashboard.facts import outage
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views.demo.belief import show_belief
from dashboard.views.demo.dials import show_dials
from dashboard.views.demo.score import show_score
from dashboard.views.demo.story import show_stage
from dashboard.views.outages import show_going, show_outages
from dashboard.words import text
from dashboard.words.escape import escaped

TICK_S = 1.0
_IN_A_STORE = ("shoplift", "misplace", "sweep", "fitting_loss", "buy_up", "copied_tag")


def show() -> None:
    context = current_context()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(text.demo.TITLE, anchor=False, width="stretch")
        st.toggle(text.live.SOUND, value=True, key="sound", help=text.live.SOUND_HELP)
        ways_out = st.container(width="content")
    st.markdown(text.demo.DEMO_OF.format(escaped(context.scenario.title), escaped(context.scenario.summary)))
    _troubles()
    st.subheader(text.demo.STAGE, anchor=False)
    with st.container(horizontal=True):
        for incident in offered(context):
            label, icon = text.demo.INCIDENTS[incident]
            if st.button(label, icon=icon, key=f"stage-{incident}"):
                send(context, _command(context, incident), label)
        _tour(context)
    _shortened(context)
    show_stage()
    show_dials(context, send)
    with ways_out:  # last: the other places are loaded the first time
        _other_places(context)
    show_belief()
    show_score()


@st.fragment(run_every=TICK_S)
@shows_failures
def _troubles() -> None:
    """Nothing that is staged will happen while a part is down."""
    context = current_context()
    show_outages(outage.outages(store.list_parts(context.store), (), context.now_ms()), context)


def _tour(context: Context) -> None:
    """The first incident of the place, with every step explained."""
    if st.session_state.get("tour"):
        if st.button(text.demo.TOUR_STOP, icon=":material/stop:", type="primary", key="tour-stop"):
            del st.session_state["tour"]
            st.rerun()
    elif st.button(text.demo.TOUR, icon=":material/play_arrow:", type="primary", key="tour-start"):
        kinds = {area.kind for area in context.scenario.plan.areas}
        incident = next((word for kind, word in OPENING.items() if kind in kinds), "reader_down")
        st.session_state["tour"] = {"began_ms": context.now_ms()}
        send(context, _command(context, incident), text.demo.INCIDENTS[incident][0])
        st.rerun()


def _command(context: Context, incident: str) -> dict[str, Any]:
    """A dose is missed that was due: it is ordered on the spot, of any bottle."""
    if incident != "missed_dose":
        return {"incident": incident}
    items = context.scenario.items
    known = zip(items.column("id").to_pylist(), items.column("medicine").to_pylist(), strict=True)
    bottle = random.choice([str(name) for name, medicine in known if medicine])
    store.order_dose(context.store, session.actor(), context.scenario.name, bottle, now_ms=context.now_ms())
    return {"incident": incident, "bottle": bottle}


def _shortened(context: Context) -> None:
    """Which detectors are quicker here than by default."""
    found = []
    for name, values in context.scenario.detectors.items():
        known = detectors.load()[name]
        for key, one in known.parameters.items():
            if one.kind == "duration" and key in values and int(values[key]) < int(one.default):
                shown = one.shown(values[key]), one.shown(one.default)
                found.append(text.demo.SHORTER.format(known.title, *shown))
    if found:
        st.caption(escaped(text.demo.SHORTENED.format(", ".join(found))))


def _other_places(context: Context) -> None:
    """The other places; the demo starts anew there, with nothing in the store."""
    if context.data is None:
        return
    with st.popover(text.demo.OTHER_PLACE, icon=":material/swap_horiz:"):
        st.caption(text.demo.OTHER_PLACE_HELP)
        for name, title in change_place.choices().items():
            if title != context.scenario.title and st.button(
                escaped(title), key=f"go-{name}", width="stretch"
            ):
                change_place.ask(context.data, session.actor(), name)
                show_going(context)


def offered(context: Context) -> list[str]:
    """What can happen in a place with such areas."""
    kinds = {area.kind for area in context.scenario.plan.areas}
    return [
        *(
            ("shoplift", "misplace", "sweep", "fitting_loss", "buy_up", "copied_tag")
            if "exit" in kinds
            else ()
        ),
        *(("overdose", "interaction", "wrong_patient", "missed_dose") if "cabinet" in kinds else ()),
        *(("booklift", "confusion", "over_limit", "misplace_book") if "door" in kinds else ()),
        *(("leak", "leak_untold", "long_in_bathroom", "intruder") if context.scenario.household else ()),
        "reader_down",
    ]


def send(context: Context, command: Mapping[str, Any], label: str) -> None:
    store.stage(context.store, session.actor(), command, now_ms=context.now_ms())
    st.toast(text.demo.SENT.format(label), icon=":material/send:")

"""Display: what a screen in a room of a home shows to those who are probably there; nobody touches it."""

from __future__ import annotations

import streamlit as st

from app import store
from app.place.floor_plan import OUTSIDE
from app.store import Filter
from app.store.alerts.incidents import OPEN
from app.whereabouts.display import DisplayContent, Resident, content
from dashboard.context import Context, area_title, current_context
from dashboard.facts.residents import residents_of
from dashboard.facts.where_data import newest_where
from dashboard.failures import shows_failures
from dashboard.words import chances, text, times
from dashboard.words.escape import escaped

DISPLAY_REFRESH_S = 2.0
_LEAKS = ("leak", "leak_untold")


def show() -> None:
    context = current_context()
    household = context.scenario.household
    if household is None or household.display is None:
        st.title(text.display.TITLE, anchor=False)
        st.info(text.display.NONE, icon=":material/tv_off:")
        return
    st.title(escaped(area_title(context, household.display.area)), anchor=False)
    _screen()


@st.fragment(run_every=DISPLAY_REFRESH_S)
@shows_failures
def _screen() -> None:
    context = current_context()
    assert context.scenario.household is not None
    display = context.scenario.household.display
    answers = newest_where(context).answers
    if display is None or answers is None:
        st.info(text.display.NOT_YET, icon=":material/hourglass_empty:")
        return
    everybody = residents_of(context, answers)
    shown = content(display, everybody)
    with st.container(key="display"):
        _urgent(context, shown)
        _greeting(shown)
        for message in shown.messages:
            st.markdown(f"### {escaped(message)}")
    st.subheader(text.display.EVERYBODY, anchor=False)
    st.markdown(chances.table(text.display.HEADINGS, [_row(context, one) for one in everybody]))
    st.caption(text.display.AS_OF.format(times.clock(answers.now_ms, context.zone), f"{display.sure:.0%}"))


def _urgent(context: Context, shown: DisplayContent) -> None:
    """A leak is for seniors; others are only told that something waits."""
    wanted = Filter(scenarios=(context.scenario.name,), detectors=_LEAKS, states=OPEN)
    leaks = store.search(context.store, wanted, limit=3).alerts
    if leaks and shown.for_seniors:
        for area in dict.fromkeys(alert.area for alert in leaks):
            st.error(
                text.display.LEAK.format(escaped(area_title(context, area))), icon=":material/water_damage:"
            )
    elif leaks:
        st.warning(text.display.WAITING, icon=":material/priority_high:")


def _greeting(shown: DisplayContent) -> None:
    if not shown.present:
        st.markdown(f"## {text.display.NOBODY}")
        return
    names = " · ".join(f"{escaped(one.name)} ({chances.percent(sure)})" for one, sure in shown.present)
    st.markdown(f"## {names}")


def _row(context: Context, one: Resident) -> tuple[str, str, str]:
    place, sure = one.place
    title = text.display.OUT if place == OUTSIDE else area_title(context, place) or text.terms.UNKNOWN_FIGURE
    return one.name, title, chances.percent(sure) if place else text.terms.UNKNOWN_FIGURE

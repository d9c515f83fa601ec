"""Whereabouts: where a thing or person probably is and how it came there; what is in an area."""

from __future__ import annotations

import streamlit as st

from app.whereabouts.answers import Answers
from app.whereabouts.replenish import shortages
from dashboard.components import graph
from dashboard.context import Context, area_title, current_context
from dashboard.facts.outage import outages
from dashboard.facts.where_data import WhereData, newest_where
from dashboard.failures import shows_failures
from dashboard.pictures import floor
from dashboard.pictures.floor import Shade
from dashboard.views.outages import show_outages
from dashboard.views.whereabouts.area import SHOWN, show_area
from dashboard.views.whereabouts.replenish import show_replenish
from dashboard.views.whereabouts.thing import place_title, show_one, show_several
from dashboard.words import chances, text, times
from dashboard.words.escape import escaped

SLOW_REFRESH_S = 5.0
_OLD_MS = 60_000
_HEIGHT = "min(460px, 72vw)"


def show() -> None:
    context = current_context()
    st.title(text.whereabouts.TITLE, anchor=False)
    if "clicked" in st.session_state:  # on the map, too late for the widgets of the run before
        st.session_state["area"], st.session_state["what"] = st.session_state.pop("clicked"), ""
    search, choice = st.columns([3, 2])
    what = search.text_input(
        text.whereabouts.SEARCH,
        key="what",
        placeholder=text.whereabouts.SEARCH_HINT,
        icon=":material/search:",
        bind="query-params",
    )
    area = choice.selectbox(
        text.whereabouts.AREA,
        ["", *(area.name for area in context.scenario.plan.areas)],
        format_func=lambda name: area_title(context, name) or text.whereabouts.ANY_AREA,
        key="area",
        bind="query-params",
    )
    _found(what.strip(), area)


@st.fragment(run_every=SLOW_REFRESH_S)
@shows_failures
def _found(what: str, area: str) -> None:
    context = current_context()
    seen = newest_where(context)
    show_outages(outages(seen.parts, seen.readers, seen.at_ms, context.scenario.plan.without_sign()), context)
    if seen.answers is None:
        st.info(text.whereabouts.NOT_YET, icon=":material/hourglass_empty:")
        return
    rows = seen.once(("find", what), lambda: _rows(what, seen))
    with st.container(key="board"):
        left, right = st.columns([3, 2])
    with right:
        _answer(what, rows, area, seen, context)
    with left:
        _map(rows, area if not what else "", seen, context)
        _age(seen, seen.answers, context)


def _rows(what: str, seen: WhereData) -> list[int]:
    return seen.answers.find(what) if what and seen.answers else []


def _answer(what: str, rows: list[int], area: str, seen: WhereData, context: Context) -> None:
    answers = seen.answers
    if answers is None:
        return
    if what and not rows:
        st.info(text.whereabouts.UNKNOWN.format(escaped(what)), icon=":material/search_off:")
    elif len(rows) == 1:
        show_one(answers.of(rows[0]), answers, context)
    elif rows:
        show_several(what, rows, answers, context)
    elif area:
        show_area(seen.once(("contents", area), lambda: answers.contents(area, SHOWN)), context)
    else:
        _overview(answers, context)
        found = seen.once(
            "replenish", lambda: shortages(context.scenario.plan, answers.known, answers.chances)
        )
        show_replenish(found, context)


def _overview(answers: Answers, context: Context) -> None:
    spread = answers.spread()
    if not spread:
        st.info(text.whereabouts.NOBODY_HEARD, icon=":material/sensors_off:")
        return
    st.subheader(text.whereabouts.OVERVIEW, anchor=False)
    st.caption(text.whereabouts.OVERVIEW_HINT)
    rows = [(place_title(name, context), chances.about(number)) for name, number in spread.items()]
    st.markdown(chances.table((text.whereabouts.PLACE, text.whereabouts.NUMBER), rows))


def _map(rows: list[int], area: str, seen: WhereData, context: Context) -> None:
    """How likely one thing is where; how many of several, and of all, beside the place with the most."""
    plan, answers = context.scenario.plan, seen.answers
    if answers is None:
        return
    spread = answers.spread(rows) if rows else answers.spread()
    one = len(rows) == 1
    most = 1.0 if one else max((spread.get(each.name, 0.0) for each in plan.areas), default=0.0)
    shades = {
        each.name: Shade(
            spread.get(each.name, 0.0) / max(most, 1e-9),
            _on_map(spread.get(each.name, 0.0), one),
            each.name == area,
        )
        for each in plan.areas
    }
    label = text.whereabouts.MAP if one else text.whereabouts.MAP_ALL
    clicked = graph.choose(floor.shaded(plan, shades, label), "whereabouts map", _HEIGHT, plan.areas)
    if clicked:
        st.session_state["clicked"] = clicked
        st.rerun()


def _on_map(number: float, one: bool) -> str:
    if number < (0.005 if one else 0.5):
        return ""
    return chances.percent(number) if one else chances.about(number)


def _age(seen: WhereData, answers: Answers, context: Context) -> None:
    old = seen.at_ms - seen.written_ms
    told = text.whereabouts.AS_OF.format(times.clock(answers.now_ms, context.zone))
    if old > _OLD_MS:
        st.warning(text.whereabouts.OLD.format(times.ago(seen.written_ms, seen.at_ms)))
    st.caption(told)

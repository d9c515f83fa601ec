"""Demo of a home: how right the belief about everybody is, beside what really is."""

from __future__ import annotations

import streamlit as st

from app.place.floor_plan import OUTSIDE
from dashboard.context import Context, area_title, current_context
from dashboard.facts.belief_score import BeliefScore, judge_of
from dashboard.facts.residents import residents_of
from dashboard.facts.where_data import newest_where
from dashboard.failures import shows_failures
from dashboard.words import chances, text
from dashboard.words.escape import escaped

BELIEF_REFRESH_S = 2.0


@st.fragment(run_every=BELIEF_REFRESH_S)
@shows_failures
def show_belief() -> None:
    """Nothing where nobody is followed, or nobody says what is true."""
    context = current_context()
    if context.scenario.household is None or context.truth is None:
        return
    st.subheader(text.demo.BELIEF, anchor=False)
    answers = newest_where(context).answers
    true = context.truth.places_at(answers.now_ms) if answers else {}
    if answers is None or not true:
        st.info(text.demo.NO_BELIEF, icon=":material/hourglass_empty:")
        return
    everybody = residents_of(context, answers)
    judge = judge_of(context)
    judge.look(answers.now_ms, {one.id: one.chances for one in everybody}, true)
    rows = [
        (
            one.name,
            _title(context, one.place[0]),
            chances.percent(one.place[1]),
            _title(context, true.get(one.id, "")),
        )
        for one in everybody
    ]
    st.markdown(chances.table(text.demo.BELIEF_HEADINGS, rows))
    st.caption(escaped(_told(judge.score)))


def _title(context: Context, place: str) -> str:
    return text.display.OUT if place == OUTSIDE else area_title(context, place) or text.terms.UNKNOWN_FIGURE


def _told(score: BeliefScore) -> str:
    if not score.looks:
        return text.demo.NO_LOOKS
    sure = (
        text.demo.BELIEF_SURE.format(f"{score.sure_right / score.sure:.1%}", score.sure) if score.sure else ""
    )
    right, held = f"{score.right / score.looks:.1%}", f"{score.held / score.looks:.0%}"
    return " ".join(filter(None, [text.demo.BELIEF_SCORE.format(right, score.looks, held), sure]))

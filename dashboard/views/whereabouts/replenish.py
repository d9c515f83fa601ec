"""The replenishment list: what is running out on its shelf, and what to carry from where."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.whereabouts.replenish import Shortage
from dashboard.context import Context, area_title
from dashboard.words import chances, text

SHOWN = 20


def show_replenish(found: Sequence[Shortage], context: Context) -> None:
    st.subheader(text.whereabouts.REPLENISH, anchor=False)
    if not found:
        st.markdown(text.whereabouts.REPLENISH_NOTHING)
        return
    st.caption(text.whereabouts.REPLENISH_WORDS)
    headings = (
        text.whereabouts.THING,
        text.whereabouts.PLACE,
        text.whereabouts.ON_SHELF,
        text.whereabouts.CARRY,
    )
    st.markdown(chances.table(headings, [_row(one, context) for one in found[:SHOWN]]))
    if len(found) > SHOWN:
        st.caption(text.whereabouts.AND_MORE.format(f"{len(found) - SHOWN:,}"))


def _row(one: Shortage, context: Context) -> tuple[str, str, str, str]:
    carry = [
        text.whereabouts.CARRY_FROM.format(
            place=area_title(context, source.area),
            number=chances.between(source.number.low, source.number.high),
        )
        for source in one.sources
    ]
    there = chances.between(one.there.low, one.there.high)
    return (
        one.title,
        area_title(context, one.home),
        text.whereabouts.OF.format(there, one.belongs),
        ", ".join(carry) or text.terms.UNKNOWN_FIGURE,
    )

"""What is probably in one area, how many of each, and what belongs there and is not."""

from __future__ import annotations

import streamlit as st

from app.whereabouts.answers import Contents, Whereabout
from dashboard.context import Context, area_title
from dashboard.views.whereabouts.thing import place_title, thing
from dashboard.words import chances, text
from dashboard.words.escape import escaped

SHOWN = 20


def show_area(found: Contents, context: Context) -> None:
    st.subheader(escaped(area_title(context, found.area)), anchor=False)
    if found.number.high == 0 and not found.amounts:
        st.info(text.whereabouts.NOTHING_THERE, icon=":material/check_box_outline_blank:")
    else:
        _there(found)
    _missing(found, context)


def _there(found: Contents) -> None:
    number = found.number
    expected = chances.about(number.expected)
    words = text.whereabouts.IN_AREA.format(
        number=chances.between(number.low, number.high), expected=expected
    )
    st.markdown(escaped(words))
    rows = [(one.title, chances.between(one.number.low, one.number.high)) for one in found.amounts[:SHOWN]]
    st.markdown(chances.table((text.whereabouts.THING, text.whereabouts.NUMBER), rows))
    _more(found.titles)


def _missing(found: Contents, context: Context) -> None:
    if not found.absent:
        st.markdown(text.whereabouts.NOTHING_MISSING)
        return
    st.markdown(f"**{escaped(text.whereabouts.MISSING.format(f'{found.absent:,}'))}**")
    rows = [_elsewhere(each, context) for each in found.missing[:SHOWN]]
    st.markdown(
        chances.table((text.whereabouts.THING, text.whereabouts.PLACE, text.whereabouts.CHANCE), rows)
    )
    _more(found.absent)


def _elsewhere(each: Whereabout, context: Context) -> tuple[str, str, str]:
    if not each.places:
        return thing(each), text.terms.UNKNOWN_FIGURE, ""
    likeliest = each.places[0]
    return thing(each), place_title(likeliest.name, context), chances.percent(likeliest.chance)


def _more(of: int) -> None:
    if of > SHOWN:
        st.caption(text.whereabouts.AND_MORE.format(f"{of - SHOWN:,}"))

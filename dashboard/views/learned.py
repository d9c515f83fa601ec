"""What a place has taught so far about how its readers hear, for Health."""

from __future__ import annotations

import streamlit as st

from dashboard.context import Context
from dashboard.facts.where_data import newest_where
from dashboard.words import text, times
from dashboard.words.escape import escaped


def show_learned(context: Context) -> None:
    """Nothing where whereabouts are not followed."""
    known = newest_where(context)
    if known.answers is None or not known.answers.began_ms:
        return
    st.subheader(text.health.LEARNED_TITLE, anchor=False)
    watched = times.duration(known.answers.now_ms - known.answers.began_ms)
    by_itself = text.health.LEARNED_BY_ITSELF.format(watched)
    st.caption(text.health.LEARNED_VERSION.format(known.version) if known.version else by_itself)
    told = known.found or (text.health.LEARNED_NOTHING,)
    st.markdown("\n".join(f"- {escaped(words)}" for words in told))

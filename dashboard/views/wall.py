"""Wall mode: the live page for a screen that nobody touches."""

from __future__ import annotations

import streamlit as st

from dashboard import links, style
from dashboard.context import current_context
from dashboard.views import live
from dashboard.words import text
from dashboard.words.escape import escaped


def show() -> None:
    style.apply_wall()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(escaped(current_context().scenario.title), anchor=False, width="stretch")
        links.link("live", text.live.LEAVE_WALL, ":material/close_fullscreen:")
    live.tick(live.WALL)

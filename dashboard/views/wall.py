"""Wall mode: the live page for a screen that nobody touches."""

from __future__ import annotations

import streamlit as st

from dashboard import context as places
from dashboard import links, style
from dashboard.views import live
from dashboard.words import text
from dashboard.words.escape import plain


def show() -> None:
    style.apply_wall()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(plain(places.current().scenario.title), anchor=False, width="stretch")
        links.link("live", text.live.LEAVE_WALL, ":material/close_fullscreen:")
    live.tick(live.WALL)

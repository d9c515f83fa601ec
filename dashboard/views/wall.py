"""Wall mode: the live page for a screen that nobody touches."""

from __future__ import annotations

import streamlit as st

from dashboard import links, style, text
from dashboard import place as places
from dashboard.plain import plain
from dashboard.views import live


def show() -> None:
    style.apply_wall()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(plain(places.current().scenario.title), anchor=False, width="stretch")
        links.link("live", text.LEAVE_WALL, ":material/close_fullscreen:")
    live.tick(live.WALL)

"""Ways from one page to another: the navigation of this run, and the address of an alert."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

_KEY = "pages"


def remember(pages: Mapping[str, Any]) -> None:
    st.session_state[_KEY] = dict(pages)


def link(page: str, label: str, icon: str, **query: str) -> None:
    """Followed by the browser itself. The server must not switch pages: the old page may still be ticking."""
    known = st.session_state.get(_KEY, {})
    if page in known:
        st.page_link(known[page], label=label, icon=icon, query_params=query)

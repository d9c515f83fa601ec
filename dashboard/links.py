"""Ways from one page to another: the navigation of this run, and the address of an alert."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import streamlit as st

_KEY = "pages"


def remember(pages: Mapping[str, Any]) -> None:
    st.session_state[_KEY] = dict(pages)


def go(page: str, **query: str) -> NoReturn:
    st.switch_page(st.session_state[_KEY][page], query_params=query)


def link(page: str, label: str, icon: str) -> None:
    known = st.session_state.get(_KEY, {})
    if page in known:
        st.page_link(known[page], label=label, icon=icon)

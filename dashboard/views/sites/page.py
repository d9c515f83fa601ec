"""Sites: how they stand, their alerts, their figures and their detectors, across those of the account."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.sign_in import session
from dashboard.views.sites import alerts, detectors, figures, overview
from dashboard.words import text

# Address, and the least role that finds it.
_PARTS: dict[str, tuple[Callable[[], None], str]] = {
    "overview": (overview.show, "viewer"),
    "alerts": (alerts.show, "viewer"),
    "report": (figures.show, "viewer"),
    "detectors": (detectors.show, "manager"),
}


def show() -> None:
    st.title(text.sites.TITLE, anchor=False)
    offered = [name for name, (_, role) in _PARTS.items() if session.may(role)]
    wanted = st.query_params.get("part")
    chosen = st.segmented_control(
        text.sites.PART,
        offered,
        format_func=text.sites.PARTS.__getitem__,
        default=wanted if wanted in offered else offered[0],
        required=True,
        key="part",
        label_visibility="collapsed",
    )
    st.query_params["part"] = chosen or offered[0]
    _PARTS[chosen or offered[0]][0]()

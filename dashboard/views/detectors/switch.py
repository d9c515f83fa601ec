"""A detector on or off: switching off asks why and for how long, because others rely on it."""

from __future__ import annotations

import streamlit as st

from app import store
from app.store import Switch
from dashboard.context import Context
from dashboard.sign_in import session
from dashboard.views.notices import switched_off
from dashboard.words import text
from dashboard.words.escape import escaped
from detectors.detector import Detector

_MINUTE_MS = 60_000


def show_switch(detector: Detector, switch: Switch, context: Context) -> None:
    if switch.enabled:
        _switch_off(detector, switch, context)
    elif st.button(text.detectors.SWITCH_ON, icon=":material/toggle_on:", type="primary"):
        now = context.now_ms()
        store.switch(context.store, session.actor(), switch.scenario, detector.name, now_ms=now, enabled=True)
        st.rerun()


def show_off(detector: Detector, switch: Switch, context: Context) -> None:
    """Who has switched it off, since when, why and until when."""
    if switch.enabled:
        return
    for one in store.switched_off(context.store, switch.scenario):
        if one.detector == detector.name:
            st.warning(escaped(switched_off(one, context)), icon=":material/toggle_off:")


def _switch_off(detector: Detector, switch: Switch, context: Context) -> None:
    # The revision in the key: after a change by somebody else the form begins anew.
    with (
        st.popover(text.detectors.SWITCH_OFF, icon=":material/toggle_off:"),
        st.form(f"off-{detector.name}-{switch.revision}", border=False),
    ):
        reason = st.text_input(text.detectors.WHY_OFF, max_chars=200, help=text.detectors.WHY_OFF_HINT)
        lengths = text.detectors.HOW_LONGS
        minutes = st.selectbox(
            text.detectors.HOW_LONG, list(lengths), index=1, format_func=lengths.__getitem__
        )
        if not st.form_submit_button(text.detectors.SWITCH_OFF, type="primary"):
            return
        if not reason.strip():
            st.error(text.detectors.SAY_WHY)
            return
    now = context.now_ms()
    until = now + minutes * _MINUTE_MS if minutes else None
    store.switch(
        context.store,
        session.actor(),
        switch.scenario,
        detector.name,
        now_ms=now,
        enabled=False,
        reason=reason,
        until_ms=until,
    )
    st.rerun()

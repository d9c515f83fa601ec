"""What can never happen in the place, as far as it concerns a detector, and what work that spares it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app import store
from app.place.declared_constraints import constraints_about, spared_by
from app.store import Switch
from dashboard.context import Context
from dashboard.words import text
from detectors.detector import Detector


def show_constraints(detector: Detector, switch: Switch, context: Context) -> None:
    scenario = context.scenario
    found = constraints_about(scenario.constraints, detector)
    if not found:
        return
    with st.expander(text.detectors.CONSTRAINTS, icon=":material/block:"):
        st.caption(text.detectors.CONSTRAINTS_BROKEN if detector.breaks else text.detectors.CONSTRAINTS_HELP)
        st.code("\n".join(found), language=None, wrap_lines=True)
        if detector.breaks:
            st.caption(text.detectors.CONSTRAINTS_REMEMBERED)
            _figures(detector, context, text.detectors.FIGURES_OF_BREACHES)
            return
        spared = spared_by(scenario.constraints, scenario.plan, detector, switch.parameters)
        st.caption(text.detectors.CONSTRAINTS_SPARE if spared else text.detectors.CONSTRAINTS_SPARE_NOTHING)
        if spared:
            st.code("\n".join(spared), language=None, wrap_lines=True)
            _figures(detector, context, text.detectors.FIGURES_OF_SPARED)


def _figures(detector: Detector, context: Context, shown: Mapping[str, tuple[str, str]]) -> None:
    """What the running pipeline has counted."""
    counted = store.spared(context.store, detector.name)
    for column, (name, (title, meaning)) in zip(st.columns(len(shown)), shown.items(), strict=True):
        column.metric(title, f"{getattr(counted, name):,}", border=True, help=meaning)

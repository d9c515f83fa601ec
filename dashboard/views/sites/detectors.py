"""Detectors of several sites: how one stands where, and a change of it for one, for some or for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

import detectors
from app import store
from app.store import SiteSwitchChange, Switch
from dashboard.context import current_context
from dashboard.sign_in import session
from dashboard.views.detectors.parameters import sliders
from dashboard.views.sites.chosen import titles
from dashboard.views.sites.rows import table, way
from dashboard.words import severity, text, times
from dashboard.words.escape import escaped
from detectors.detector import Detector

_HISTORY_ROWS = 30
_MINUTE_MS = 60_000


def show() -> None:
    called, known = titles(), detectors.load()
    standing: dict[str, dict[str, Switch]] = {}
    for one in store.switches_of_sites(current_context().store, session.account()):
        if one.switch.detector in known:
            standing.setdefault(one.switch.detector, {})[one.site] = one.switch
    if not standing:
        st.info(text.sites.NO_DETECTORS, icon=":material/toggle_off:")
        return
    name = st.selectbox(
        text.terms.DETECTOR,
        sorted(standing, key=lambda one: known[one].title),
        format_func=lambda one: f"{severity.look(known[one].severity).sign} {known[one].title}",
        key="which",
        bind="query-params",
    )
    detector, switches = known[name], standing[name]
    st.markdown(escaped(detector.summary))
    rows = [_row(site, switches[site], detector, called) for site in sorted(switches, key=called.__getitem__)]
    st.html(table(text.sites.SWITCH_HEADINGS, rows))
    _changes(detector, switches, called)
    _history(name, called)


def _row(site: str, switch: Switch, detector: Detector, called: Mapping[str, str]) -> tuple[str, ...]:
    on = text.detectors.ON if switch.enabled else text.detectors.OFF
    values = [f"{one.label}: {one.shown(value)}" for one, value in _set_otherwise(detector, switch)]
    return way(site, called[site]), escape(on), "<br>".join(map(escape, values)), escape(switch.reason)


def _set_otherwise(detector: Detector, switch: Switch) -> list[tuple[Any, Any]]:
    """The parameters that do not have their default."""
    values = detector.still_valid(switch.parameters)
    return [(one, values[name]) for name, one in detector.parameters.items() if values[name] != one.default]


def _changes(detector: Detector, switches: Mapping[str, Switch], called: Mapping[str, str]) -> None:
    st.subheader(text.sites.CHANGE, anchor=False)
    offered = sorted(switches, key=called.__getitem__)
    sites = st.multiselect(
        text.sites.CHANGE_AT,
        offered,
        format_func=called.__getitem__,
        key=f"change-{detector.name}",
        placeholder=text.sites.CHOOSE,
        help=text.sites.CHANGE_HELP,
    )
    with st.container(horizontal=True):
        if st.button(text.sites.SWITCH_ON, icon=":material/toggle_on:", disabled=not sites):
            _change(detector, sites, enabled=True)
        _switch_off(detector, sites)
        if detector.parameters:
            _set_values(detector, sites, switches)


def _switch_off(detector: Detector, sites: Sequence[str]) -> None:
    with (
        st.popover(text.sites.SWITCH_OFF, icon=":material/toggle_off:", disabled=not sites),
        st.form(f"off-{detector.name}", border=False),
    ):
        reason = st.text_input(text.detectors.WHY_OFF, max_chars=200, help=text.detectors.WHY_OFF_HINT)
        lengths = text.detectors.HOW_LONGS
        minutes = st.selectbox(
            text.detectors.HOW_LONG, list(lengths), index=1, format_func=lengths.__getitem__
        )
        if not st.form_submit_button(text.sites.SWITCH_OFF, type="primary"):
            return
        if not reason.strip():
            st.error(text.detectors.SAY_WHY)
            return
    until = current_context().now_ms() + minutes * _MINUTE_MS if minutes else None
    _change(detector, sites, enabled=False, reason=reason, until_ms=until)


def _set_values(detector: Detector, sites: Sequence[str], switches: Mapping[str, Switch]) -> None:
    """They begin where the first of the chosen sites stands."""
    with (
        st.popover(text.sites.SET_PARAMETERS, icon=":material/tune:", disabled=not sites),
        st.form(f"values-{detector.name}-{'-'.join(sites[:1])}", border=False),
    ):
        chosen = sliders(detector, switches[sites[0]].parameters if sites else {})
        if not st.form_submit_button(text.detectors.APPLY, type="primary"):
            return
    _change(detector, sites, parameters=detector.values(chosen))


def _change(detector: Detector, sites: Sequence[str], **changed: Any) -> None:
    context = current_context()
    actor, now = session.actor(), context.now_ms()
    store.switch_sites(context.store, actor, sites, detector.name, now_ms=now, **changed)
    st.rerun()


def _history(name: str, called: Mapping[str, str]) -> None:
    st.subheader(text.terms.HISTORY, anchor=False)
    found = store.switch_history_of_sites(
        current_context().store, session.account(), name, limit=_HISTORY_ROWS
    )
    changes = [one for one in found if one.change.revision]
    if changes:
        st.html(table(text.sites.HISTORY_HEADINGS, [_line(one, called) for one in changes]))
    else:
        st.caption(text.detectors.NO_CHANGES)


def _line(one: SiteSwitchChange, called: Mapping[str, str]) -> tuple[str, ...]:
    change = one.change
    detector = detectors.load()[change.detector]
    on = text.detectors.ON if change.enabled else text.detectors.OFF
    switch = Switch(change.scenario, change.detector, change.enabled, change.parameters)
    values = [f"{known.label}: {known.shown(value)}" for known, value in _set_otherwise(detector, switch)]
    reason = [text.detectors.BECAUSE.format(change.reason)] if change.reason else []
    actor = text.detectors.ITSELF if change.actor == "pipeline" else change.actor
    cells = (
        times.moment(change.at_ms, current_context().zone),
        called.get(one.site, one.site),
        actor,
        text.alert.BESIDE.join([on, *values, *reason]),
    )
    return tuple(map(escape, cells))

"""Detectors: what is watched for, on or off, with its parameters, its record and its history; for admins."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

import detectors
from app import store
from app.store import Record, Switch, SwitchChange
from dashboard.components import query
from dashboard.context import Context, current_context
from dashboard.failures import shows_failures
from dashboard.pictures import plan_picture
from dashboard.sign_in import session
from dashboard.views.detectors import preview
from dashboard.views.detectors.constraints import show_constraints
from dashboard.views.detectors.parameters import sliders
from dashboard.views.detectors.switch import show_off, show_switch
from dashboard.words import chances, severity, text, times
from dashboard.words.escape import escaped
from detectors import library
from detectors.detector import Detector

REFRESH_S = 2.0
_HISTORY_ROWS = 10
_DAY_MS = 86_400_000


def show() -> None:
    context = current_context()
    st.title(text.detectors.TITLE, anchor=False)
    st.caption(escaped(text.detectors.DETECTORS_OF.format(context.scenario.title)))
    known = detectors.load()
    found = sorted(_switches(context).items(), key=lambda pair: (not pair[1].enabled, pair[0]))
    switches = {name: one for name, one in found if name in known}
    if not switches:
        st.info(text.detectors.NO_DETECTORS, icon=":material/toggle_off:")
        return
    left, right = st.columns([1, 3], gap="large")
    with left:
        offered = _offered(known, switches, context)
        name = st.radio(
            text.terms.DETECTOR,
            offered,
            # On and off stand below: a label that changes with the switch would lose the choice.
            format_func=lambda one: _entry(known[one]),
            captions=[text.detectors.ON if switches[one].enabled else text.detectors.OFF for one in offered],
            index=offered.index(wanted) if (wanted := st.query_params.get("which")) in offered else 0,
            key="which",
        )
        st.query_params["which"] = name
    with right:
        _card(known[name], switches[name], context)


def _switches(context: Context) -> dict[str, Switch]:
    """As the store has them; before the first start, as the scenario's file has them."""
    found = store.switches(context.store, context.scenario.name)
    defaults = context.scenario.detectors.items()
    return found or {
        name: Switch(context.scenario.name, name, True, dict(values)) for name, values in defaults
    }


def _offered(known: dict[str, Detector], switches: dict[str, Switch], context: Context) -> list[str]:
    """Those made for a place like this one or switched on here; the others when asked for."""
    groups = {known[name].group for name in context.scenario.detectors if name in known}
    ours = library.of_site()
    fitting = [
        name for name, one in switches.items() if one.enabled or known[name].group in groups or name in ours
    ]
    others = len(switches) - len(fitting)
    if others and st.toggle(text.detectors.OTHER_DETECTORS.format(others), key="other detectors"):
        return list(switches)
    return fitting


def _entry(detector: Detector) -> str:
    return f"{severity.look(detector.severity).sign} {escaped(detector.title)}"


def _card(detector: Detector, switch: Switch, context: Context) -> None:
    # In line with the title: below words of changing length the button moves away from under a click.
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(escaped(detector.title), anchor=False, width="stretch")
        show_switch(detector, switch, context)
    show_off(detector, switch, context)
    st.markdown(f"**{severity.badge(detector.severity)}** · {escaped(detector.summary)}")
    _record(detector.name, context)
    st.subheader(text.terms.PARAMETERS, anchor=False)
    _parameters(detector, switch, context)
    preview.show_preview(detector)
    with st.expander(text.detectors.BLIND_SPOTS, icon=":material/visibility_off:"):
        st.markdown(escaped(detector.blind_spots))
    with st.expander(text.terms.QUERY, icon=":material/code:", expanded=True):
        query.show(detector.query, key=f"query-{detector.name}")
    show_constraints(detector, switch, context)
    if detector.breaks is None:  # else it is followed by its constraints, and the query has no plan at work
        _plan(detector, switch)
    _history(detector.name)


def _record(detector: str, context: Context) -> None:
    """How often it fired, lately too, and how often that was false."""
    yesterday = context.now_ms() - _DAY_MS
    ever, lately = (store.records(context.store, context.scenario.name, since) for since in (0, yesterday))
    record, recent = (found.get(detector, Record(detector, 0, 0, 0)) for found in (ever, lately))
    counted = text.report.FALSE_OF.format(f"{record.false:,}", f"{record.resolved:,}")
    share = counted if record.resolved else text.terms.UNKNOWN_FIGURE
    with st.container(key="figures"):
        first, second, third, fourth = st.columns(4)
    first.metric(text.detectors.FIRED, f"{record.fired:,}", border=True)
    second.metric(text.detectors.FIRED_LATELY, f"{recent.fired:,}", border=True)
    third.metric(text.detectors.RESOLVED, f"{record.resolved:,}", border=True)
    fourth.metric(
        text.detectors.FALSE_SHARE,
        share,
        border=True,
        help=text.detectors.FALSE_HELP.format(f"{record.false:,}"),
    )


def _parameters(detector: Detector, switch: Switch, context: Context) -> None:
    if not detector.parameters:
        st.caption(text.detectors.NO_PARAMETERS)
        return
    with st.form(f"parameters-{detector.name}-{switch.revision}"):
        chosen = sliders(detector, switch.parameters)
        with st.container(horizontal=True):
            apply = st.form_submit_button(text.detectors.APPLY, type="primary")
            known = context.log is not None and context.path is not None
            if known and st.form_submit_button(text.detectors.TRY, help=text.detectors.TRY_HELP):
                preview.ask(detector, switch, detector.values(chosen), context)
        if apply:
            values = detector.values(chosen)
            now = context.now_ms()
            store.switch(
                context.store, session.actor(), switch.scenario, detector.name, now_ms=now, parameters=values
            )
            st.rerun()


def _plan(detector: Detector, switch: Switch) -> None:
    with st.expander(text.detectors.PLAN, icon=":material/account_tree:"):
        explained = plan_picture.spelled(detector.compile(switch.parameters).explain())
        with st.container(key="plan-picture"):  # wider than the page it scrolls: its words keep their size
            drawn = plan_picture.dot(detector.tree(), explained)
            st.graphviz_chart(drawn, width="content", alt=text.detectors.PLAN)
        st.markdown(chances.table(text.detectors.PLAN_PARTS, plan_picture.parts(explained)))
        st.code(explained, language=None, wrap_lines=True)


@st.fragment(run_every=REFRESH_S)
@shows_failures
def _history(name: str) -> None:
    """Refreshes by itself, so that the moment shows at which the pipeline has followed."""
    context = current_context()
    st.subheader(text.terms.HISTORY, anchor=False)
    changes = store.switch_history(context.store, context.scenario.name, name, limit=_HISTORY_ROWS)
    if not changes:
        st.caption(text.detectors.NO_CHANGES)
    for change in changes:
        line, button = st.columns([6, 1], vertical_alignment="center")
        line.markdown(_line(change, context))
        if change.revision and button.button(text.detectors.UNDO, key=f"undo-{name}-{change.revision}"):
            now = context.now_ms()
            store.undo(context.store, session.actor(), change.scenario, name, change.revision, now_ms=now)
            st.rerun()


def _line(change: SwitchChange, context: Context) -> str:
    at = times.moment(change.at_ms, context.zone)
    state = text.detectors.ON if change.enabled else text.detectors.OFF
    values = [_setting(change.detector, key, value) for key, value in change.parameters.items()]
    undone = [text.detectors.UNDOES.format(change.undoes)] if change.undoes else []
    actor = text.detectors.ITSELF if change.actor == "pipeline" else change.actor
    words = " · ".join([f"{change.revision}. {at}", actor, state, *_off(change, context), *values, *undone])
    return f"{escaped(words)}  \n{_followed(change)}"


def _off(change: SwitchChange, context: Context) -> Iterator[str]:
    """Until when and why, of one that was switched off."""
    if change.until_ms is not None:
        yield text.detectors.UNTIL.format(times.moment(change.until_ms, context.zone))
    if change.reason:
        yield text.detectors.BECAUSE.format(change.reason)


def _followed(change: SwitchChange) -> str:
    """When the running pipeline took the change over."""
    if change.revision == 0:
        return text.detectors.FROM_FILE
    if change.applied_ms is None:
        return text.detectors.NOT_APPLIED
    return text.detectors.APPLIED.format(times.duration(change.applied_ms - change.at_ms))


def _setting(detector: str, parameter: str, value: object) -> str:
    known = detectors.load()[detector].parameters.get(parameter)
    if known is None or not isinstance(value, str | int | float):
        return text.detectors.SETTING.format(parameter, value)
    return text.detectors.SETTING.format(known.label, known.shown(value))

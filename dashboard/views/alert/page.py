"""Alert: why one alert fired, in words and pictures, and what can be done about it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from app import store
from app.store import Alert, AlertIncident, Step
from dashboard import links
from dashboard.components import steps
from dashboard.context import Context, area_title, current_context, subject_name
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views.alert.actions import show_actions
from dashboard.views.alert.evidence import show_evidence, show_query
from dashboard.views.alert.replay import show_replay
from dashboard.words import incidents, severity, text, times
from dashboard.words.escape import escaped

REFRESH_S = 2.0
_MOST_MEMBERS = 20
_STATE_COLOURS = {"new": "red", "taken": "blue", "resolved": "green"}


def show() -> None:
    context = current_context()
    found = store.find_alert(context.store, st.query_params.get("id", ""))
    if found is None:
        st.title(text.alert.TITLE, anchor=False)
        st.info(text.alert.NO_SUCH_ALERT, icon=":material/search_off:")
        links.link("alerts", text.alert.ALL_ALERTS, ":material/arrow_back:")
        return
    steps.show(found.id, key="steps")
    _head(found, context)
    with st.container(key="actions"):
        show_actions(found, context)
    _advice(found)
    left, right = st.columns([5, 2], gap="large")
    with left:
        show_evidence(found, context)
        show_replay(found, context)
        if session.may("admin"):
            show_query(found, context)
    with right:
        _life(found.id)
        _incident(found, context)
        _others(found, context)


def _head(alert: Alert, context: Context) -> None:
    about = incidents.about(alert, partial(subject_name, context))
    st.title(f"{severity.look(alert.severity).sign} {escaped(alert.title)}: {escaped(about)}", anchor=False)
    where = area_title(context, alert.area)
    when = times.moment(alert.occurred_ms, context.zone)
    st.caption(escaped(text.alert.ALERT_LINE.format(severity.look(alert.severity).name, where, when)))
    with st.container(key="explanation"):
        st.markdown(escaped(alert.told))


def _advice(alert: Alert) -> None:
    if alert.unproven:
        st.warning(text.alert.UNPROVEN, icon=":material/visibility_off:")
    if alert.advice:
        st.info(f"**{text.alert.WHAT_TO_DO}** {escaped(alert.advice)}", icon=":material/front_hand:")


@st.fragment(run_every=REFRESH_S)
@shows_failures
def _life(alert_id: str) -> None:
    """The state and the history refresh by themselves: a colleague may be quicker."""
    context = current_context()
    alert = store.find_alert(context.store, alert_id)
    if alert is None:
        return
    with st.container(horizontal=True):
        st.badge(text.terms.STATES[alert.state], color=_STATE_COLOURS[alert.state])  # type: ignore[arg-type]
        for words in _state_words(alert, context):
            st.badge(escaped(words), color="gray")
    st.subheader(text.terms.HISTORY, anchor=False)
    for step in reversed(store.alert_history(context.store, alert_id)):
        at = times.moment(step.at_ms, context.zone)
        done = escaped(text.alert.STEPS.get(step.action, step.action))
        who = text.alert.ITSELF if step.actor == "pipeline" else escaped(step.actor)
        st.markdown(f"**{done}** · {who} · {at}  \n{_details(step, context)}")


def _state_words(alert: Alert, context: Context) -> list[str]:
    words = []
    if alert.owner:
        words.append(text.terms.TAKEN_BY.format(alert.owner))
    if alert.snoozed_until_ms and alert.snoozed_until_ms > context.now_ms():
        words.append(text.alert.SNOOZED_UNTIL.format(times.clock(alert.snoozed_until_ms, context.zone)))
    if alert.resolution:
        words.append(
            text.alert.RESOLVED_AS.format(text.terms.OUTCOMES.get(alert.resolution, alert.resolution))
        )
    return words


def _details(step: Step, context: Context) -> str:
    parts = []
    for name, value in step.detail.items():
        shown = value["to"] if isinstance(value, dict) and "to" in value else value
        if name == "snoozed_until_ms" and shown:
            shown = times.moment(int(shown), context.zone)
        if name == "resolution":
            shown = text.terms.OUTCOMES.get(str(shown), shown)
        itself = name == "state" or (name == "owner" and shown == step.actor)
        if shown and not itself:
            parts.append(f"{text.alert.DETAILS.get(name, escaped(name))}: {escaped(shown)}")
    return " · ".join(parts)


def _incident(alert: Alert, context: Context) -> None:
    """The other alerts of the same doing."""
    others = [one for one in store.incident_of(context.store, alert).members if one.id != alert.id]
    if others:
        st.subheader(text.incidents.MEMBERS, anchor=False)
        whole = AlertIncident(alert.incident, (alert, *others))
        told = escaped(incidents.headline(whole, partial(area_title, context)))
        st.markdown(text.incidents.PART_OF.format(len(others) + 1, told))
    for other in others[:_MOST_MEMBERS]:
        about = escaped(incidents.about(other, partial(subject_name, context)))
        words = f"{escaped(other.title)}: {about} · {text.terms.STATES[other.state]}"
        links.link("alert", words, ":material/link:", id=other.id)
    if len(others) > _MOST_MEMBERS:
        st.caption(text.incidents.MORE.format(len(others) - _MOST_MEMBERS))


def _others(alert: Alert, context: Context) -> None:
    """Alerts about the same tag or person belong together."""
    found = store.same_subject(context.store, alert, limit=5)
    if found:
        st.subheader(text.alert.SAME_SUBJECT, anchor=False)
    for other in found:
        label = f"{escaped(other.title)} · {times.moment(other.occurred_ms, context.zone)}"
        links.link("alert", label, ":material/link:", id=other.id)

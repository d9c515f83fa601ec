"""Alert: why one alert fired, in words and pictures, and what can be done about it."""

from __future__ import annotations

import streamlit as st

from app import store as stores
from app.store import Alert, Step
from dashboard import context as places
from dashboard import links
from dashboard.context import Place, area_title
from dashboard.failures import honest
from dashboard.views.alert_actions import show_actions
from dashboard.views.alert_evidence import show_evidence
from dashboard.views.alert_replay import show_replay
from dashboard.words import severity, text, times
from dashboard.words.escape import plain

REFRESH_S = 2.0
_STATE_COLOURS = {"new": "red", "taken": "blue", "resolved": "green"}


def show() -> None:
    place = places.current()
    found = stores.find_alert(place.store, st.query_params.get("id", ""))
    if found is None:
        st.title(text.alert.TITLE, anchor=False)
        st.info(text.alert.NO_SUCH_ALERT, icon=":material/search_off:")
        links.link("alerts", text.alert.ALL_ALERTS, ":material/arrow_back:")
        return
    left, right = st.columns([5, 2], gap="large")
    with left:
        _head(found, place)
        show_evidence(found, place)
        show_replay(found, place)
    with right:
        show_actions(found, place)
        _life(found.id)
        _others(found, place)


def _head(alert: Alert, place: Place) -> None:
    st.title(
        f"{severity.look(alert.severity).sign} {plain(alert.title)}: {plain(alert.subject)}", anchor=False
    )
    where = area_title(place, alert.area)
    when = times.moment(alert.occurred_ms, place.zone)
    st.caption(plain(text.alert.ALERT_LINE.format(severity.look(alert.severity).name, where, when)))
    with st.container(key="explanation"):
        st.markdown(plain(alert.explanation))
    if alert.unproven:
        st.warning(text.alert.UNPROVEN, icon=":material/visibility_off:")
    if alert.advice:
        st.info(f"**{text.alert.WHAT_TO_DO}** {plain(alert.advice)}", icon=":material/front_hand:")


@st.fragment(run_every=REFRESH_S)
@honest
def _life(alert_id: str) -> None:
    """The state and the history refresh by themselves: a colleague may be quicker."""
    place = places.current()
    alert = stores.find_alert(place.store, alert_id)
    if alert is None:
        return
    with st.container(horizontal=True):
        st.badge(text.terms.STATES[alert.state], color=_STATE_COLOURS[alert.state])  # type: ignore[arg-type]
        for words in _state_words(alert, place):
            st.badge(plain(words), color="gray")
    st.subheader(text.terms.HISTORY, anchor=False)
    for step in reversed(stores.alert_history(place.store, alert_id)):
        at = times.moment(step.at_ms, place.zone)
        done = plain(text.alert.STEPS.get(step.action, step.action))
        who = text.alert.ITSELF if step.action == "raised" else plain(step.actor)
        st.markdown(f"**{done}** · {who} · {at}  \n{_details(step, place)}")


def _state_words(alert: Alert, place: Place) -> list[str]:
    words = []
    if alert.owner:
        words.append(text.terms.TAKEN_BY.format(alert.owner))
    if alert.snoozed_until_ms and alert.snoozed_until_ms > place.now_ms():
        words.append(text.alert.SNOOZED_UNTIL.format(times.clock(alert.snoozed_until_ms, place.zone)))
    if alert.resolution:
        words.append(
            text.alert.RESOLVED_AS.format(text.terms.OUTCOMES.get(alert.resolution, alert.resolution))
        )
    return words


def _details(step: Step, place: Place) -> str:
    parts = []
    for name, value in step.detail.items():
        shown = value["to"] if isinstance(value, dict) and "to" in value else value
        if name == "snoozed_until_ms" and shown:
            shown = times.moment(int(shown), place.zone)
        if name == "resolution":
            shown = text.terms.OUTCOMES.get(str(shown), shown)
        itself = name == "state" or (name == "owner" and shown == step.actor)
        if shown and not itself:
            parts.append(f"{text.alert.DETAILS.get(name, plain(name))}: {plain(shown)}")
    return " · ".join(parts)


def _others(alert: Alert, place: Place) -> None:
    """Alerts about the same tag or person belong together."""
    found = stores.same_subject(place.store, alert, limit=5)
    if found:
        st.subheader(text.alert.SAME_SUBJECT, anchor=False)
    for other in found:
        label = f"{plain(other.title)} · {times.moment(other.occurred_ms, place.zone)}"
        links.link("alert", label, ":material/link:", id=other.id)

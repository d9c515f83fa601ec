"""Why an alert fired: the query's clauses ticked against the events, the timeline, the path, raw readings."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import log, recording
from app import store as stores
from app.store import Absence, Alert, Clause, Seen
from dashboard import floor, text, timeline, times
from dashboard.components.graph import graph
from dashboard.place import Place
from dashboard.plain import plain


def show_evidence(alert: Alert, place: Place) -> None:
    st.subheader(text.WHY, anchor=False)
    for clause in alert.evidence.clauses:
        _clause(clause, alert, place)
    low, high = timeline.span(alert)
    silences = stores.silences_between(place.store, low, high)
    drawn = timeline.picture(alert, silences, place.zone)
    graph(drawn, key="timeline", height=timeline.height(drawn))
    _path(alert, place)
    _readings(alert, place)
    with st.expander(text.QUERY, icon=":material/code:"):
        st.code(alert.evidence.query, language="sql", wrap_lines=True)
        st.dataframe(
            [
                {text.PARAMETER: name, text.VALUE: str(value)}
                for name, value in alert.evidence.parameters.items()
            ],
            hide_index=True,
        )


def _clause(clause: Clause, alert: Alert, place: Place) -> None:
    icon = ":material/check_circle:" if clause.holds else ":material/help:"
    facts = [
        *(_event(seen, place) for seen in alert.evidence.events if seen.variable in clause.variables),
        *(_absent(one, place) for one in alert.evidence.absent if one.variable in clause.variables),
    ]
    lines = "".join(f"  \n&emsp;&emsp;{fact}" for fact in facts)
    st.markdown(f"{icon} **{plain(clause.text)}**{lines}")


def _event(seen: Seen, place: Place) -> str:
    name = seen.attributes.get("name") or seen.attributes.get("id") or ""
    words = text.EVENT_SEEN.format(seen.event, times.moment(seen.at_ms, place.zone), seen.area, name)
    return plain(words)


def _absent(absent: Absence, place: Place) -> str:
    words = text.ABSENT_FROM_TO.format(
        absent.event, times.moment(absent.from_ms, place.zone), times.moment(absent.until_ms, place.zone)
    )
    readers = [
        text.WATCH_ALIVE.format(one.reader)
        if one.alive
        else text.WATCH_SILENT.format(one.reader, times.stretch(one.silent_ms))
        for one in absent.readers
    ]
    return plain(" ".join([words, *readers]))


def _path(alert: Alert, place: Place) -> None:
    stops = [(seen.area, times.clock(seen.at_ms, place.zone)) for seen in alert.evidence.events if seen.area]
    if stops:
        st.subheader(text.PATH, anchor=False)
        plan = place.scenario.plan
        graph(floor.picture(plan, [floor.path(plan, stops)]), key="path", height=380)


def _readings(alert: Alert, place: Place) -> None:
    """Looking into the log costs some reads: only when asked."""
    if place.log is None or not st.toggle(text.SHOW_READINGS, key="raw"):
        return
    for seen in alert.evidence.events:
        st.markdown(f"**{_event(seen, place)}**")
        rows = _behind(place.log, seen)
        if rows:
            st.dataframe([_reading(row, place) for row in rows], hide_index=True, height="auto")
        else:
            st.caption(text.NO_READINGS)


def _behind(folder: Path, seen: Seen) -> list[dict[str, object]]:
    try:
        return recording.readings_behind(folder, seen)
    except log.LogError:
        return []


def _reading(row: dict[str, object], place: Place) -> dict[str, object]:
    at = times.local(int(str(row["ts"])), place.zone)
    return {
        text.TIME: at.strftime("%H:%M:%S.%f")[:-3],
        text.READER: row["reader"],
        text.ANTENNA: row["antenna"],
        text.TAG: row["tag"],
        text.STRENGTH: row["rssi"],
        text.POSITION: row["position"],
    }

"""Why an alert fired: the query's clauses ticked against the events, the timeline, the path, raw readings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

import detectors
from app import log, recording
from app import store as stores
from app.store import Absence, Alert, Clause, Seen
from dashboard import floor, text, timeline, times
from dashboard.components.graph import graph
from dashboard.components.query import show_query
from dashboard.place import Place, area_title
from dashboard.plain import plain


def show_evidence(alert: Alert, place: Place) -> None:
    st.subheader(text.WHY, anchor=False)
    with st.container(key="clauses"):
        for clause in alert.evidence.clauses:
            _clause(clause, alert, place)
    low, high = timeline.span(alert)
    silences = stores.silences_between(place.store, low, high)
    drawn = timeline.picture(alert, silences, place.zone)
    graph(drawn, key="timeline", height=timeline.height(drawn))
    _path(alert, place)
    _readings(alert, place)
    with st.expander(text.QUERY, icon=":material/code:"):
        show_query(alert.evidence.query, key="query")
        st.dataframe(
            [
                {text.PARAMETER: name, text.VALUE: value}
                for name, value in _parameters(alert.detector, alert.evidence.parameters)
            ],
            hide_index=True,
        )


def _parameters(detector: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """As the detectors' page names them; of a detector that is gone, as they were stored."""
    known = detectors.load()[detector].parameters if detector in detectors.load() else {}
    for name, value in values.items():
        yield (known[name].label, known[name].shown(value)) if name in known else (name, str(value))


def _clause(clause: Clause, alert: Alert, place: Place) -> None:
    icon = ":green[:material/check_circle:]" if clause.holds else ":orange[:material/help:]"
    facts = [
        *(_fact(seen, clause, place) for seen in alert.evidence.events if seen.variable in clause.variables),
        *(_absent(one, place) for one in alert.evidence.absent if one.variable in clause.variables),
    ]
    lines = "".join(f"\n- {fact}" for fact in facts)
    st.markdown(f"{icon} **{plain(clause.text)}**{lines}")


def _fact(seen: Seen, clause: Clause, place: Place) -> str:
    """An event where the clause asks for it; where it compares, the values that it compares."""
    words = set(re.findall(r"\w+", clause.text))
    values = [
        text.COMPARED.format(seen.variable, name, value)
        for name, value in seen.attributes.items()
        if name in words
    ]
    asked_for = seen.event in clause.text or not values
    return _event(seen, place) if asked_for else plain(text.AND_SO_ON.join(values))


def _event(seen: Seen, place: Place) -> str:
    name = seen.attributes.get("name") or seen.attributes.get("id") or ""
    where = area_title(place, seen.area)
    at = times.moment(seen.at_ms, place.zone)
    return plain(text.EVENT_SEEN.format(event=seen.event, time=at, area=where, name=name).rstrip(" :"))


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
        graph(floor.picture(plan, [floor.path(plan, stops)]), key="path", height="380px")


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

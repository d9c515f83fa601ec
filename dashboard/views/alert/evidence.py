"""Why an alert fired: the query's clauses ticked against the events, the timeline, the path, raw readings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import streamlit as st

import detectors
from app import log, store
from app.log import LogAddress
from app.log.by_time import readings_before
from app.store import Absence, Alert, Clause, Seen
from dashboard.components import graph, query
from dashboard.context import Context, area_title, reader_name
from dashboard.pictures import timeline
from dashboard.sign_in import session
from dashboard.words import text, times
from dashboard.words.clauses import Words, label
from dashboard.words.escape import escaped
from dashboard.words.events import happened, missing, sentence
from detectors.parameters import DetectorParameter

# `a.LEN` as a number, not as the last one's index in `a[a.LEN]`.
_LENGTH = re.compile(r"(?<!\[)\b\w+\.LEN\b")


def show_evidence(alert: Alert, context: Context) -> None:
    st.subheader(text.alert.WHY, anchor=False)
    shown = dict(_values(alert))
    words = Words(alert.evidence.query, shown)
    with st.container(key="clauses"):
        for clause in alert.evidence.clauses:
            _clause(clause, words, alert, context)
    low, high = timeline.span(alert)
    silences = store.silences_between(context.store, low, high)
    drawn = timeline.picture(alert, silences, context)
    graph.show(drawn, key="timeline", height=timeline.height(drawn))


def show_query(alert: Alert, context: Context) -> None:
    """What only those who write detectors read: raw readings, the query, its parameters."""
    shown = dict(_values(alert))
    _readings(alert, context)
    with st.expander(text.terms.QUERY, icon=":material/code:"):
        query.show(alert.evidence.query, key="query")
        if alert.evidence.parameters:
            names = _known(alert.detector)
            st.dataframe(
                [
                    {
                        text.alert.PARAMETER: names[name].label if name in names else name,
                        text.alert.VALUE: value,
                    }
                    for name, value in shown.items()
                ],
                hide_index=True,
                alt=text.terms.PARAMETERS,
            )


def _known(detector: str) -> Mapping[str, DetectorParameter]:
    found = detectors.load().get(detector)
    return found.parameters if found else {}


def _values(alert: Alert) -> Iterator[tuple[str, str]]:
    """The parameters as the detectors' page shows them; of a detector that is gone, as they were stored."""
    known = _known(alert.detector)
    for name, value in alert.evidence.parameters.items():
        yield name, known[name].shown(value) if name in known else str(value)


def _clause(clause: Clause, words: Words, alert: Alert, context: Context) -> None:
    """Ticked, in plain words; beside it for admins, small, as the query has it."""
    icon = ":green[:material/check_circle:]" if clause.holds else ":orange[:material/help:]"
    lines = "".join(f"\n- {escaped(fact)}" for fact in _counted(_facts(clause, alert, context), clause))
    said = words.say(clause.text)
    beside = said != clause.text and session.may("admin")
    written = f" :small[:gray[{escaped(clause.text)}]]" if beside else ""
    st.markdown(f"{icon} **{escaped(said)}**{written}{lines}")


def _counted(facts: Iterable[str], clause: Clause) -> list[str]:
    """What was the same is told once, with how often; where sameness is the point, without."""
    found = Counter(facts)
    alike = clause.text.startswith("[")
    return [
        fact if often == 1 or alike else text.alert.SO_OFTEN.format(fact, often)
        for fact, often in found.items()
    ]


def _facts(clause: Clause, alert: Alert, context: Context) -> Iterator[str]:
    seen = [one for one in alert.evidence.events if one.variable in clause.variables]
    if clause.text.startswith("WITHIN "):
        if len(seen) > 1:
            yield text.alert.TOOK.format(times.duration(seen[-1].at_ms - seen[0].at_ms))
        return
    if _LENGTH.search(clause.text):
        yield text.alert.THERE_WERE.format(len(seen))
        return
    yield from (_fact(one, clause, context) for one in seen)
    yield from (_absent(one, context) for one in alert.evidence.absent if one.variable in clause.variables)


def _fact(seen: Seen, clause: Clause, context: Context) -> str:
    """An event where the clause asks for it; where it compares, the values that it compares."""
    words = set(re.findall(r"\w+", clause.text))
    values = [
        text.alert.COMPARED.format(label(name), area_title(context, str(value)))
        for name, value in seen.attributes.items()
        if name in words
    ]
    if seen.event in clause.text or not values:
        return _event(seen, context)
    # Where all have the same there is one thing to say, else each has its moment.
    when = () if clause.text.startswith("[") else (times.clock(seen.at_ms, context.zone),)
    return sentence(text.alert.AND_SO_ON.join([*when, *values]))


def _event(seen: Seen, context: Context) -> str:
    parts = {
        "event": happened([seen.event]),
        "area": area_title(context, seen.area),
        "time": times.moment(seen.at_ms, context.zone),
        "name": str(seen.attributes.get("name") or seen.attributes.get("id") or ""),
    }
    return text.alert.EVENT_SEEN.format(**parts).replace(": , ", ": ").rstrip(" ,")


def _absent(absent: Absence, context: Context) -> str:
    told = missing(absent.event.split(" or "))
    words = text.pictures.ABSENT_FROM_TO.format(
        told, times.moment(absent.from_ms, context.zone), times.moment(absent.until_ms, context.zone)
    )
    readers = [
        text.alert.WATCH_ALIVE.format(reader_name(context, one.reader))
        if one.alive
        else text.alert.WATCH_SILENT.format(reader_name(context, one.reader), times.duration(one.silent_ms))
        for one in absent.readers
    ]
    return " ".join([words, *readers])


def _readings(alert: Alert, context: Context) -> None:
    """Looking into the log costs some reads: only when asked."""
    if context.log is None or not st.toggle(text.alert.SHOW_READINGS, key="raw"):
        return
    for seen in alert.evidence.events:
        st.markdown(f"**{escaped(_event(seen, context))}**")
        rows = _behind(context.log, seen)
        if rows:
            st.dataframe([_reading(row, context) for row in rows], hide_index=True, height="auto")
        else:
            st.caption(text.alert.NO_READINGS)


def _behind(where: LogAddress, seen: Seen) -> list[dict[str, object]]:
    try:
        return readings_before(where, str(seen.attributes.get("tag", "")), seen.reader, seen.at_ms)
    except log.LogError:
        return []


def _reading(row: dict[str, object], context: Context) -> dict[str, object]:
    at = times.local(int(str(row["ts"])), context.zone)
    return {
        text.terms.TIME: at.strftime("%H:%M:%S.%f")[:-3],
        text.terms.READER: row["reader"],
        text.alert.ANTENNA: row["antenna"],
        text.alert.TAG: row["tag"],
        text.alert.STRENGTH: row["rssi"],
        text.alert.POSITION: row["position"],
    }

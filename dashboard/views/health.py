"""Health: whether every part runs and how well, each figure with what is normal for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app import store
from app.running.status import GONE_MS
from app.store import Aside, PartState, Point, ReaderState
from dashboard.context import Context, area_title, current_context
from dashboard.facts import outage
from dashboard.failures import shows_failures
from dashboard.pictures import sparkline
from dashboard.sign_in import session
from dashboard.views.late_readings import clock_words, event_now_ms, show_late_readings
from dashboard.views.learned import show_learned
from dashboard.views.notices import show_switched_off
from dashboard.views.outages import show_outages
from dashboard.words import text, times

HEALTH_TICK_S = 2.0
SHOWN_MS = 10 * 60_000
_ASIDE_ROWS = 50
_ACROSS = 3


def show() -> None:
    st.title(text.health.TITLE, anchor=False)
    tick()
    _look_inside()


@st.fragment(run_every=HEALTH_TICK_S)
@shows_failures
def tick() -> None:
    context = current_context()
    now = context.now_ms()
    parts, readers = store.list_parts(context.store), store.list_readers(context.store)
    troubles = outage.outages(parts, readers, now, context.scenario.plan.without_sign())
    show_outages(troubles, context)
    off = store.switched_off(context.store, context.scenario.name)
    show_switched_off(off, context)
    show_late_readings(context, now)
    if parts and not troubles and not off:
        st.success(text.health.ALL_WELL, icon=":material/check_circle:")
    with st.container(key="gauges"):
        _totals(context)
        _figures(context, now)
    kinds = {one.name: one.kind for one in troubles if one.kind in text.health.PART_STATES}
    _parts(parts, kinds, context, now)
    _readers(readers, outage.is_deaf(troubles), context, event_now_ms(context, now))
    show_learned(context)


def _parts(parts: Sequence[PartState], troubles: Mapping[str, str], context: Context, now_ms: int) -> None:
    st.subheader(text.health.PARTS_TITLE, anchor=False)
    if not parts:
        st.caption(text.health.NO_PARTS)
        return
    rows = [
        {
            text.health.PART: text.terms.PARTS.get(one.name, one.name),
            text.terms.STATE: text.health.PART_STATES[troubles.get(one.name, "up")],
            text.health.SINCE: times.moment(one.since_ms, context.zone),
            text.health.LAST_SIGN: times.ago(one.beat_ms, now_ms),
            text.health.DETAIL: one.detail,
        }
        for one in parts
    ]
    st.dataframe(rows, hide_index=True, alt=text.health.PARTS_TITLE)


def _readers(readers: Sequence[ReaderState], deaf: bool, context: Context, now_ms: int) -> None:
    st.subheader(text.health.READERS, anchor=False)
    st.caption(text.health.READERS_NORMAL if readers else text.health.NO_READERS)
    if not readers:
        return
    st.dataframe(
        [_reader(one, deaf, context, now_ms) for one in readers],
        hide_index=True,
        height="content",
        alt=text.health.READERS,
        column_config={
            text.terms.STATE: st.column_config.TextColumn(width="medium"),
            text.health.READINGS: st.column_config.NumberColumn(format="localized"),
            text.health.LATE: st.column_config.NumberColumn(format="percent"),
        },
    )


def _totals(context: Context) -> None:
    totals = store.totals(context.store)
    for column, (name, (label, normal)) in zip(st.columns(_ACROSS), text.health.TOTALS.items(), strict=True):
        with column.container(border=True, height="stretch"):
            st.metric(label, f"{totals.get(name, 0):,}")
            st.caption(normal)


def _figures(context: Context, now_ms: int) -> None:
    """A small chart for each figure the pipeline reports; those it does not report are left out."""
    found = {name: store.series(context.store, name, now_ms - SHOWN_MS) for name in text.health.FIGURES}
    shown = [(name, points) for name, points in found.items() if points]
    if not shown:
        st.info(text.health.NO_FIGURES, icon=":material/hourglass_empty:")
    for start in range(0, len(shown), _ACROSS):
        for column, (name, points) in zip(st.columns(_ACROSS), shown[start : start + _ACROSS], strict=False):
            label, normal = text.health.FIGURES[name]
            with column.container(border=True, height="stretch"):
                st.metric(label, _latest(name, points[-1], now_ms))
                st.html(sparkline.svg(_thinned(points)))
                st.caption(normal)


def _latest(name: str, point: Point, now_ms: int) -> str:
    """Of the present only: the chart shows the past."""
    return _value(name, point.value) if now_ms - point.at_ms < GONE_MS else text.terms.UNKNOWN_FIGURE


def _thinned(points: Sequence[Point], most: int = 120) -> list[float]:
    step = max(1, len(points) // most)
    return [round(point.value, 1) for point in points[::step]]


def _value(name: str, value: float) -> str:
    if name.endswith("_ms"):
        return times.duration(value)
    return text.health.MEGABYTES.format(value / 1e6) if name.endswith("_bytes") else f"{value:,.0f}"


def _reader(reader: ReaderState, deaf: bool, context: Context, now_ms: int) -> dict[str, Any]:
    return {
        text.terms.READER: reader.reader,
        text.terms.AREA: area_title(context, reader.area),
        text.terms.STATE: _reader_state(reader, deaf, context),
        text.health.LAST_SIGN: times.ago(reader.last_seen_ms, now_ms)
        if reader.last_seen_ms
        else text.health.NEVER,
        text.health.READINGS: reader.readings,
        text.terms.READINGS_RATE: round(reader.per_second, 1),
        text.health.OVERFLOWS: reader.overflows,
        text.health.ANTENNA_FAULTS: reader.antenna_faults,
        text.health.CLOCK: clock_words(reader.offset_ms, reader.clock_jumps),
        text.health.LATE: reader.late_share,
    }


def _reader_state(reader: ReaderState, deaf: bool, context: Context) -> str:
    if reader.silent_since_ms and reader.reader in context.scenario.plan.without_sign():
        return text.health.NO_SIGN
    if reader.silent_since_ms:
        return text.health.SILENT_SINCE.format(times.clock(reader.silent_since_ms, context.zone))
    return text.health.NOT_KNOWN if deaf else text.health.PART_STATES["up"]


@shows_failures
def _look_inside() -> None:
    """What was set aside, on request: payloads are shown as text, whatever they hold."""
    context = current_context()
    st.subheader(text.health.SET_ASIDE, anchor=False)
    st.caption(text.health.SET_ASIDE_HELP)
    # What could not be read may hold anything, names of people too.
    kinds = [kind for kind in text.health.KINDS if kind != "dead" or session.may("admin")]
    kind = st.segmented_control(
        text.health.KIND,
        kinds,
        format_func=text.health.KINDS.__getitem__,
        default=kinds[0],
        key="aside",
    )
    rows = store.list_aside(context.store, kind or kinds[0], limit=_ASIDE_ROWS)
    if not rows:
        st.caption(text.health.NOTHING_ASIDE)
        return
    event = st.dataframe(
        [_aside(one, context) for one in rows],
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="aside rows",
        alt=text.health.SET_ASIDE,
    )
    for row in event["selection"]["rows"]:
        if row < len(rows):
            st.code(rows[row].payload, language=None, wrap_lines=True)


def _aside(row: Aside, context: Context) -> dict[str, Any]:
    return {
        text.terms.TIME: times.moment(row.at_ms, context.zone),
        text.health.ORIGIN: row.origin,
        text.terms.REASON: row.reason,
        text.health.PAYLOAD: row.payload[:200],
    }

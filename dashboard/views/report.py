"""Report: value lost and recovered, how often, how quickly and how falsely; a shift on one page to print."""

from __future__ import annotations

from collections import Counter
from functools import partial

import streamlit as st

import detectors
from app import store
from app.place.floor_plan import WAYS_OUT
from app.store import AlertReport
from dashboard import style
from dashboard.components import graph, print_button
from dashboard.context import Context, area_title, current_context, reader_name
from dashboard.facts import outage
from dashboard.pictures import charts
from dashboard.pictures.figure import Picture
from dashboard.views.notices import switched_off
from dashboard.views.outages import in_words
from dashboard.words import incidents, text, times
from dashboard.words.escape import escaped

_HOUR_MS = 3_600_000
_MOST_OPEN = 12
_HEIGHT = "230px"


def show() -> None:
    style.apply_print()
    context = current_context()
    with st.container(horizontal=True, vertical_alignment="bottom", key="report head"):
        st.title(text.report.TITLE, anchor=False, width="stretch")
        periods = text.report.PERIODS
        hours = st.selectbox(
            text.report.PERIOD,
            list(periods),
            format_func=periods.__getitem__,
            key="period",
            bind="query-params",
            width=280,
        )
        print_button.show(key="print")
    until = context.now_ms()
    since = until - hours * _HOUR_MS
    ends = [times.moment(at, context.zone)[:-3] for at in (since, until)]
    st.caption(escaped(text.report.FROM_TO.format(context.scenario.title, *ends)))
    exits = [area.name for area in context.scenario.plan.areas if area.kind in WAYS_OUT]
    found = store.report(context.store, context.scenario.name, since, until, exits)
    _figures(found, exits, context)
    if found.alerts:
        _plots(found, context, hours)
    else:
        st.info(text.report.NOTHING, icon=":material/check_circle:")
    _readers(context, since, until)
    _next_shift(context, until)


def _values(found: AlertReport) -> None:
    first = st.columns(3)
    first[0].metric(text.report.LOST, f"{found.lost:,.2f}", border=True, help=text.report.LOST_HELP)
    first[1].metric(
        text.report.RECOVERED, f"{found.recovered:,.2f}", border=True, help=text.report.RECOVERED_HELP
    )
    first[2].metric(
        text.report.UNDECIDED, f"{found.undecided:,.2f}", border=True, help=text.report.UNDECIDED_HELP
    )


def _figures(found: AlertReport, exits: list[str], context: Context) -> None:
    if "price" in context.scenario.items.column_names:  # elsewhere nothing is sold
        _values(found)
    second = st.columns(5 if exits else 4)
    second[0].metric(text.report.INCIDENTS, f"{found.incidents:,}", border=True)
    taken, done = (
        text.report.MEDIAN_HELP.format(len(one)) for one in (found.to_take_ms, found.to_resolve_ms)
    )
    second[1].metric(text.report.TO_TAKE, _length(found.take_ms), border=True, help=taken)
    second[2].metric(
        text.report.TO_RESOLVE,
        _length(found.resolve_ms),
        border=True,
        help=done,
    )
    false = text.report.FALSE_OF.format(found.false, found.resolved)
    second[3].metric(text.report.FALSE_ALARMS, false, border=True, help=text.report.FALSE_HELP)
    if not exits:
        return
    at_exits = sum(alert.area in exits for alert in found.alerts)
    rate = f"{1000 * at_exits / found.passages:,.1f}" if found.passages else text.terms.UNKNOWN_FIGURE
    told = text.report.PER_EXITS_HELP.format(f"{found.passages:,}")
    second[4].metric(text.report.PER_EXITS, rate, border=True, help=told)


def _length(length_ms: float | None) -> str:
    return text.terms.UNKNOWN_FIGURE if length_ms is None else times.duration(length_ms)


def _plots(found: AlertReport, context: Context, hours: int) -> None:
    known = detectors.load()
    titles = {name: one.title for name, one in known.items()}
    areas = Counter(
        {area_title(context, name) or text.report.NO_AREA: count for name, count in found.by("area").items()}
    )
    kinds = Counter({titles.get(name, name): count for name, count in found.by("detector").items()})
    shown = [
        (text.report.PER_HOUR, charts.bars(text.report.PER_HOUR, _per_hour(found, context))),
        (text.report.PER_DETECTOR, _most(text.report.PER_DETECTOR, kinds)),
        (text.report.PER_AREA, _most(text.report.PER_AREA, areas)),
    ]
    if hours > 24:
        shown.insert(0, (text.report.PER_DAY, charts.bars(text.report.PER_DAY, _per_day(found, context))))
        shown.append((text.report.FALSE_TREND, charts.line(text.report.FALSE_TREND, _false(found, context))))
    for at in range(0, len(shown), 2):
        for column, (title, picture) in zip(st.columns(2), shown[at : at + 2], strict=False):
            with column:
                _plot(title, picture)


def _most(title: str, counted: Counter[str]) -> Picture:
    return charts.bars(title, dict(counted.most_common(8)), lying=True)


def _plot(title: str, picture: Picture) -> None:
    st.subheader(title, anchor=False)
    graph.show(picture, key=f"plot {title}", height=_HEIGHT)


def _per_day(found: AlertReport, context: Context) -> dict[str, float]:
    return dict(Counter(_day(alert.occurred_ms, context) for alert in found.alerts))


def _per_hour(found: AlertReport, context: Context) -> dict[str, float]:
    counted = Counter(times.local(alert.occurred_ms, context.zone).hour for alert in found.alerts)
    return {f"{hour:02}": float(counted[hour]) for hour in range(24)}


def _false(found: AlertReport, context: Context) -> dict[str, float]:
    """Of days on which anything was resolved."""
    resolved = Counter(_day(one.occurred_ms, context) for one in found.alerts if one.state == "resolved")
    false = Counter(_day(one.occurred_ms, context) for one in found.alerts if one.resolution == "false alarm")
    return {day: false[day] / number for day, number in resolved.items()}


def _day(at_ms: int, context: Context) -> str:
    return times.local(at_ms, context.zone).strftime("%a %d %b")


def _readers(context: Context, since_ms: int, until_ms: int) -> None:
    readers = [one.name for one in context.scenario.plan.readers]
    found = store.availability(context.store, readers, since_ms, until_ms)
    heard = {reader_name(context, name): share for name, share in found.items()}
    _plot(text.report.AVAILABILITY, charts.bars(text.report.AVAILABILITY, heard, share=True))


def _next_shift(context: Context, now_ms: int) -> None:
    """What whoever comes next must know."""
    st.subheader(text.report.NEXT_SHIFT, anchor=False)
    plan = context.scenario.plan
    parts, readers = store.list_parts(context.store), store.list_readers(context.store)
    limits = [
        *in_words(outage.outages(parts, readers, now_ms, plan.without_sign()), context),
        *(switched_off(one, context) for one in store.switched_off(context.store, context.scenario.name)),
    ]
    lines = [*limits] or [text.report.EVERYTHING_WATCHED]
    waiting = store.open_incidents(context.store, now_ms, limit=_MOST_OPEN)
    more = store.count_incidents(context.store, now_ms) - len(waiting)
    told = [_open(one, context) for one in waiting] or [text.report.NOTHING_OPEN]
    st.markdown("\n".join(f"- {escaped(line)}" for line in lines))
    st.markdown(f"**{text.report.STILL_OPEN}**")
    rest = [text.report.MORE.format(f"{more:,}")] if more > 0 else []
    st.markdown("\n".join(f"- {escaped(line)}" for line in [*told, *rest]))


def _open(incident: store.AlertIncident, context: Context) -> str:
    first = incident.members[0]
    when = times.moment(first.occurred_ms, context.zone)[:-3]
    state = text.terms.TAKEN_BY.format(first.owner) if first.owner else text.terms.STATES[first.state]
    told = incidents.headline(incident, partial(area_title, context))
    return text.alert.BESIDE.join([when, incidents.titles(incident), told, state])

"""An alert on a line of time: its events, the time in which one was absent, and who was looking then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from app.store import Absence, Alert, Silence
from dashboard.context import Context, area_title, reader_name
from dashboard.pictures.figure import Picture, Trace
from dashboard.words import severity, text, times
from dashboard.words.escape import escaped_html
from dashboard.words.events import happened, missing

_ABSENT, _BLIND = "#cc79a7", severity.SILENT
_LEAST_MS = 60_000


def picture(alert: Alert, silences: Sequence[Silence], context: Context) -> Picture:
    """Absences may reach hours back: the picture shows the events and a margin, the hover text the whole."""
    low, high = span(alert)
    zone = context.zone
    traces = [
        _events(alert, context),
        *(_absence(one, low, high, zone) for one in alert.evidence.absent),
        *_watches(alert, silences, low, high, context),
    ]
    shown = [times.local(at, zone).isoformat() for at in (low, high)]
    axis = {"gridcolor": "rgba(127,127,127,0.25)", "zeroline": False, "fixedrange": True}
    layout = {
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "xaxis": axis | {"type": "date", "range": shown, "automargin": True},
        "yaxis": axis | {"automargin": True, "autorange": "reversed"},
        "showlegend": False,
        "dragmode": False,
    }
    return Picture(traces, layout, text.pictures.TIMELINE)


def height(shown: Picture) -> str:
    return f"{70 + 34 * len({row for trace in shown.traces for row in trace['y']})}px"


def span(alert: Alert) -> tuple[int, int]:
    first = min((seen.at_ms for seen in alert.evidence.events), default=alert.started_ms)
    last = max(alert.detected_ms, alert.occurred_ms)
    margin = max(_LEAST_MS, (last - first) // 8)
    return first - margin, last + margin


def _events(alert: Alert, context: Context) -> Trace:
    seen = alert.evidence.events
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [times.local(one.at_ms, context.zone).isoformat() for one in seen],
        "y": [escaped_html(happened([one.event])) for one in seen],
        "hovertext": [
            escaped_html(f"{area_title(context, one.area)} · {times.clock(one.at_ms, context.zone)}")
            for one in seen
        ],
        "hoverinfo": "text",
        "marker": {"size": 16, "color": severity.look(alert.severity).colour, "symbol": "circle"},
    }


def _absence(absent: Absence, low: int, high: int, zone: ZoneInfo) -> Trace:
    told = missing(absent.event.split(" or "))
    words = text.pictures.ABSENT_FROM_TO.format(
        told, times.moment(absent.from_ms, zone), times.moment(absent.until_ms, zone)
    )
    return _bar(
        escaped_html(told), max(low, absent.from_ms), min(high, absent.until_ms), _ABSENT, words, zone
    )


def _watches(
    alert: Alert, silences: Sequence[Silence], low: int, high: int, context: Context
) -> Iterator[Trace]:
    """One bar per reader that would have seen the absent event, with its silences on top."""
    for absent in alert.evidence.absent:
        start, end = max(low, absent.from_ms), min(high, absent.until_ms)
        for listener in absent.readers:
            row = escaped_html(reader_name(context, listener.reader))
            yield _bar(row, start, end, severity.ALIVE, text.pictures.READER_ALIVE, context.zone)
            for silence in silences:
                since, until = max(silence.from_ms, start), min(silence.until_ms or end, end)
                if silence.reader == listener.reader and since < until:
                    yield _bar(row, since, until, _BLIND, text.pictures.READER_SILENT, context.zone)


def _bar(row: str, from_ms: int, until_ms: int, colour: str, words: str, zone: ZoneInfo) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [times.local(at, zone).isoformat() for at in (from_ms, until_ms)],
        "y": [row, row],
        "hovertext": escaped_html(words),
        "hoverinfo": "text",
        "line": {"color": colour, "width": 14, "dash": "dot" if colour == _BLIND else "solid"},
    }

"""The way of one thing as bars on a line of time, a row for each area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from dashboard.pictures.figure import Picture, Trace
from dashboard.words import text, times
from dashboard.words.escape import escaped_html

_COLOUR = "#0072b2"


@dataclass(frozen=True)
class WayStop:
    """A stay in one area, by its title."""

    title: str
    from_ms: int
    until_ms: int


def picture(stops: Sequence[WayStop], from_ms: int, until_ms: int, zone: ZoneInfo) -> Picture:
    axis = {"gridcolor": "rgba(127,127,127,0.25)", "zeroline": False, "fixedrange": True, "automargin": True}
    shown = [times.local(at, zone).isoformat() for at in (from_ms, until_ms)]
    layout = {
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "xaxis": axis | {"type": "date", "range": shown},
        "yaxis": axis | {"type": "category", "autorange": "reversed"},
        "showlegend": False,
        "dragmode": False,
    }
    return Picture([_bar(stop, zone) for stop in stops], layout, text.whereabouts.TIMELINE)


def height(stops: Sequence[WayStop]) -> str:
    return f"{70 + 34 * len({stop.title for stop in stops})}px"


def _bar(stop: WayStop, zone: ZoneInfo) -> Trace:
    length = times.duration(stop.until_ms - stop.from_ms)
    words = text.whereabouts.WAY_STEP.format(
        clock=times.clock(stop.from_ms, zone), place=stop.title, length=length
    )
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [times.local(at, zone).isoformat() for at in (stop.from_ms, stop.until_ms)],
        "y": [escaped_html(stop.title)] * 2,
        "hovertext": escaped_html(words),
        "hoverinfo": "text",
        "line": {"color": _COLOUR, "width": 16},
    }

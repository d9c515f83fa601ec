"""Bars and lines of a report, as data for Plotly; each says in words what can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.pictures.figure import Picture
from dashboard.words.escape import escaped_html

_COLOUR = "#0072b2"


def bars(title: str, values: Mapping[str, float], lying: bool = False, share: bool = False) -> Picture:
    """One bar for each name, in the order given; `lying` leaves room for long names."""
    names, lengths = [escaped_html(name) for name in values], list(values.values())
    trace: dict[str, Any] = {
        "type": "bar",
        "x": lengths if lying else names,
        "y": names if lying else lengths,
        "orientation": "h" if lying else "v",
        "marker": {"color": _COLOUR},
        "text": [f"{length:.1%}" if share else f"{length:,.0f}" for length in lengths],
        "textposition": "auto",
        "textangle": 0,
        "hoverinfo": "none",
    }
    length_axis: dict[str, Any] = {"rangemode": "tozero", "tickformat": ".0%" if share else ",d", **_GRID}
    if not share and max(lengths, default=0) < _FEW:
        length_axis["dtick"] = 1  # halves of an alert would be written as whole ones
    name_axis: dict[str, Any] = {"type": "category", "automargin": True, "fixedrange": True}
    if lying:
        name_axis["autorange"] = "reversed"
    axes = {"xaxis": length_axis if lying else name_axis, "yaxis": name_axis if lying else length_axis}
    return Picture([trace], _layout() | axes, _label(title, values, share))


def line(title: str, values: Mapping[str, float]) -> Picture:
    """A share from day to day."""
    trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [escaped_html(name) for name in values],
        "y": list(values.values()),
        "line": {"color": _COLOUR, "width": 3},
        "hovertemplate": "%{x}: %{y:.0%}<extra></extra>",
    }
    axes = {
        "xaxis": {"type": "category", "automargin": True, "fixedrange": True},
        "yaxis": {"range": [0, 1.05], "tickformat": ".0%", **_GRID},
    }
    return Picture([trace], _layout() | axes, _label(title, values, share=True))


_FEW = 6
_GRID = {"gridcolor": "rgba(127,127,127,0.25)", "zeroline": False, "fixedrange": True, "automargin": True}


def _layout() -> dict[str, Any]:
    return {"margin": {"l": 8, "r": 8, "t": 8, "b": 8}, "showlegend": False, "dragmode": False}


def _label(title: str, values: Mapping[str, float], share: bool) -> str:
    said = (f"{name} {value:.0%}" if share else f"{name} {value:,.0f}" for name, value in values.items())
    return f"{title}: {', '.join(said)}"

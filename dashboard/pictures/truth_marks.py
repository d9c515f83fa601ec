"""What only a demo can draw, because the simulator knows it: people, their trails, what was just heard."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.place.floor_plan import FloorPlan
from dashboard.pictures.figure import Trace
from dashboard.pictures.spots import find_area
from dashboard.truth.stage import Person
from dashboard.words import text
from dashboard.words.escape import escaped_html

_PEOPLE, _STAGED, _HEARD, _FLASH = "#0072b2", "#cc79a7", "#009e73", "#d55e00"


def truth(people: Sequence[Person], staged: Collection[str]) -> list[Trace]:
    """Trails below, people above; who was staged stands out."""
    others = [one for one in people if one.who not in staged]
    chosen = [one for one in people if one.who in staged]
    return [
        _trails("trails", others, _PEOPLE),
        _trails("trails-staged", chosen, _STAGED),
        _people("people", text.pictures.PEOPLE, others, _PEOPLE, 12),
        _people("people-staged", text.pictures.STAGED, chosen, _STAGED, 17),
    ]


def pulses(plan: FloorPlan, heard: Collection[str]) -> Trace:
    """A faint ring about each reader that has just reported something."""
    placed = [reader.at for reader in plan.readers if reader.name in heard]
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": "pulses",
        "name": text.pictures.HEARD,
        "x": [x for x, _ in placed],
        "y": [y for _, y in placed],
        "hoverinfo": "skip",
        "marker": {
            "color": "rgba(0,0,0,0)",
            "symbol": "circle",
            "size": 30,
            "opacity": 0.45,
            "line": {"color": _HEARD, "width": 3},
        },
        "cliponaxis": False,
    }


def flash(plan: FloorPlan, areas: Collection[str], bright: bool) -> Trace:
    """The areas where something has just been told, filled."""
    shapes = [area.shape for name in areas if (area := find_area(plan, name))]
    corners = [point for shape in shapes for point in (*shape, shape[0], (None, None))]
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": "flash",
        "fill": "toself",
        "fillcolor": _FLASH + ("99" if bright else "33"),
        "line": {"color": _FLASH, "width": 4 if bright else 2},
        "x": [x for x, _ in corners],
        "y": [y for _, y in corners],
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _trails(uid: str, people: Sequence[Person], colour: str) -> Trace:
    points = [point for one in people for point in (*one.trail, (None, None))]
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": uid,
        "x": [x for x, _ in points],
        "y": [y for _, y in points],
        "line": {"color": colour, "width": 3, "shape": "spline"},
        "opacity": 0.35,
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _people(uid: str, name: str, people: Sequence[Person], colour: str, size: int) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": uid,
        "name": name,
        "ids": [one.who for one in people],
        "x": [one.trail[-1][0] for one in people],
        "y": [one.trail[-1][1] for one in people],
        "hovertext": [escaped_html(one.who) for one in people],
        "hoverinfo": "text",
        "marker": {
            "color": colour,
            "symbol": "circle",
            "size": size,
            "line": {"color": "#ffffff", "width": 2},
        },
        "cliponaxis": False,
    }

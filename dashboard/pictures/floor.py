"""The floor plan: its areas with their names, and on it what floor_marks makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.place.floor_plan import Area, FloorPlan, Point
from dashboard.pictures.figure import Picture, Trace
from dashboard.pictures.floor_marks import Items
from dashboard.pictures.spots import inside
from dashboard.words import text
from dashboard.words.escape import escaped_html

# One colour per kind of area, in the order in which the plan has them.
_KINDS = ("#9aa7b1", "#56b4e9", "#009e73", "#e69f00", "#cc79a7", "#0072b2")


_PHONE_PX, _LETTER_PX, _LINE_PX = 350, 6.5, 15
_SHADE, _DARKEST = "0,114,178", 0.6


@dataclass(frozen=True)
class Shade:
    """How dark an area is, from 0 to 1, and what stands behind its name."""

    share: float
    words: str = ""
    chosen: bool = False


def shaded(plan: FloorPlan, shades: Mapping[str, Shade], label: str) -> Picture:
    """Areas by how likely something is there, or how much of it."""
    layout = _layout(plan, movable=False, lines=2)
    layout["shapes"] = [_shaded(area, shades.get(area.name, Shade(0.0))) for area in plan.areas]
    layout["margin"] = {"l": 4, "r": 4, "t": 4, "b": 4}
    labels = _labels(plan)
    labels["text"] = [_with_words(area, shades) for area in plan.areas]
    return Picture([labels | {"uid": "shades"}], layout, label)


def picture(
    plan: FloorPlan, traces: Sequence[Trace], movable: bool = False, items: Items | None = None
) -> Picture:
    """`movable`: to be zoomed and panned; other pictures leave wheel and finger to the page."""
    layout = _layout(plan, movable)
    if items is None:
        return Picture([_labels(plan), *traces], layout, text.pictures.FLOOR_PLAN)
    layout["shapes"].append(items.dots)
    return Picture([_labels(plan), items.names, items.key, *traces], layout, text.pictures.FLOOR_PLAN)


def _labels(plan: FloorPlan) -> Trace:
    tops = [_top(area) for area in plan.areas]
    return {
        "type": "scatter",
        "mode": "text",
        "uid": "labels",
        "x": [x for x, _ in tops],
        "y": [y for _, y in tops],
        "text": [escaped_html(area.title) for area in plan.areas],
        "textposition": [f"{_side(plan, top)} center" for top in tops],
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }


def _side(plan: FloorPlan, top: Point) -> str:
    """Names stand above their areas, where nothing covers them; inside if there is a neighbour."""
    above = (top[0], top[1] + 0.04 * plan.height)
    return "bottom" if any(inside(above, area.shape) for area in plan.areas) else "top"


def _top(area: Area) -> Point:
    """The middle of the upper edge."""
    height = max(y for _, y in area.shape)
    corners = [x for x, y in area.shape if y == height]
    return (min(corners) + max(corners)) / 2, height


def _layout(plan: FloorPlan, movable: bool, lines: int = 1) -> dict[str, Any]:
    """Around the plan there is room for names of so many lines, also on a phone."""
    metres = plan.width / _PHONE_PX
    ends = [(x, len(area.title) * _LETTER_PX * metres / 2) for area in plan.areas for x, _ in [_top(area)]]
    left, right = min(0.0, *(x - half for x, half in ends)), max(plan.width, *(x + half for x, half in ends))
    axis = {"visible": False, "constrain": "domain", "fixedrange": not movable}
    roof = max(y for area in plan.areas for _, y in area.shape)
    floor_ = min(y for area in plan.areas for _, y in area.shape)
    return {
        "uirevision": "plan",
        "dragmode": "pan" if movable else False,
        "hovermode": "closest",
        "margin": {"l": 4, "r": 4, "t": 4, "b": 44},
        "xaxis": axis | {"range": [left, right]},
        "yaxis": axis
        | {
            "range": [
                floor_ - 0.02 * plan.height,
                roof + max(0.06 * plan.height, lines * _LINE_PX * metres),
            ],
            "scaleanchor": "x",
            "constraintoward": "top",
        },
        "shapes": [_outline(area, _tint(plan, area)) for area in plan.areas],
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "y": -0.02, "yanchor": "top", "itemsizing": "constant"}
        | {"itemclick": False, "itemdoubleclick": False},
    }


def _outline(area: Area, colour: str) -> dict[str, Any]:
    corners = " L ".join(f"{x},{y}" for x, y in area.shape)
    return {
        "type": "path",
        "path": f"M {corners} Z",
        "layer": "below",
        "fillcolor": colour + "22",
        "line": {"color": colour, "width": 1.5},
    }


def _shaded(area: Area, shade: Shade) -> dict[str, Any]:
    drawn = _outline(area, "#7d8b97")
    drawn["fillcolor"] = f"rgba({_SHADE},{_DARKEST * min(max(shade.share, 0.0), 1.0):.3f})"
    return drawn | {"line": {"color": "#cc79a7", "width": 4} if shade.chosen else drawn["line"]}


def _with_words(area: Area, shades: Mapping[str, Shade]) -> str:
    words = shades[area.name].words if area.name in shades else ""
    title = escaped_html(area.title)
    return f"{title}<br>{escaped_html(words)}" if words else title


def _tint(plan: FloorPlan, area: Area) -> str:
    kinds = list(dict.fromkeys(one.kind for one in plan.areas))
    return _KINDS[kinds.index(area.kind) % len(_KINDS)]

"""The floor plan as Plotly traces: areas, readers alive or silent, items as last seen, alerts, paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from app.place.floor_plan import Area, Plan, Point
from app.store import Alert, Position, Reader
from dashboard.pictures.figure import Picture, Trace
from dashboard.words import severity, text
from dashboard.words.escape import escaped_html

MOST_ITEMS = 2_500
_DOT = "#7d8b97"
_KINDS = ("#9aa7b1", "#56b4e9", "#009e73", "#e69f00", "#cc79a7", "#0072b2")


@dataclass(frozen=True)
class Items:
    """All dots as one path: thousands of nodes would take a tablet most of each second to move. `names` are
    for the mouse that hovers, `key` for the legend."""

    dots: dict[str, Any]
    names: Trace
    key: Trace


def picture(
    plan: Plan, traces: Sequence[Trace], movable: bool = False, items: Items | None = None
) -> Picture:
    """`movable`: to be zoomed and panned; other pictures leave wheel and finger to the page."""
    layout = _layout(plan, movable)
    if items is None:
        return Picture([_labels(plan), *traces], layout, text.pictures.FLOOR_PLAN)
    layout["shapes"].append(items.dots)
    return Picture([_labels(plan), items.names, items.key, *traces], layout, text.pictures.FLOOR_PLAN)


def find_area(plan: Plan, name: str) -> Area | None:
    """An area by its name or, as explanations have it, its title."""
    return next((area for area in plan.areas if name in (area.name, area.title)), None)


def readers(plan: Plan, known: Iterable[Reader]) -> list[Trace]:
    """Readers point down at what they hear; a cross when silent, an empty outline if never heard of."""
    by_name = {reader.reader: reader for reader in known}
    groups: dict[str, list[Any]] = {"alive": [], "silent": [], "unknown": []}
    for reader in plan.readers:
        groups[_standing(by_name.get(reader.name))].append(reader)
    looks = {
        "alive": (text.pictures.READER_ALIVE, severity.ALIVE, "triangle-down", 11),
        "silent": (text.pictures.READER_SILENT, severity.SILENT, "x", 14),
        "unknown": (text.pictures.READER_UNKNOWN, "#7f7f7f", "triangle-down-open", 11),
    }
    return [
        _points(looks[kind], [(one.at, one.name) for one in group], f"readers-{kind}")
        for kind, group in groups.items()
    ]


def items(plan: Plan, seen: Mapping[str, Position]) -> Items:
    """One dot per item, always at the same spot of its area, so that only what moves moves."""
    placed = [
        (spot(area, position.tag), escaped_html(position.item or position.tag))
        for position in sorted(seen.values(), key=lambda one: one.tag)[:MOST_ITEMS]
        if (area := find_area(plan, position.area))
    ]
    look = (text.pictures.ITEMS, _DOT, "circle", 4)
    return Items(
        # Strokes of no length with round ends, a point each: the stylesheet rounds them.
        dots={
            "type": "path",
            "path": "".join(f"M{x},{y}L{x},{y}" for (x, y), _ in placed) or "M0,0",
            "layer": "below",
            "line": {"color": _DOT, "width": 4},
            "opacity": 0.65,
        },
        names=_points(look, placed, "items") | {"mode": "none", "showlegend": False},
        key=_points(look, [], "items-key") | {"x": [None], "y": [None]},
    )


def alerts(plan: Plan, shown: Iterable[Alert]) -> list[Trace]:
    """One trace per severity, marked to pulse; all five always, so that the map keeps its nodes."""
    groups: dict[str, list[tuple[Point, str]]] = {name: [] for name in severity.SEVERITIES}
    ids: dict[str, list[str]] = {name: [] for name in severity.SEVERITIES}
    for alert in shown:
        area = find_area(plan, alert.area)
        if area and alert.severity in groups:
            groups[alert.severity].append(
                (spot(area, alert.id), escaped_html(f"{alert.title}: {alert.subject}"))
            )
            ids[alert.severity].append(alert.id)
    worst_on_top = reversed(severity.SEVERITIES)
    return [_alert_trace(name, groups[name], ids[name]) for name in worst_on_top]


def path(plan: Plan, stops: Sequence[tuple[str, str]]) -> Trace:
    """A numbered walk through areas with what to write at each stop."""
    placed = [
        (_beside(area, number), escaped_html(f"{number}. {label}"))
        for number, (name, label) in enumerate(stops, 1)
        if (area := find_area(plan, name))
    ]
    trace = _points((text.pictures.PATH, "#cc79a7", "circle", 13), placed, "path")
    return trace | {
        "mode": "lines+markers+text",
        "line": {"color": "#cc79a7", "width": 3, "dash": "dot"},
        "textposition": "middle right",
        "text": [label for _, label in placed],
    }


def mark(plan: Plan, tag: str, area_name: str, label: str) -> Trace:
    """The one item that a replay follows."""
    area = find_area(plan, area_name)
    placed = [(spot(area, tag), escaped_html(label))] if area else []
    return _points((text.pictures.FOLLOWED, "#cc79a7", "star", 20), placed, "followed") | {
        "mode": "markers+text",
        "text": [label for _, label in placed],
        "textposition": "middle right",
    }


# Bounded: alerts come for months, and each has a spot of its own.
@lru_cache(maxsize=50_000)
def spot(area: Area, tag: str) -> Point:
    """A place inside the area that depends on the tag alone."""
    xs, ys = zip(*area.shape, strict=True)
    for attempt in range(30):
        noise = blake2b(f"{tag} {attempt}".encode(), digest_size=4).digest()
        across, along = (int.from_bytes(part) / 0xFFFF for part in (noise[:2], noise[2:]))
        found = (
            round(min(xs) + (0.06 + 0.88 * across) * (max(xs) - min(xs)), 2),
            round(min(ys) + (0.06 + 0.70 * along) * (max(ys) - min(ys)), 2),
        )
        if _inside(found, area.shape):
            return found
    return area.centre


def _inside(point: Point, shape: tuple[Point, ...]) -> bool:
    """Even-odd rule: a ray to the right crosses the outline an odd number of times."""
    x, y = point
    sides = zip(shape, (*shape[1:], shape[0]), strict=True)
    crossed = [
        (ax + (y - ay) / (by - ay) * (bx - ax)) > x for (ax, ay), (bx, by) in sides if (ay > y) != (by > y)
    ]
    return sum(crossed) % 2 == 1


def _standing(reader: Reader | None) -> str:
    if reader is None or reader.last_seen_ms is None:
        return "unknown"
    return "alive" if reader.silent_since_ms is None else "silent"


def _beside(area: Area, number: int) -> Point:
    """Stops of one area side by side instead of on top of each other."""
    x, y = area.centre
    return x + 0.6 * ((number % 3) - 1), y


def _points(look: tuple[str, str, str, int], placed: Sequence[tuple[Point, str]], uid: str) -> Trace:
    name, colour, symbol, size = look
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": uid,
        "name": name,
        "x": [point[0] for point, _ in placed],
        "y": [point[1] for point, _ in placed],
        "hovertext": [label for _, label in placed],
        "hoverinfo": "text",
        "marker": {"color": colour, "symbol": symbol, "size": size},
        "cliponaxis": False,
    }


def _alert_trace(name: str, placed: Sequence[tuple[Point, str]], ids: Sequence[str]) -> Trace:
    look = severity.SEVERITIES[name]
    trace = _points((look.name, look.colour, look.symbol, 18), placed, f"alerts-{name}")
    marker = trace["marker"] | {"line": {"color": "#ffffff", "width": 2}}
    return trace | {"marker": marker, "customdata": list(ids), "meta": "pulse"}


def _labels(plan: Plan) -> Trace:
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


def _side(plan: Plan, top: Point) -> str:
    """Names stand above their areas, where nothing covers them; inside if there is a neighbour."""
    above = (top[0], top[1] + 0.04 * plan.height)
    return "bottom" if any(_inside(above, area.shape) for area in plan.areas) else "top"


def _top(area: Area) -> Point:
    """The middle of the upper edge."""
    height = max(y for _, y in area.shape)
    corners = [x for x, y in area.shape if y == height]
    return (min(corners) + max(corners)) / 2, height


def _layout(plan: Plan, movable: bool) -> dict[str, Any]:
    axis = {"visible": False, "constrain": "domain", "fixedrange": not movable}
    roof = max(y for area in plan.areas for _, y in area.shape)
    floor_ = min(y for area in plan.areas for _, y in area.shape)
    return {
        "uirevision": "plan",
        "dragmode": "pan" if movable else False,
        "hovermode": "closest",
        "margin": {"l": 4, "r": 4, "t": 4, "b": 44},
        "xaxis": axis | {"range": [0, plan.width]},
        "yaxis": axis
        | {
            "range": [floor_ - 0.02 * plan.height, roof + 0.06 * plan.height],
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


def _tint(plan: Plan, area: Area) -> str:
    kinds = list(dict.fromkeys(one.kind for one in plan.areas))
    return _KINDS[kinds.index(area.kind) % len(_KINDS)]

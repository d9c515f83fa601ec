"""What is drawn on the floor plan, as Plotly traces: readers, items as last seen, alerts, paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.place.floor_plan import FloorPlan, Point, Reader
from app.store import AlertIncident, Position, ReaderState
from dashboard.pictures.figure import Trace
from dashboard.pictures.spots import beside, find_area, spot
from dashboard.words import severity, text
from dashboard.words.escape import escaped_html

MOST_ITEMS = 2_500
_DOT = "#7d8b97"
# By sensor, as Plotly calls the shapes; a silent one is a cross, whatever it is.
_SYMBOLS = {
    "rfid": "triangle-down",
    "barcode": "hash",
    "motion": "hourglass",
    "camera": "diamond-wide",
    "leak": "diamond-tall",
}


@dataclass(frozen=True)
class Items:
    """All dots as one path: thousands of nodes would take a tablet most of each second to move. `names` are
    for the mouse that hovers, `key` for the legend."""

    dots: dict[str, Any]
    names: Trace
    key: Trace


def readers(plan: FloorPlan, known: Iterable[ReaderState]) -> list[Trace]:
    """Readers point down at what they hear; a cross when silent, an empty outline if never heard of."""
    by_name = {reader.reader: reader for reader in known}
    groups: dict[str, list[Reader]] = {"alive": [], "silent": [], "unknown": []}
    for reader in plan.readers:
        groups[_standing(reader, by_name.get(reader.name))].append(reader)
    looks = {
        "alive": (text.pictures.READER_ALIVE, severity.ALIVE, "triangle-down", 11),
        "silent": (text.pictures.READER_SILENT, severity.SILENT, "x", 14),
        "unknown": (text.pictures.READER_UNKNOWN, "#7f7f7f", "triangle-down-open", 11),
    }
    return [_reader_trace(kind, looks[kind], group) for kind, group in groups.items()]


def items(plan: FloorPlan, seen: Mapping[str, Position]) -> Items:
    """One dot per item, always at the same spot of its area, so that only what moves moves."""
    placed = [
        (spot(area, position.tag), escaped_html(position.item or position.tag))
        for position in sorted(seen.values(), key=lambda one: one.tag)[:MOST_ITEMS]
        if (area := find_area(plan, position.area))
    ]
    look = (_tagged(plan), _DOT, "circle", 4)
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


def _tagged(plan: FloorPlan) -> str:
    """What the dots are in a place like this one."""
    kinds = {area.kind for area in plan.areas}
    return next((words for kind, words in text.pictures.TAGGED.items() if kind in kinds), text.pictures.ITEMS)


def incidents(plan: FloorPlan, shown: Iterable[AlertIncident]) -> list[Trace]:
    """One mark per incident, with a number for several alerts. A trace per severity, marked to pulse;
    all five always, so that the map keeps its nodes."""
    groups: dict[str, list[tuple[Point, str]]] = {name: [] for name in severity.SEVERITIES}
    several: dict[str, list[AlertIncident]] = {name: [] for name in severity.SEVERITIES}
    for incident in shown:
        alert = incident.members[0]
        area = find_area(plan, alert.area)
        if area and alert.severity in groups:
            groups[alert.severity].append(
                (spot(area, incident.id), escaped_html(f"{alert.title}: {alert.subject}"))
            )
            several[alert.severity].append(incident)
    worst_on_top = reversed(severity.SEVERITIES)
    return [_incident_trace(name, groups[name], several[name]) for name in worst_on_top]


def path(plan: FloorPlan, stops: Sequence[tuple[str, str]]) -> Trace:
    """A numbered walk through areas with what to write at each stop."""
    placed = [
        (beside(area, number), escaped_html(f"{number}. {label}"))
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


def moving() -> Trace:
    """What else moved in the minutes that a replay shows; the browser puts it in its places."""
    return _points((text.pictures.MOVING, _DOT, "circle", 7), [], "moving") | {"mode": "markers"}


def followed(plan: FloorPlan, tag: str, area_name: str, label: str) -> Trace:
    """The one item that a replay follows."""
    area = find_area(plan, area_name)
    placed = [(spot(area, tag), escaped_html(label))] if area else []
    return _points((text.pictures.FOLLOWED, "#cc79a7", "star", 20), placed, "followed") | {
        "mode": "markers+text",
        "text": [label for _, label in placed],
        "textposition": "middle right",
    }


def _reader_trace(kind: str, look: tuple[str, str, str, int], group: Sequence[Reader]) -> Trace:
    """Other sensors stand out by their shape; the key shows that of a reader."""
    placed = [(one.at, text.pictures.SENSORS[one.sensor].format(one.name)) for one in group]
    trace = _points(look, placed, f"readers-{kind}")
    if all(one.sensor == "rfid" for one in group) or kind == "silent":
        return trace
    ending = "-open" if kind == "unknown" else ""
    symbols = [_SYMBOLS[one.sensor] + ending for one in group]
    return trace | {"marker": trace["marker"] | {"symbol": symbols}}


def _standing(reader: Reader, known: ReaderState | None) -> str:
    if known is None or known.last_seen_ms is None:
        return "unknown"
    if known.silent_since_ms is None:
        return "alive"
    return "unknown" if reader.alive == "none" else "silent"


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


# Large enough for the number that stands in it, which on dark colours is white.
_ONE, _SEVERAL = 20, 28
_DARK = ("medium", "info")


def _incident_trace(name: str, placed: Sequence[tuple[Point, str]], marked: Sequence[AlertIncident]) -> Trace:
    look = severity.SEVERITIES[name]
    trace = _points((look.name, look.colour, look.symbol, _ONE), placed, f"alerts-{name}")
    sizes = [_SEVERAL if one.members[1:] else _ONE for one in marked]
    marker = trace["marker"] | {"line": {"color": "#ffffff", "width": 2}, "size": sizes or _ONE}
    return trace | {
        "mode": "markers+text",
        "text": [str(len(one.members)) if one.members[1:] else "" for one in marked],
        "textposition": "middle center",
        "textfont": {"color": "#ffffff" if name in _DARK else "#11181d", "size": 12, "weight": 700},
        "marker": marker,
        "customdata": [one.id for one in marked],
        "meta": "pulse",
    }

"""A Plotly graph that is updated in place, so that zoom, pan and hover outlive each tick."""

from __future__ import annotations

import json
from collections.abc import Sequence

from app.place.floor_plan import Area
from dashboard.components.registered import component
from dashboard.pictures.figure import Picture
from dashboard.words import text

_HTML = f'<div class="graph" role="img" aria-label="{text.pictures.PICTURE}"></div>'


def show(picture: Picture, key: str, height: str) -> None:
    """Draw the picture; a click on an alert opens it. `height` is CSS."""
    show_packed(packed(picture, height), key)


def show_packed(data: bytes, key: str) -> None:
    """Draw what was packed before: ten browsers that look at the same need it written only once."""
    component("graph", _HTML, "drawing")(data=data, key=key)


def choose(picture: Picture, key: str, height: str, areas: Sequence[Area]) -> str | None:
    """Draw a floor plan; the name of the area that was just clicked."""
    regions = [{"name": area.name, "shape": area.shape} for area in areas]
    data = packed(picture, height, regions=regions)
    result = component("graph", _HTML, "drawing")(data=data, key=key, on_area_change=lambda: None)
    return getattr(result, "area", None)


def packed(picture: Picture, height: str, type_size: int = 13, regions: object = ()) -> bytes:
    data = {
        "regions": regions,
        "traces": picture.traces,
        "layout": picture.layout,
        "height": height,
        "label": picture.label,
        "type": type_size,
    }
    return json.dumps(data).encode()

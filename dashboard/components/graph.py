"""A Plotly graph that is updated in place, so that zoom, pan and hover outlive each tick."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.pictures.figure import Picture
from dashboard.words import text

_HERE = Path(__file__).parent


@cache
def _component() -> Any:
    # Registered once per process: doing so again with every run would warn and reload it.
    return st.components.v2.component(
        "vigil_graph",
        html=f'<div class="graph" role="img" aria-label="{text.pictures.PICTURE}"></div>',
        css=(_HERE / "graph.css").read_text(),
        js=(_HERE / "graph.js").read_text(),
        isolate_styles=False,
    )


def graph(picture: Picture, key: str, height: str) -> None:
    """Draw the picture; a click on an alert opens it. `height` is CSS."""
    draw(packed(picture, height), key)


def draw(data: bytes, key: str) -> None:
    """Draw what was packed before: ten browsers that look at the same need it written only once."""
    _component()(data=data, key=key)


def packed(picture: Picture, height: str, type_size: int = 13) -> bytes:
    data = {
        "traces": picture.traces,
        "layout": picture.layout,
        "height": height,
        "label": picture.label,
        "type": type_size,
    }
    return json.dumps(data).encode()

"""Replay: the map with play, speed and a slider, moved by the browser itself; ticks jump to what happened."""

from __future__ import annotations

import json
from typing import Any

from dashboard.components.registered import component
from dashboard.pictures.figure import Picture
from dashboard.words import text

_HTML = f"""<div class="replay">
  <div class="graph" role="img" aria-label="{text.pictures.PICTURE}"></div>
  <div class="controls">
    <button type="button" class="play" disabled>{text.alert.PLAY}</button>
    <label>{text.alert.REPLAY_SPEED} <select class="speed" disabled></select></label>
    <output class="moment"></output>
  </div>
  <input type="range" class="at" step="1000" disabled aria-label="{text.alert.REPLAY_AT}">
  <ol class="ticks"></ol>
</div>"""


def show(picture: Picture, story: dict[str, Any], height: str, key: str) -> None:
    """`story` is what moves when, as `pictures.story` tells it."""
    data = {
        "traces": picture.traces,
        "layout": picture.layout,
        "label": picture.label,
        "height": height,
        "words": {
            "play": text.alert.PLAY,
            "pause": text.alert.PAUSE,
            "moment": text.alert.REPLAY_AT,
        },
        **story,
    }
    component("replay", _HTML, "drawing")(data=json.dumps(data).encode(), key=key)

"""Steps from one alert to the next of the list or feed that was looked at before, by link and by key."""

from __future__ import annotations

import json

from dashboard.components.registered import component
from dashboard.words import text

_HTML = """<nav class="steps">
  <a class="back" hidden></a><a class="previous" hidden></a><a class="next" hidden></a>
  <span class="place"></span>
</nav>"""


def show(alert: str, key: str) -> None:
    words = {
        "nav": text.alert.STEPS_NAV,
        "back": text.alert.TO_LIST,
        "previous": text.alert.PREVIOUS,
        "next": text.alert.NEXT,
        "place": text.alert.PLACE_IN_LIST,
    }
    component("steps", _HTML)(data=json.dumps({"alert": alert, "words": words}).encode(), key=key)

"""The story of what was staged: its steps while they happen, and a stopwatch from the deed to the alert."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from dashboard.components.registered import component
from dashboard.words import text

_HTML = """<div class="story">
  <div class="head"></div><div class="expect"></div><ol></ol>
  <div class="watch" hidden><span class="time" role="timer"></span><span class="label"></span></div>
  <div class="conclusion" role="status"></div><a hidden></a>
</div>"""


@dataclass(frozen=True)
class ToldStep:
    """`kind` is done, heard or decisive."""

    words: str
    kind: str = "done"


@dataclass(frozen=True)
class ToldStory:
    """Every word ready to be shown; `elapsed` is what the stopwatch shows, if it has begun."""

    number: int
    title: str
    expect: str
    steps: Sequence[ToldStep]
    watch: str = ""
    elapsed: int | None = None
    running: bool = False
    alert: str = ""
    conclusion: str = ""
    urgent: bool = False


def show(story: ToldStory, sound: bool, key: str) -> None:
    data = {**asdict(story), "sound": sound, "open": text.demo.OPEN_ALERT}
    component("story", _HTML, "chime")(data=json.dumps(data).encode(), key=key)

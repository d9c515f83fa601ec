"""The feed: a list of alerts that grows without losing scroll or focus, and a chime for what is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """One alert in the feed, every word ready to be shown as it is."""

    id: str
    shape: str
    colour: str
    severity: str
    title: str
    detail: str
    when: str
    state: str
    takeable: bool


@cache
def _component() -> Any:
    return st.components.v2.component(
        "vigil_feed",
        html='<div class="feed"><div class="news" role="status" aria-live="polite"></div><ol></ol></div>',
        css=(_HERE / "feed.css").read_text(),
        js=(_HERE / "feed.js").read_text(),
        isolate_styles=False,
    )


def feed(
    rows: Sequence[Row], words: dict[str, str], news: dict[str, Any], height: int, key: str
) -> str | None:
    """The id of the alert that was just taken. `news`: the newest change, what to announce, how urgent."""
    data = {"rows": [asdict(row) for row in rows], "words": words, "news": news, "height": height}
    result = _component()(data=data, key=key, on_take_change=lambda: None)
    return getattr(result, "take", None)

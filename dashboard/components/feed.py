"""The feed: a list of alerts that grows without losing scroll or focus, and a chime for what is new."""

from __future__ import annotations

import json
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


def packed(rows: Sequence[Row], words: dict[str, str], height: str) -> bytes:
    """The list, the same for all browsers of people who may do the same; open-ended for each one's news."""
    data = {"words": words, "height": height, "rows": [asdict(row) for row in rows]}
    return json.dumps(data).encode()[:-1]


def feed(listed: bytes, news: dict[str, Any], key: str) -> str | None:
    """The id of the alert that was just taken. `news`: the newest change, what to announce, how urgent."""
    data = b'%s, "news": %s}' % (listed, json.dumps(news).encode())
    result = _component()(data=data, key=key, on_take_change=lambda: None)
    return getattr(result, "take", None)

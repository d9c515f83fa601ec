"""The feed: a list of alerts that grows without losing scroll or focus, and a chime for what is new."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dashboard.components.registered import component

_HTML = '<div class="feed"><div class="news" role="status" aria-live="polite"></div><ol></ol></div>'


@dataclass(frozen=True)
class FeedRow:
    """One incident in the feed, every word ready to be shown as it is; `alert` is the one that it opens."""

    id: str
    alert: str
    shape: str
    colour: str
    severity: str
    title: str
    detail: str
    when: str
    state: str
    takeable: bool
    notes: str = ""
    marks: tuple[str, ...] = ()


def packed(rows: Sequence[FeedRow], words: dict[str, str], height: str) -> bytes:
    """The list, the same for all browsers of people who may do the same; open-ended for each one's news."""
    data = {"words": words, "height": height, "rows": [asdict(row) for row in rows]}
    return json.dumps(data).encode()[:-1]


def show(listed: bytes, news: dict[str, Any], key: str) -> str | None:
    """The id of the incident that was just taken. `news`: the newest change, what to announce, how urgent."""
    data = b'%s, "news": %s}' % (listed, json.dumps(news).encode())
    result = component("feed", _HTML, "chime")(data=data, key=key, on_take_change=lambda: None)
    return getattr(result, "take", None)

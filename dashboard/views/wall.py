"""Wall mode: the live page for a screen that nobody touches."""

from __future__ import annotations

from dashboard import links, style, text
from dashboard.views import live


def show() -> None:
    style.apply_wall()
    live.tick(large=True)
    links.link("live", text.LEAVE_WALL, ":material/close_fullscreen:")

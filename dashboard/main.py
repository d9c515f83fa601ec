"""The script that Streamlit runs for every browser: who is signed in, and which pages there are for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import links, style
from dashboard.context import current_context
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views import account, alert, alerts, demo, detectors, health, live, wall
from dashboard.words import text

# Address, title, icon, what shows it, and the least role that finds it in the menu.
Entry = tuple[str, str, str, Callable[[], None], str]
ENTRIES: tuple[Entry, ...] = (
    ("live", text.live.TITLE, ":material/radar:", live.show, "viewer"),
    ("alerts", text.alerts.TITLE, ":material/notifications:", alerts.show, "viewer"),
    ("alert", text.alert.TITLE, ":material/notification_important:", alert.show, "viewer"),
    ("detectors", text.detectors.TITLE, ":material/tune:", detectors.show, "admin"),
    ("demo", text.demo.TITLE, ":material/theater_comedy:", demo.show, "staff"),
    ("health", text.health.TITLE, ":material/monitor_heart:", health.show, "viewer"),
    ("account", text.account.TITLE, ":material/person:", account.show, "viewer"),
    ("wall", text.live.WALL, ":material/tv:", wall.show, "viewer"),
)
HIDDEN = ("alert", "wall")
# A Material icon would be fetched from its maker's site for the tab.
ICON = Path(__file__).parent / "components" / "icon.svg"


@shows_failures
def main() -> None:
    shown = [entry for entry in ENTRIES if session.may(entry[4]) and _is_there(entry[0])]
    pages = {entry[0]: _page(entry) for entry in shown}
    links.remember(pages)
    st.navigation(list(pages.values()), position="top").run()


def _is_there(address: str) -> bool:
    return address != "demo" or current_context().demo


def _page(entry: Entry) -> Any:
    address, title, icon, show, _ = entry
    return st.Page(
        shows_failures(show),
        title=title,
        icon=icon,
        url_path=address,
        default=address == "live",
        visibility="hidden" if address in HIDDEN else "visible",
    )


st.set_page_config(page_title=text.terms.PRODUCT, page_icon=str(ICON), layout="wide")
style.apply()
main()

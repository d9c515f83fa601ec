"""The script that Streamlit runs for every browser: who is signed in, and which pages there are for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard import links, style
from dashboard.context import current_context
from dashboard.failures import shows_failures
from dashboard.sign_in import session
from dashboard.views import account, alert, alerts, demo, detectors, health, live, report, wall
from dashboard.words import text


@dataclass(frozen=True)
class PageEntry:
    """A page. `role` is the least that finds it; one that is not in the menu is reached from other pages."""

    address: str
    title: str
    icon: str
    show: Callable[[], None]
    role: str = "viewer"
    in_menu: bool = True
    demo_only: bool = False


ENTRIES = (
    PageEntry("live", text.live.TITLE, ":material/radar:", live.show),
    PageEntry("alerts", text.alerts.TITLE, ":material/notifications:", alerts.show),
    PageEntry("alert", text.alert.TITLE, ":material/notification_important:", alert.show, in_menu=False),
    PageEntry("detectors", text.detectors.TITLE, ":material/tune:", detectors.show, role="admin"),
    PageEntry("demo", text.demo.TITLE, ":material/theater_comedy:", demo.show, role="staff", demo_only=True),
    PageEntry("report", text.report.TITLE, ":material/assessment:", report.show),
    PageEntry("health", text.health.TITLE, ":material/monitor_heart:", health.show),
    PageEntry("account", text.account.TITLE, ":material/person:", account.show),
    PageEntry("wall", text.live.WALL, ":material/tv:", wall.show, in_menu=False),
)
# A Material icon would be fetched from its maker's site for the tab.
ICON = Path(__file__).parent / "components" / "icon.svg"
LOGO = Path(__file__).parent / "components" / "logo.svg"


@shows_failures
def main() -> None:
    shown = [entry for entry in ENTRIES if session.may(entry.role) and _is_there(entry)]
    pages = {entry.address: _page(entry) for entry in shown}
    links.remember(pages)
    st.logo(str(LOGO), size="large")
    st.navigation(list(pages.values()), position="top").run()


def _is_there(entry: PageEntry) -> bool:
    return current_context().demo or not entry.demo_only


def _title(entry: PageEntry) -> str:
    """Whoever looks at a page sees who is signed in."""
    mine = entry.show is account.show
    return text.account.TITLE_OF.format(session.account().name) if mine else entry.title


def _page(entry: PageEntry) -> Any:
    return st.Page(
        shows_failures(entry.show),
        title=_title(entry),
        icon=entry.icon,
        url_path=entry.address,
        default=entry is ENTRIES[0],
        visibility="visible" if entry.in_menu else "hidden",
    )


st.set_page_config(page_title=text.terms.PRODUCT, page_icon=str(ICON), layout="wide")
style.apply()
main()

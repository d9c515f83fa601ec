"""Which pages there are: the menu shows them, and the server knows their addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dashboard.views import (
    account,
    alert,
    alerts,
    demo,
    detectors,
    display,
    health,
    live,
    report,
    sites,
    wall,
    whereabouts,
)
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
    home_only: bool = False
    of_several: bool = False  # only where the account may go to more than one site


ENTRIES = (
    PageEntry("live", text.live.TITLE, ":material/radar:", live.show),
    PageEntry("alerts", text.alerts.TITLE, ":material/notifications:", alerts.show),
    PageEntry("alert", text.alert.TITLE, ":material/notification_important:", alert.show, in_menu=False),
    PageEntry("whereabouts", text.whereabouts.TITLE, ":material/pin_drop:", whereabouts.show, role="staff"),
    PageEntry("display", text.display.TITLE, ":material/tv:", display.show, home_only=True),
    PageEntry("detectors", text.detectors.TITLE, ":material/tune:", detectors.show, role="manager"),
    PageEntry("demo", text.demo.TITLE, ":material/theater_comedy:", demo.show, role="staff", demo_only=True),
    PageEntry("report", text.report.TITLE, ":material/assessment:", report.show),
    PageEntry("health", text.health.TITLE, ":material/monitor_heart:", health.show),
    PageEntry("sites", text.sites.TITLE, ":material/store:", sites.show, of_several=True),
    PageEntry("account", text.account.TITLE, ":material/person:", account.show),
    PageEntry("wall", text.live.WALL, ":material/tv:", wall.show, in_menu=False),
)

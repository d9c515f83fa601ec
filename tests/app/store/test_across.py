"""Across sites: an account finds, counts and changes what its own sites have, and no other's."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import (
    Account,
    Actor,
    Alert,
    Evidence,
    Filter,
    RefusedError,
    Site,
    SiteError,
    Switch,
)

ADMIN, MIA = Actor("ada", "admin"), Actor("mia", "manager", frozenset({"north", "south"}))
MANAGER = Account("mia", "manager", 1, True, ("north", "south"))
STAFF = Account("stan", "staff", 1, True, ("north",))
NAMES = ("east", "north", "south")
BLANK = Alert("a1", "s", "d", "1", "high", "Coat", "T1", "exit", 1, 2, 3, "", "", Evidence("", {}, ()))


@pytest.fixture
def three(store: sa.Engine) -> sa.Engine:
    """Each with the same alert and the same detector."""
    for name in NAMES:
        stores.add_site(store, ADMIN, Site(name, name.title(), "store", "Europe/Berlin"))
        at = stores.at_site(store, name)
        stores.record_alerts(at, [replace(BLANK, title=f"Coat of {name}")], 5)
        stores.record_defaults(at, [Switch("s", "shoplifting", True, {})], 5)
    return store


def enabled(store: sa.Engine) -> list[str]:
    return [
        name for name in NAMES if stores.switches(stores.at_site(store, name), "s")["shoplifting"].enabled
    ]


def test_alerts_are_searched_at_ones_own_sites(three: sa.Engine) -> None:
    found = stores.search_sites(three, MANAGER, Filter(text="coat"))
    assert [(one.site, one.alert.title) for one in found.alerts] == [
        ("north", "Coat of north"),
        ("south", "Coat of south"),
    ]
    assert found.total == 2
    assert stores.search_sites(three, MANAGER, Filter(), limit=1, offset=1).alerts[0].site == "south"
    assert stores.search_sites(three, MANAGER, Filter(), sites=["south"]).total == 1
    assert stores.search_sites(three, STAFF, Filter()).total == 1
    assert stores.search_sites(stores.at_site(three, "north"), MANAGER, Filter()).total == 2


def test_a_site_of_others_is_refused_whatever_is_asked_of_it(three: sa.Engine) -> None:
    for ask in (
        lambda: stores.search_sites(three, STAFF, Filter(), sites=["south"]),
        lambda: stores.report_sites(three, STAFF, 0, 10, ["south"]),
        lambda: stores.switches_of_sites(three, STAFF, ["south"]),
        lambda: stores.switch_sites(three, MIA, ["north", "east"], "shoplifting", now_ms=9, enabled=False),
        lambda: stores.switch_sites(
            three, Actor("stan", "staff", frozenset(NAMES)), ["north"], "shoplifting", now_ms=9, enabled=False
        ),
    ):
        with pytest.raises(RefusedError):
            ask()
    assert enabled(three) == list(NAMES)


def test_each_site_has_its_own_figures(three: sa.Engine) -> None:
    south = stores.at_site(three, "south")
    stores.resolve(south, ADMIN, ["a1"], "false alarm", "the till", now_ms=65)
    found = stores.report_sites(three, MANAGER, 0, 10)
    assert {name: (one.incidents, one.resolved, one.false) for name, one in found.items()} == {
        "north": (1, 0, 0),
        "south": (1, 1, 1),
    }
    assert (found["north"].to_resolve_ms, found["south"].to_resolve_ms) == ((), (60,))
    assert stores.report(south, "s", 0, 10) == found["south"]
    assert stores.report_sites(three, MANAGER, 5, 10)["north"].alerts == ()


def test_a_detector_changes_at_one_at_some_or_at_all_of_them(three: sa.Engine) -> None:
    stores.switch_sites(three, MIA, ["south"], "shoplifting", now_ms=9, enabled=False, reason="works")
    assert enabled(three) == ["east", "north"]
    stores.switch_sites(three, ADMIN, NAMES, "shoplifting", now_ms=10, enabled=False, reason="all")
    assert enabled(three) == []
    stores.switch_sites(three, MIA, ["north", "south"], "shoplifting", now_ms=11, parameters={"memory": 7})
    told = stores.switch_history_of_sites(three, MANAGER, "shoplifting")
    assert [(one.site, one.change.actor, one.change.at_ms) for one in told[:5]] == [
        ("south", "mia", 11),
        ("north", "mia", 11),
        ("south", "ada", 10),
        ("north", "ada", 10),
        ("south", "mia", 9),
    ]
    assert {one.site for one in told} == {"north", "south"}
    assert stores.switches_of_sites(three, STAFF)[0].switch.parameters == {"memory": 7}


def test_where_one_site_does_not_have_the_detector_none_is_changed(three: sa.Engine) -> None:
    stores.add_site(three, ADMIN, Site("west", "West", "store", "Europe/Berlin"))
    with pytest.raises(LookupError, match="west"):
        stores.switch_sites(three, ADMIN, [*NAMES, "west"], "shoplifting", now_ms=9, enabled=False)
    assert enabled(three) == list(NAMES)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"x": 1.0}, "two coordinates"),
        ({"x": 200.0, "y": 0.0, "on_earth": True}, "longitude"),
        ({"x": float("nan"), "y": 0.0}, "numbers"),
    ],
)
def test_a_place_that_is_none_is_refused(store: sa.Engine, changes: dict[str, float], fault: str) -> None:
    with pytest.raises(SiteError, match=fault):
        stores.add_site(store, ADMIN, replace(Site("north", "N", "store", "Europe/Berlin"), **changes))
    assert stores.list_sites(store) == []

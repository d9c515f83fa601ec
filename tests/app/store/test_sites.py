"""Sites that share a store: each sees and changes its own, and an old store is that of one without a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import (
    AccountError,
    Actor,
    Alert,
    Aside,
    Evidence,
    Filter,
    HeldReadings,
    IncidentTie,
    LifeError,
    Position,
    ReaderState,
    RefusedError,
    Retention,
    Silence,
    Site,
    SiteError,
    Switch,
)
from app.store.schema import metadata

ADMIN = Actor("ada", "admin")
DAY = 86_400_000
PASSWORD = "correct horse battery"
BLANK = Alert(
    "a1", "s", "d", "1", "high", "Title", "T1", "exit", 1, 2, 3, "", "", Evidence("", {}, ()),
    ties=(IncidentTie("same", 10),),
)  # fmt: skip
HOSTILE = [
    "", " ", "a b", "a/b", "../a", "#", "+", "*", ">", "a.b", "a#", "$SYS", "Berlin", "münchen", "北京",
    "a\n", "a\0", "-a", "a-b", "1a", "x" * 5_000, "readings", "simulator", "control",
    "'; DROP TABLE alerts; --",
]  # fmt: skip


def at(store: sa.Engine, name: str) -> sa.Engine:
    stores.add_site(store, ADMIN, Site(name, name.title(), "store", "Europe/Berlin", added_ms=1))
    return stores.at_site(store, name)


def fill(store: sa.Engine, at_ms: int = 5) -> None:
    """Something of everything that a site has."""
    stores.record_defaults(store, [Switch("s", "shoplifting", True, {})], at_ms)
    stores.record_alerts(store, [BLANK, replace(BLANK, id="a2")], at_ms)
    stores.record_aside(store, [Aside("x", "late", at_ms, "r1", "why", "{}")])
    stores.record_metrics(store, {"lag_rows": 1.0}, at_ms)
    stores.record_part(store, "ingest", "up", "", at_ms)
    with stores.writing(store) as connection:
        stores.record_readers(connection, [ReaderState("r1", "exit", at_ms), ReaderState("r2", "exit")])
        stores.record_silences(connection, [Silence("r1", 1, at_ms)])
        stores.record_held(connection, [HeldReadings("r1", 1, at_ms, 1, 1)])
        stores.record_positions(connection, [Position("t", "i", "exit", "r1", at_ms)])


def seen(store: sa.Engine) -> dict[str, Any]:
    """What the functions of the store tell of a site."""
    return {
        "alerts": [replace(one, change=0) for one in stores.all_alerts(store, Filter())],
        "open": [one.id for one in stores.open_alerts(store, 10)],
        "counts": stores.open_counts(store, 10),
        "incidents": [one.id for one in stores.open_incidents(store, 10)],
        "steps": stores.alert_history(store, "a1"),
        "search": stores.search(store, Filter(text="title")).total,
        "changes": len(stores.changes_since(store, 0).alerts),
        "switches": stores.switches(store, "s"),
        "past": stores.switch_history(store, "s"),
        "aside": stores.list_aside(store, "late"),
        "latest": stores.latest(store),
        "totals": stores.totals(store),
        "parts": stores.list_parts(store),
        "readers": stores.list_readers(store),
        "silences": stores.silences_between(store, 0, 10),
        "held": stores.list_held(store, 0),
        "positions": stores.positions(store),
        "trail": stores.trail(store, 0, 10),
        "standing": stores.standing(store, 10, ["t"]),
        "waiting": [(one.topic, one.payload) for one in stores.unsent(store)],
    }


def rows(store: sa.Engine) -> dict[str, list[Mapping[str, Any]]]:
    """Everything that is in the tables."""
    found = sa.MetaData()
    found.reflect(store)
    with store.execution_options(vigil_site=None).connect() as connection:
        return {
            name: [dict(row._mapping) for row in connection.execute(sa.select(table))]
            for name, table in found.tables.items()
            if name != "alembic_version"
        }


def test_two_sites_with_the_same_tags_readers_and_ids_are_as_if_each_were_alone(store: sa.Engine) -> None:
    north, south = at(store, "north"), at(store, "south")
    nothing = seen(south)
    fill(north)
    assert seen(south) == nothing
    assert seen(store) == nothing
    alone = seen(north)
    assert all(alone.values())
    fill(south)
    fill(store)
    assert seen(north) == seen(south) == seen(store) == alone


def test_what_is_done_at_one_site_is_not_done_at_the_other(store: sa.Engine) -> None:
    north, south = at(store, "north"), at(store, "south")
    fill(north)
    fill(south)
    before = seen(south)
    stores.take(north, ADMIN, ["a1"], now_ms=6)
    stores.close_by_rule(north, ["a2"], "it is back", 6)
    stores.switch(north, ADMIN, "s", "shoplifting", enabled=False, now_ms=6)
    stores.mark_sent(north, [one.number for one in stores.unsent(north)], 6)
    stores.forget_parts(north)
    with stores.writing(north) as connection:
        stores.cut_silences(connection, Silence("r1", 0, 10))
    gone = stores.apply_retention(north, Retention(alerts_days=1), 400 * DAY)
    assert gone["alerts"] == 1
    assert gone["metrics"] == gone["moves"] == 1
    assert seen(south) == before


def test_an_alert_of_another_site_cannot_be_found_or_treated(store: sa.Engine) -> None:
    north, south = at(store, "north"), at(store, "south")
    fill(north)
    assert stores.find_alert(south, "a1") is None
    assert stores.alert_history(south, "a1") == []
    with pytest.raises(LifeError):
        stores.take(south, ADMIN, ["a1"], now_ms=6)
    with pytest.raises(LookupError):
        stores.switch(south, ADMIN, "s", "shoplifting", enabled=False, now_ms=6)


def test_every_table_that_a_site_writes_has_the_site_in_its_key(store: sa.Engine) -> None:
    found = sa.inspect(store)
    for table in metadata.sorted_tables:
        key = found.get_pk_constraint(table.name)["constrained_columns"]
        assert key == [column.name for column in table.primary_key], table.name
    shared = {"accounts", "account_history", "account_sites", "sites"}
    assert {table.name for table in metadata.sorted_tables if "site" not in table.c} == shared


def test_removing_a_site_takes_all_that_is_its_and_nothing_else(store: sa.Engine) -> None:
    north, south = at(store, "north"), at(store, "south")
    fill(north)
    fill(south)
    before = seen(south)
    stores.remove_site(store, ADMIN, "north")
    assert not any(row.get("site") == "north" for table in rows(store).values() for row in table)
    assert [site.name for site in stores.list_sites(store)] == ["south"]
    assert seen(south) == before
    with pytest.raises(SiteError, match="no site north"):
        stores.remove_site(store, ADMIN, "north")


def test_what_a_removed_site_still_writes_is_not_found_by_one_that_takes_its_name(store: sa.Engine) -> None:
    north = at(store, "north")
    nothing = seen(north)
    stores.remove_site(store, ADMIN, "north")
    fill(north)
    assert seen(at(store, "north")) == nothing
    fill(north)
    stores.forget_removed(north)
    assert any(seen(north).values())  # it is there again: nothing is forgotten
    stores.remove_site(store, ADMIN, "north")
    fill(north)
    stores.forget_removed(north)
    assert seen(north) == nothing


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_means_something_in_topics_subjects_or_paths_is_refused_in_words(
    store: sa.Engine, name: str
) -> None:
    with pytest.raises(SiteError) as raised:
        stores.add_site(store, ADMIN, Site(name, "Title", "store", "Europe/Berlin"))
    assert "site" in str(raised.value)
    assert len(str(raised.value)) < 200
    assert stores.list_sites(store) == []


def test_a_site_is_added_once_and_by_admins_only(store: sa.Engine) -> None:
    at(store, "north")
    with pytest.raises(SiteError, match="already"):
        at(store, "north")
    for role in ("viewer", "staff", "manager"):
        with pytest.raises(RefusedError):
            stores.add_site(store, Actor("mia", role), Site("south", "South", "store", "UTC"))
        with pytest.raises(RefusedError):
            stores.remove_site(store, Actor("mia", role), "north")


def test_staff_have_one_site_managers_several_and_admins_all(store: sa.Engine) -> None:
    north = at(store, "north")
    at(store, "south")
    stan = stores.add_account(north, ADMIN, "stan", "staff", PASSWORD, now_ms=1)
    mia = stores.add_account(store, ADMIN, "mia", "manager", PASSWORD, now_ms=1, sites=["north", "south"])
    ada = stores.add_account(store, ADMIN, "ada", "admin", PASSWORD, now_ms=1)
    may = {one.name: [one.may_enter(site) for site in ("", "north", "south")] for one in (stan, mia, ada)}
    assert may == {
        "stan": [False, True, False],
        "mia": [False, True, True],
        "ada": [True, True, True],
    }
    assert stores.find_account(store, "mia") == mia
    with pytest.raises(AccountError, match="several are for a manager"):
        stores.set_sites(store, ADMIN, "stan", ["north", "south"], now_ms=2)
    with pytest.raises(AccountError, match="several are for a manager"):
        stores.set_role(store, ADMIN, "mia", "staff", now_ms=2)
    with pytest.raises(AccountError, match="no site west"):
        stores.set_sites(store, ADMIN, "mia", ["west"], now_ms=2)
    with pytest.raises(RefusedError):
        stores.set_sites(store, Actor("mia", "manager"), "mia", ["north"], now_ms=2)
    stores.set_sites(store, ADMIN, "mia", ["south"], now_ms=2)
    found = stores.find_account(store, "mia")
    assert found is not None
    assert (found.sites, found.generation) == (("south",), 2)
    stores.remove_site(store, ADMIN, "south")
    found = stores.find_account(store, "mia")
    assert found is not None
    assert found.sites == ()


def test_nobody_changes_anything_at_a_site_that_is_not_theirs(store: sa.Engine) -> None:
    north, south = at(store, "north"), at(store, "south")
    fill(north)
    fill(south)
    stan = Actor("stan", "staff", frozenset({"north"}))
    mia = Actor("mia", "manager", frozenset({"north"}))
    stores.take(north, stan, ["a1"], now_ms=6)
    stores.switch(north, mia, "s", "shoplifting", enabled=False, now_ms=6)
    with pytest.raises(RefusedError, match="needs the role manager"):
        stores.switch(north, stan, "s", "shoplifting", enabled=True, now_ms=6)
    before = seen(south)
    with pytest.raises(RefusedError, match="at south"):
        stores.take(south, stan, ["a1"], now_ms=6)
    with pytest.raises(RefusedError, match="at south"):
        stores.switch(south, mia, "s", "shoplifting", enabled=False, now_ms=6)
    with pytest.raises(RefusedError, match="at south"):
        stores.undo(south, mia, "s", "shoplifting", 1, now_ms=6)
    with pytest.raises(RefusedError, match="at south"):
        stores.stage(south, mia, {"incident": "theft"}, now_ms=6)
    assert seen(south) == before


def test_how_sites_stand_is_told_to_those_who_may_go_there(store: sa.Engine) -> None:
    north, south = at(store, "north"), at(store, "south")
    fill(north)
    other = replace(BLANK, id="b", severity="critical", ties=(), occurred_ms=50)
    stores.record_alerts(north, [other, replace(other, id="c")], 5)
    stores.snooze(north, ADMIN, ["c"], 90_000, now_ms=6)
    stan = stores.add_account(north, ADMIN, "stan", "staff", PASSWORD, now_ms=1)
    [mine] = stores.site_states(store, stan, 10_000)
    assert (mine.name, mine.title, mine.open) == ("north", "North", {"high": 1, "critical": 1})
    assert (mine.readers, mine.down, mine.heard_ms, mine.cut_off_ms) == (2, 1, 5, None)
    [late] = stores.site_states(store, stan, 100_000)
    assert late.cut_off_ms == 5
    ada = stores.add_account(store, ADMIN, "ada", "admin", PASSWORD, now_ms=1)
    assert [one.name for one in stores.site_states(south, ada, 10)] == ["north", "south"]


def test_a_store_of_before_sites_is_that_of_the_one_without_a_name(store_url: str) -> None:
    engine = stores.connect(store_url)
    stores.migrate(engine, "0005")
    old = sa.MetaData()
    old.reflect(engine)
    with stores.writing(engine) as connection:
        for table in old.sorted_tables:
            if table.name != "alembic_version":
                connection.execute(sa.insert(table), [{c.name: _value(c) for c in table.columns}])
    before = rows(engine)
    stores.migrate(engine)
    after = rows(engine)
    assert after.pop("account_sites") == [{"account": "v", "enters": ""}]
    assert after.pop("sites") == []
    accounts = ("accounts", "account_history")
    assert after == {
        name: [dict(row) | ({} if name in accounts else {"site": ""}) for row in found]
        for name, found in before.items()
    }
    with stores.writing(engine) as connection:
        connection.execute(sa.delete(metadata.tables["alerts"]))
    assert rows(engine)["alert_history"] == []
    engine.dispose()


def test_sites_of_before_there_was_a_map_go_on_without_a_place(store_url: str) -> None:
    engine = stores.connect(store_url)
    stores.migrate(engine, "0006")
    old = sa.MetaData()
    old.reflect(engine, only=["sites"])
    with stores.writing(engine) as connection:
        connection.execute(
            sa.insert(old.tables["sites"]),
            [{c.name: _value(c) for c in old.tables["sites"].columns} | {"name": "north"}],
        )
    stores.migrate(engine)
    [site] = stores.list_sites(engine)
    assert (site.name, site.title, site.x, site.y, site.on_earth) == ("north", "v", None, None, False)
    engine.dispose()


def _value(column: sa.Column[Any]) -> Any:
    kind = column.type.python_type
    return {str: "v", int: 1, float: 0.5, bool: True}.get(kind, {"text": "v"})

"""Detectors switched and tuned: what stands, who changed it, and what the pipeline is told."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Actor, Switch

ADMIN = Actor("ada", "admin")
DEFAULTS = [
    Switch("shop", "shoplifting", True, {"window": 12}),
    Switch("shop", "sweep", False, {}),
]


@pytest.fixture
def shop(store: sa.Engine) -> sa.Engine:
    stores.record_defaults(store, DEFAULTS, now_ms=1)
    return store


def test_a_scenarios_own_settings_stand_until_somebody_changes_them(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "sweep", enabled=True, now_ms=2)
    stores.record_defaults(shop, DEFAULTS, now_ms=3)
    assert stores.switches(shop, "shop") == {
        "shoplifting": DEFAULTS[0],
        "sweep": Switch("shop", "sweep", True, {}, revision=1),
    }


def test_a_change_leaves_the_rest_as_it_was(shop: sa.Engine) -> None:
    changed = stores.switch(shop, ADMIN, "shop", "shoplifting", parameters={"window": 6}, now_ms=2)
    assert changed == Switch("shop", "shoplifting", True, {"window": 6}, revision=1)


def test_the_running_pipeline_is_told_about_a_change(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=False, now_ms=2)
    [message] = stores.unsent(shop)
    assert message.topic == "vigil/control"
    told = json.loads(message.payload)
    assert (told["detector"], told["enabled"], told["revision"], told["actor"]) == (
        "shoplifting",
        False,
        1,
        "ada",
    )


def test_every_change_is_on_record_and_can_be_undone(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "shoplifting", parameters={"window": 6}, now_ms=2)
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=False, now_ms=3)
    undone = stores.undo(shop, ADMIN, "shop", "shoplifting", 1, now_ms=4)
    assert (undone.enabled, undone.parameters) == (True, {"window": 12})
    lines = stores.switch_history(shop, "shop", "shoplifting")
    assert [(line.revision, line.actor, line.undoes) for line in lines] == [
        (3, "ada", 1),
        (2, "ada", None),
        (1, "ada", None),
        (0, "scenario file", None),
    ]


def test_the_first_setting_cannot_be_undone(shop: sa.Engine) -> None:
    with pytest.raises(LookupError, match="no change before revision 0"):
        stores.undo(shop, ADMIN, "shop", "shoplifting", 0, now_ms=4)


def test_the_history_shows_when_the_pipeline_followed(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "sweep", enabled=True, now_ms=2)
    stores.record_applied(shop, "shop", "sweep", 1, now_ms=3)
    stores.record_applied(shop, "shop", "sweep", 1, now_ms=9)
    [latest, *_] = stores.switch_history(shop, "shop", "sweep")
    assert latest.applied_ms == 3


def test_an_unknown_detector_is_said_to_be_unknown(shop: sa.Engine) -> None:
    with pytest.raises(LookupError, match="scenario shop has no detector typo"):
        stores.switch(shop, ADMIN, "shop", "typo", enabled=True, now_ms=2)


@pytest.mark.parametrize("role", ["viewer", "staff"])
def test_only_admins_switch_and_undo(shop: sa.Engine, role: str) -> None:
    with pytest.raises(stores.RefusedError, match="needs the role admin"):
        stores.switch(shop, Actor("stan", role), "shop", "sweep", enabled=True, now_ms=2)
    with pytest.raises(stores.RefusedError, match="needs the role admin"):
        stores.undo(shop, Actor("stan", role), "shop", "sweep", 1, now_ms=2)
    assert stores.unsent(shop) == []


def test_a_detector_that_a_file_switches_on_later_is_told_to_the_running_pipeline(store: sa.Engine) -> None:
    stores.record_defaults(store, DEFAULTS, now_ms=1)
    assert stores.unsent(store) == []
    stores.record_defaults(store, [*DEFAULTS, Switch("shop", "clock", True, {})], now_ms=2)
    [told] = stores.unsent(store)
    assert json.loads(told.payload)["detector"] == "clock"

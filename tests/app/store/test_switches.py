"""Detectors switched and tuned: what stands, who changed it, and what the pipeline is told."""

from __future__ import annotations

import json

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Actor, Filter, Switch, SwitchedOff
from app.store.database import connect, migrate

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
def test_only_managers_and_admins_switch_and_undo(shop: sa.Engine, role: str) -> None:
    with pytest.raises(stores.RefusedError, match="needs the role manager"):
        stores.switch(shop, Actor("stan", role), "shop", "sweep", enabled=True, now_ms=2)
    with pytest.raises(stores.RefusedError, match="needs the role manager"):
        stores.undo(shop, Actor("stan", role), "shop", "sweep", 1, now_ms=2)
    assert stores.unsent(shop) == []


def test_a_detector_that_a_file_switches_on_later_is_told_to_the_running_pipeline(store: sa.Engine) -> None:
    stores.record_defaults(store, DEFAULTS, now_ms=1)
    assert stores.unsent(store) == []
    stores.record_defaults(store, [*DEFAULTS, Switch("shop", "clock", True, {})], now_ms=2)
    [told] = stores.unsent(store)
    assert json.loads(told.payload)["detector"] == "clock"


def test_a_detector_that_is_off_says_who_since_when_why_and_until_when(shop: sa.Engine) -> None:
    stores.switch(
        shop, ADMIN, "shop", "shoplifting", enabled=False, reason=" stocktaking ", until_ms=90, now_ms=5
    )
    stores.switch(shop, Actor("bo", "admin"), "shop", "shoplifting", parameters={"window": 6}, now_ms=7)
    assert stores.switched_off(shop, "shop") == [SwitchedOff("shoplifting", "ada", 5, "stocktaking", 90)]
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=True, now_ms=9)
    assert stores.switched_off(shop, "shop") == []
    assert stores.switches(shop, "shop")["shoplifting"].reason == ""


def test_a_detector_that_never_was_on_is_not_told_as_switched_off(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "sweep", parameters={"count": 3}, now_ms=5)
    assert stores.switched_off(shop, "shop") == []


def test_a_detector_goes_on_by_itself_once_at_the_end_of_its_time(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=False, until_ms=90, now_ms=5)
    assert stores.switch_on_due(shop, "shop", 89) == []
    assert stores.switch_on_due(shop, "shop", 90) == ["shoplifting"]
    assert stores.switch_on_due(shop, "shop", 91) == []
    newest = stores.switch_history(shop, "shop", "shoplifting")[0]
    assert (newest.enabled, newest.actor, newest.at_ms) == (True, "pipeline", 90)
    assert json.loads(stores.unsent(shop)[-1].payload)["enabled"] is True


def test_undoing_brings_a_time_off_back_as_far_as_it_is_not_over(shop: sa.Engine) -> None:
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=False, reason="stock", until_ms=90, now_ms=5)
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=True, now_ms=6)
    again = stores.undo(shop, ADMIN, "shop", "shoplifting", 2, now_ms=7)
    assert (again.enabled, again.reason, again.until_ms) == (False, "stock", 90)
    stores.switch(shop, ADMIN, "shop", "shoplifting", enabled=True, now_ms=95)
    assert stores.undo(shop, ADMIN, "shop", "shoplifting", 4, now_ms=96).until_ms is None


def test_a_store_from_before_has_no_reasons_and_its_notes_are_found(store_url: str) -> None:
    engine = connect(store_url)
    migrate(engine, "0004")
    with engine.begin() as connection:
        for line in _BEFORE:
            connection.execute(sa.text(line))
    migrate(engine)
    off = stores.switches(engine, "shop")["shoplifting"]
    found = [
        stores.search(engine, Filter(text=words)).total for words in ("receipt", "FALSE alarm", "stan", "ada")
    ]
    engine.dispose()
    assert (off.enabled, off.reason, off.until_ms) == (False, "", None)
    assert found == [1, 1, 1, 0]


_BEFORE = (
    "INSERT INTO switches (scenario, detector, enabled, parameters, revision) "
    "VALUES ('shop', 'shoplifting', false, '{}', 1)",
    """INSERT INTO alerts (id, change, scenario, detector, version, severity, title, subject, area,
        started_ms, occurred_ms, detected_ms, stored_ms, explanation, advice, evidence, unproven, state,
        owner, resolution, reason, incident, words)
    VALUES ('old', 1, 's', 'd', '1', 'low', '', 'T1', '', 0, 0, 0, 0, 'left unpaid', '',
        '{"query": "", "parameters": {}, "events": [], "absent": [], "clauses": []}', false, 'resolved',
        'stan', 'false alarm', 'paid', 'old', 'left unpaid')""",
    "INSERT INTO alert_history (alert, at_ms, actor, action, detail) "
    "VALUES ('old', 0, 'stan', 'noted', '{\"text\": \"Has a Receipt\"}')",
)

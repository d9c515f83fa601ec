"""How sure an alert is: told in words, kept, found and sorted by; alerts of before say nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import sqlalchemy as sa

from app import store as stores
from app.store import Alert, Evidence, Filter
from app.store.alerts.confidence import in_words
from app.store.database import connect, migrate

BLANK = Alert("a1", "s", "d", "1", "low", "", "T1", "", 0, 0, 0, "left unpaid", "", Evidence("", {}, ()))
SURE = {"a": 0.97, "b": 0.6, "c": None, "d": 1.0}


@pytest.fixture
def recorded(store: sa.Engine) -> sa.Engine:
    found = [replace(BLANK, id=name, probability=sure) for name, sure in SURE.items()]
    stores.record_alerts(store, found, now_ms=1)
    return store


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (None, ""),
        (1.0, ""),
        (0.9999, "over 99% sure"),
        (0.96, "96% sure"),
        (0.969, "96% sure"),
        (0.29, "29% sure"),
        (0.004, "under 1% sure"),
    ],
)
def test_an_alert_is_never_told_surer_than_it_is(probability: float | None, words: str) -> None:
    assert in_words(probability) == words


def test_the_doubt_stands_before_the_explanation() -> None:
    assert replace(BLANK, probability=0.96).told == "96% sure: left unpaid"
    assert BLANK.told == replace(BLANK, probability=1.0).told == "left unpaid"


def test_what_goes_out_says_how_sure_it_is(recorded: sa.Engine) -> None:
    told = [message for message in stores.unsent(recorded) if message.topic.startswith("vigil/alerts/")]
    sent = [json.loads(message.payload) for message in told]
    assert {one["id"]: one["probability"] for one in sent} == SURE
    assert {one["id"]: one["told"] for one in sent} == {
        "a": "97% sure: left unpaid",
        "b": "60% sure: left unpaid",
        "c": "left unpaid",
        "d": "left unpaid",
    }


def test_alerts_are_found_by_how_sure_they_are(recorded: sa.Engine) -> None:
    def found(least: float) -> set[str]:
        return {one.id for one in stores.search(recorded, Filter(least_sure=least)).alerts}

    assert found(0.9) == {"a", "d"}
    assert found(0.5) == {"a", "b", "d"}


@pytest.mark.parametrize(
    ("order", "ids"), [("surest", "dabc"), ("most doubtful", "badc"), ("newest", "dcba")]
)
def test_alerts_are_sorted_by_how_sure_they_are_and_the_unknown_come_last(
    recorded: sa.Engine, order: str, ids: str
) -> None:
    assert "".join(one.id for one in stores.search(recorded, Filter(), order=order).alerts) == ids


def test_an_export_has_the_confidence_in_a_column(recorded: sa.Engine) -> None:
    lines = list(stores.as_csv(stores.all_alerts(recorded, Filter())))
    column = lines[0].strip().split(",").index("probability")
    assert [line.strip().split(",")[column] for line in lines[1:]] == ["0.97", "0.6", "", "1.0"]


def test_alerts_from_before_have_no_confidence_and_keep_their_history(store_url: str) -> None:
    engine = connect(store_url)
    migrate(engine, "0002")
    with engine.begin() as connection:
        connection.execute(sa.text(_OLD_ALERT))
        connection.execute(sa.text(_OLD_STEP))
    migrate(engine)
    found = stores.find_alert(engine, "old")
    steps = stores.alert_history(engine, "old")
    engine.dispose()
    assert found is not None
    assert (found.probability, found.told) == (None, "left unpaid")
    assert [step.action for step in steps] == ["raised"]


_OLD_ALERT = """
    INSERT INTO alerts (id, change, scenario, detector, version, severity, title, subject, area, started_ms,
        occurred_ms, detected_ms, stored_ms, explanation, advice, evidence, unproven, probability, state,
        words)
    VALUES ('old', 1, 's', 'd', '1', 'low', '', 'T1', '', 0, 0, 0, 0, 'left unpaid', '',
        '{"query": "", "parameters": {}, "events": [], "absent": [], "clauses": []}', false, 1.0, 'new', '')
"""
_OLD_STEP = """
    INSERT INTO alert_history (alert, at_ms, actor, action, detail)
    VALUES ('old', 0, 'pipeline', 'raised', '{}')
"""

"""What managers ask for, counted from alerts, their history, movements and silences."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from app import store as stores
from app.store import Actor, Alert, Evidence, Position, Seen, Silence

STAFF = Actor("stan", "staff")
BLANK = Alert(
    "a", "shop", "shoplifting", "1", "high", "", "T1", "exit", 0, 0, 0, "", "", Evidence("", {}, ())
)


def taken_out(id_: str, item: str, price: float, at_ms: int) -> Alert:
    seen = (Seen("z", "EXIT-READING", at_ms, "exit", "gate", {"id": item, "price": price}),)
    return replace(BLANK, id=id_, subject=item, occurred_ms=at_ms, evidence=Evidence("", {}, seen))


def treated(store: sa.Engine) -> None:
    alerts = [
        taken_out("lost", "I1", 40.0, 100),
        taken_out("lost again", "I1", 40.0, 110),
        taken_out("back", "I2", 15.5, 120),
        taken_out("wrong", "I3", 99.0, 130),
        taken_out("open", "I4", 7.0, 140),
        taken_out("another day", "I5", 1.0, 9_000),
    ]
    stores.record_alerts(store, alerts, now_ms=200)
    stores.take(store, STAFF, ["lost"], now_ms=260)
    stores.take(store, STAFF, ["wrong"], now_ms=300)
    stores.resolve(store, STAFF, ["lost", "lost again"], "theft", "", now_ms=500)
    stores.resolve(store, STAFF, ["back"], "returned", "", now_ms=600)
    stores.resolve(store, STAFF, ["wrong"], "false alarm", "paid", now_ms=700)


def test_value_is_counted_once_per_item_by_what_became_of_it(store: sa.Engine) -> None:
    treated(store)
    found = stores.report(store, "shop", 0, 1_000)
    assert (found.lost, found.recovered, found.undecided) == (40.0, 15.5, 7.0)
    assert (len(found.alerts), found.resolved, found.false) == (5, 4, 1)
    assert found.by("area") == {"exit": 5}


def test_the_times_to_take_and_to_resolve_are_those_of_people(store: sa.Engine) -> None:
    treated(store)
    stores.close_by_rule(store, ["open"], "it came after all", now_ms=201)
    found = stores.report(store, "shop", 0, 1_000)
    assert sorted(found.to_take_ms) == [60, 100]
    assert (found.take_ms, found.resolve_ms) == (80, 350)


def test_exits_count_things_that_were_seen_there(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        for at, area in ((100, "shelf"), (200, "exit"), (5_000, "exit")):
            stores.record_positions(connection, [Position("T1", "", area, "r", at)])
    assert stores.report(store, "shop", 0, 1_000, ["exit"]).passages == 1


def test_a_time_without_alerts_has_no_times_and_no_value(store: sa.Engine) -> None:
    found = stores.report(store, "shop", 0, 1_000)
    assert (found.incidents, found.lost, found.take_ms, found.resolve_ms) == (0, 0.0, None, None)


def test_a_reader_was_heard_when_neither_it_nor_vigil_was_silent(store: sa.Engine) -> None:
    silences = [Silence("gate", 100, 300), Silence(stores.VIGIL, 250, 350), Silence("till", 900, None)]
    with stores.writing(store) as connection:
        stores.record_silences(connection, silences)
    assert stores.availability(store, ["gate", "till", "shelf"], 0, 1_000) == {
        "gate": 0.75,
        "till": 0.8,
        "shelf": 0.9,
    }

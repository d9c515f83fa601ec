"""Readers, parts, places, metrics and rows set aside as the pages read them, and what retention deletes."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from app import store as stores
from app.store import (
    Alert,
    Aside,
    Evidence,
    ItemMove,
    PartState,
    Point,
    Position,
    ReaderState,
    Retention,
    Silence,
)

DAY = 86_400_000
READER = ReaderState("R1", "denim", last_seen_ms=5, readings=10, per_second=2.5)


def test_a_reader_is_kept_as_it_last_stood(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        stores.record_readers(connection, [READER, ReaderState("R2", "till")])
        stores.record_readers(connection, [replace(READER, silent_since_ms=5)])
    assert stores.list_readers(store) == [replace(READER, silent_since_ms=5), ReaderState("R2", "till")]


def test_silences_are_found_by_the_stretch_they_touch(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        stores.record_silences(connection, [Silence("R1", 10, None), Silence("R2", 10, 20)])
        stores.record_silences(connection, [Silence("R1", 10, 30)])
    assert stores.silences_between(store, 25, 40) == [Silence("R1", 10, 30)]
    assert stores.silences_between(store, 20, 25) == [Silence("R1", 10, 30), Silence("R2", 10, 20)]
    assert stores.silences_between(store, 31, 40) == []


def test_a_silence_without_end_goes_on(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        stores.record_silences(connection, [Silence("R1", 10, None)])
    assert stores.silences_between(store, 1_000, 2_000) == [Silence("R1", 10, None)]


def test_a_part_says_since_when_it_is_in_its_state(store: sa.Engine) -> None:
    stores.record_part(store, "ingest", "up", "", now_ms=1)
    stores.record_part(store, "ingest", "up", "120/s", now_ms=2)
    assert stores.list_parts(store) == [PartState("ingest", "up", 1, 2, "120/s")]
    stores.record_part(store, "ingest", "down", "exit code 1", now_ms=3)
    assert stores.list_parts(store) == [PartState("ingest", "down", 3, 3, "exit code 1")]
    stores.forget_parts(store)
    assert stores.list_parts(store) == []


def test_an_items_place_is_where_it_was_last_seen(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        stores.record_positions(connection, [Position("T1", "Jeans", "denim", "R1", 10)])
        stores.record_positions(connection, [Position("T1", "Jeans", "denim", "R1", 20)])
        stores.record_positions(connection, [Position("T1", "Jeans", "exit", "R3", 30)])
    assert stores.positions(store) == [Position("T1", "Jeans", "exit", "R3", 30)]
    assert stores.positions(store, since_ms=30) == []
    assert stores.find_position(store, "T1") == Position("T1", "Jeans", "exit", "R3", 30)
    assert stores.find_position(store, "T9") is None


def test_the_trail_holds_moves_between_areas_only(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        for at_ms, area in ((10, "denim"), (20, "denim"), (30, "exit")):
            stores.record_positions(connection, [Position("T1", "Jeans", area, "R1", at_ms)])
    moves = [ItemMove("T1", 10, "denim", "R1"), ItemMove("T1", 30, "exit", "R1")]
    assert stores.trail(store, 0, 100) == moves
    assert stores.trail(store, 11, 100) == moves[1:]
    assert stores.standing(store, 29, ["T1", "T2"]) == moves[:1]


def test_metrics_are_series_with_a_latest_point(store: sa.Engine) -> None:
    stores.record_metrics(store, {"readings": 5, "delay_ms": 300}, now_ms=1)
    stores.record_metrics(store, {"readings": 7}, now_ms=2)
    assert stores.series(store, "readings", 0) == [Point(1, 5.0), Point(2, 7.0)]
    assert stores.series(store, "readings", 2, 9) == [Point(2, 7.0)]
    assert stores.latest(store) == {"readings": Point(2, 7.0), "delay_ms": Point(1, 300.0)}


def test_rows_set_aside_are_counted_once_and_can_be_looked_into(store: sa.Engine) -> None:
    late = Aside("e1", "late", 1, "R1", "2 s later than allowed", '{"tag": "T1"}')
    dead = Aside("d1", "dead", 2, "vigil/readings/R1", "not JSON", "<b>")
    stores.record_aside(store, [late, dead, dead])
    stores.record_aside(store, [late])
    assert stores.list_aside(store, "late") == [late]
    assert stores.list_aside(store, "dead") == [dead]
    assert stores.totals(store) == {"late": 1, "dead": 1}


def test_retention_deletes_what_is_old_and_resolved(store: sa.Engine) -> None:
    blank = Alert("a1", "s", "d", "1", "low", "", "T1", "", 0, 0, 0, "", "", Evidence("", {}, ()))
    stores.record_alerts(store, [blank, replace(blank, id="a2")], now_ms=0)
    stores.resolve(store, stores.Actor("stan", "staff"), ["a1"], "theft", "", now_ms=0)
    stores.record_metrics(store, {"readings": 5}, now_ms=0)
    gone = stores.apply_retention(store, Retention(alerts_days=30), now_ms=31 * DAY)
    assert (gone["alerts"], gone["metrics"]) == (1, 1)
    assert stores.alert_history(store, "a1") == []
    assert stores.find_alert(store, "a2") is not None


def test_sent_messages_leave_the_outbox_in_order(store: sa.Engine) -> None:
    blank = Alert("a1", "s", "d", "1", "low", "", "T1", "", 0, 0, 0, "", "", Evidence("", {}, ()))
    stores.record_alerts(store, [blank, replace(blank, id="a2", severity="high")], now_ms=0)
    first, *rest = stores.unsent(store)
    topics = ["vigil/alerts/low", "vigil/alerts/high", "vigil/incidents/low", "vigil/incidents/high"]
    assert [message.topic for message in (first, *rest)] == topics
    stores.mark_sent(store, [first.number], now_ms=1)
    assert stores.unsent(store) == rest


def test_a_name_longer_than_its_column_is_cut_and_stops_nobody(store: sa.Engine) -> None:
    with stores.writing(store) as connection:
        stores.record_readers(connection, [ReaderState("R" * 200, "denim")])
        stores.record_silences(connection, [Silence("R" * 200, 5, None)])
    stores.record_aside(store, [Aside("1", "dead", 5, "t" * 60_000, "junk", "")])
    assert [len(reader.reader) for reader in stores.list_readers(store)] == [100]
    assert [len(row.origin) for row in stores.list_aside(store, "dead")] == [300]


def test_more_late_rows_than_a_statement_takes_values_are_kept(store: sa.Engine) -> None:
    stores.record_aside(store, [Aside("1", "late", 5, "r", "late", "")] * 70_000)
    assert stores.totals(store)["late"] == 1

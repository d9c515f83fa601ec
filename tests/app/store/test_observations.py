"""Readers, parts, places, metrics and rows set aside as the pages read them, and what retention deletes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

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
    schema,
)
from app.store.database import upsert

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


def test_of_a_great_many_late_rows_at_once_all_are_counted_and_the_first_are_kept(store: sa.Engine) -> None:
    rows = [Aside(f"{n}", "late", n, f"reader {n % 3}", "came late", "{}") for n in range(200_000)]
    for _ in range(2):  # a batch that is repeated after a crash counts once
        stores.record_aside(store, rows)
    assert stores.totals(store)["late"] == 200_000
    newest, *rest = stores.list_aside(store, "late", limit=5_000)
    assert (newest.origin, newest.at_ms) == ("and 199,000 more at once", 199_999)
    assert newest.payload.count("reader ") == 3
    assert len(rest) == 1_000


def test_figures_are_thinned_out_as_they_grow_old(store: sa.Engine) -> None:
    now = 1_800_000_000_000
    ages = [*range(0, 7_200, 20), *range(172_000, 172_800, 20)]
    rows = [{"name": "delay_ms", "at_ms": now - age * 1000, "value": float(age)} for age in ages]
    with stores.writing(store) as connection:
        upsert(connection, schema.metrics, rows)
    stores.apply_retention(store, Retention(), now)
    ages = [(now - point.at_ms) // 1000 for point in stores.series(store, "delay_ms", 0)]
    assert len([age for age in ages if age < 3_600]) == 180
    assert 59 <= len([age for age in ages if 3_600 <= age < 7_200]) <= 61
    assert len([age for age in ages if age > 86_400]) <= 3


def test_readers_that_no_plan_knows_are_forgotten_with_their_silences(store: sa.Engine) -> None:
    now = 1_800_000_000_000
    readers = [
        ReaderState("till", "till-1", last_seen_ms=5),
        ReaderState("stranger", "", last_seen_ms=5),
        ReaderState("guest", "", last_seen_ms=now),
    ]
    with stores.writing(store) as connection:
        stores.record_readers(connection, readers)
        stores.record_silences(connection, [Silence(one.reader, 5, None) for one in readers])
    stores.apply_retention(store, Retention(), now)
    assert {one.reader for one in stores.list_readers(store)} == {"till", "guest"}
    assert {one.reader for one in stores.silences_between(store, 0, now)} == {"till", "guest"}


def test_a_file_that_has_become_empty_gives_its_room_back(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    engine = stores.open_store(f"sqlite:///{path}")
    rows = [Aside(f"{n}", f"k{n % 9}", n, "r", "dead", "x" * 4096) for n in range(9_000)]
    stores.record_aside(engine, rows)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.stat().st_size
    assert not stores.compact(engine)
    stores.apply_retention(engine, Retention(), 2**42)
    assert stores.compact(engine)
    engine.dispose()
    assert path.stat().st_size < before / 5

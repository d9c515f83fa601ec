"""Operators with windows of their own in Spark: quiet streams, restarts, control rows, levels."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import sase
from sase.spark import change, match
from tests.sase.spark.streams import drained, found, read, write
from tests.sase.spark.workers import HEARTBEAT, Workers

SILENT = "EVENT NOTFOLLOWS(A x, B y, 100 ms) PARTITION BY id"
NESTED = "EVENT NOTFOLLOWS(NOTFOLLOWS(A x, B y, 100 ms), C z, 50 ms) PARTITION BY id"
LIFTED = "EVENT BOTH(NOTPRECEDES(A x, C c, 200 ms), NOTFOLLOWS(A x, C c, 100 ms), 150 ms) PARTITION BY id"
RECURS = "EVENT ANYONE(A x, NOTFOLLOWS(A x, B y, 100 ms)) PARTITION BY id"

CLEAN = (
    """SELECT r.id AS id, r.v AS v FROM A r s PARTITION BY id EVENT NOTPRECEDES(r, s, '1 sec') INTO CLEAN"""
)
GONE = "EVENT NOTFOLLOWS(CLEAN c, ANYONE(CLEAN d, B b), '3 sec') PARTITION BY id"
MEETING = "EVENT FOLLOWS(BOTH(B p, B q, '1 sec'), C c, '1 sec') WHERE p.id < q.id"
QUERIES = {"clean": CLEAN, "gone": GONE, "meeting": MEETING}


def event(kind: str, ts: int, id: int = 1) -> dict[str, Any]:
    return {"event": kind, "ts": ts, "id": id, "_id": f"{kind}{ts}", "_seq": ts}


def times(rows: list[Any]) -> list[tuple[int, int]]:
    return [(row.start, row.ts) for row in rows if row.kind == "match"]


def test_a_window_ends_on_a_quiet_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": SILENT}, monkeypatch, buckets=7)
    workers.batch([event("A", 10)])
    assert times(workers.watermark(109)) == []
    assert times(workers.watermark(110)) == [(10, 110)]
    assert times(workers.watermark(500)) == []


def test_a_window_opened_by_the_end_of_another_ends_on_a_quiet_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers({"q": NESTED}, monkeypatch)
    workers.batch([event("A", 10)])
    assert times(workers.watermark(130)) == []
    workers.forget()
    assert times(workers.watermark(159)) == []
    assert times(workers.batch([{"event": HEARTBEAT, "ts": 160}])) == [(10, 160)]


def test_new_workers_know_what_is_kept_as_far_back_as_the_windows_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers({"q": LIFTED}, monkeypatch)
    workers.batch([event("C", 10), event("A", 200), event("C", 1000, id=2), event("A", 1200, id=2)])
    workers.forget()
    assert times(workers.batch([event("A", 1290, id=3)])) == []
    workers.forget()
    assert times(workers.batch([event("C", 1310, id=3)])) == [(1200, 1300)]


def test_what_no_window_reaches_is_dropped_from_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": LIFTED}, monkeypatch)
    workers.batch([event("A", ts) for ts in range(0, 5000, 10)])
    rows = workers.batch([event("A", 9000)])
    assert sum(row.figures["live"] or 0 for row in rows if row.kind == "metric") == 1


def test_an_operator_query_added_on_the_stream_knows_the_past_that_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers({"q": LIFTED}, monkeypatch, control=True, history=300)
    workers.batch([event("A", 10) | {"_control": None}])
    row = {"event": HEARTBEAT, "ts": 20, "_id": "control", "_control": change("silent", SILENT)}
    workers.batch([row])
    rows = workers.batch([event("A", 111) | {"_control": None}])
    assert [
        (row.query, row.start, row.ts) for row in rows if row.kind == "match" and row.query == "silent"
    ] == [("silent", 10, 110)]


def test_the_same_events_at_two_moments_are_two_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": RECURS}, monkeypatch)
    rows = workers.batch([event("A", 10)]) + workers.watermark(110)
    assert times(rows) == [(10, 10), (10, 110)]
    assert len({row.id for row in rows if row.kind == "match"}) == 2


def stream(seed: int, count: int = 200) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        {"event": chance.choice("AABC"), "ts": 200 * i, "id": chance.randrange(5), "v": i}
        for i in range(count)
    ]


def truth(events: list[dict[str, Any]]) -> list[tuple[str, int, int, int]]:
    """What the engine alone says, level by level."""
    clean = [found.event for found in sase.compile(CLEAN).match(events)]
    again = sorted([*events, *clean], key=lambda event: event["ts"])
    inputs = {"clean": events, "gone": again, "meeting": events}
    return sorted(
        (name, each.start, each.end, each.detected_at)
        for name, seen in inputs.items()
        for each in sase.compile(QUERIES[name]).match(seen)
    )


def test_a_real_stream_out_of_order_that_is_stopped_on_the_way_gives_what_the_engine_gives(
    spark: SparkSession, tmp_path: Path
) -> None:
    events, chance = stream(5), random.Random(5)
    arrivals = sorted(events, key=lambda event: event["ts"] + chance.uniform(0, 1000))
    write(tmp_path / "in", [arrivals[:70], arrivals[70:120]])
    rows = []
    for rest in ([], [arrivals[120:], [{"event": "HEARTBEAT", "ts": 1_000_000}]]):
        write(tmp_path / "in", rest, first=2)
        result = match(read(spark, tmp_path / "in"), QUERIES, lateness="1 sec", buckets=2)
        rows += drained(result, tmp_path / "checkpoint")
    assert found(rows) == truth(events)
    assert {name for name, *_ in found(rows)} == {*QUERIES}

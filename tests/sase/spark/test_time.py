"""Lateness, heartbeats and timers in the stateful operator."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sase.spark.workers import HEARTBEAT, Workers

ABSENT = "EVENT SEQ(A x, !(B y)) WHERE [id] WITHIN 100 ms"
PAIR = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 100 ms"


def event(kind: str, ts: int, id: int = 1) -> dict[str, Any]:
    return {"event": kind, "ts": ts, "id": id, "_id": f"{kind}{ts}", "_seq": ts}


def beat(ts: int) -> dict[str, Any]:
    return {"event": HEARTBEAT, "ts": ts}


def ids(rows: list[Any], kind: str = "match") -> list[Any]:
    return [row.id if kind != "match" else (row.start, row.ts) for row in rows if row.kind == kind]


def figure(rows: list[Any], name: str) -> int:
    return sum(row.figures[name] or 0 for row in rows if row.kind == "metric")


def test_a_negated_end_fires_when_an_event_of_another_key_shows_that_time_has_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers({"q": ABSENT}, monkeypatch, buckets=7)
    assert ids(workers.batch([event("A", 10)])) == []
    assert ids(workers.batch([event("A", 109, id=2)])) == []
    assert ids(workers.batch([event("A", 110, id=3)])) == [(10, 110)]


def test_a_negated_end_fires_on_a_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": ABSENT}, monkeypatch)
    workers.batch([event("A", 10)])
    assert ids(workers.batch([beat(110)])) == [(10, 110)]


def test_a_negated_end_fires_when_only_the_watermark_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": ABSENT}, monkeypatch)
    workers.batch([event("A", 10)])
    assert ids(workers.watermark(109)) == []
    assert ids(workers.watermark(110)) == [(10, 110)]
    assert ids(workers.watermark(500)) == []


def test_events_wait_for_the_lateness_and_are_then_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": PAIR}, monkeypatch, lateness=50)
    assert ids(workers.batch([event("B", 40)])) == []
    assert ids(workers.batch([event("A", 10)])) == []
    assert ids(workers.batch([beat(90)])) == []
    assert ids(workers.batch([beat(91)])) == [(10, 40)]


def test_waiting_events_are_released_by_the_watermark_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": PAIR}, monkeypatch, lateness=50)
    rows = workers.batch([event("B", 40), event("A", 10)])
    assert figure(rows, "waiting") == 2
    rows = workers.watermark(41)
    assert ids(rows) == [(10, 40)]
    assert figure(rows, "waiting") == 0


def test_an_event_later_than_the_lateness_comes_out_aside_and_matches_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workers = Workers({"q": PAIR}, monkeypatch, lateness=50)
    workers.batch([beat(100)])
    rows = workers.batch([event("A", 49), event("A", 50), event("B", 60)])
    assert ids(rows, "late") == ["A49"]
    assert figure(rows, "late") == 1
    assert ids(workers.batch([beat(1000)])) == [(50, 60)]


def test_a_stream_in_order_waits_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": PAIR}, monkeypatch)
    workers.batch([event("A", 10)])
    assert ids(workers.batch([event("B", 40)])) == [(10, 40)]


def test_what_has_left_the_window_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": PAIR}, monkeypatch)
    live = [figure(workers.batch([event("A", ts, id=ts)]), "live") for ts in range(0, 2000, 5)]
    assert max(live) <= 2 * 100 // 5
    assert figure(workers.batch([beat(5000)]), "live") == 0
    blobs = workers.tester.handle.map_states["blobs"].state
    assert not any(blobs.values())


def test_small_segments_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": "EVENT SEQ(A x, B y) WHERE [id]"}, monkeypatch, buckets=1)
    for ts in range(300):
        workers.batch([event("A", ts)])
    blobs = workers.tester.handle.map_states["blobs"].state
    assert len(blobs[workers.lanes[0].keys[0]]) < 16
    workers.forget()
    assert len(ids(workers.batch([event("B", 300)]))) == 300


@pytest.mark.parametrize(("other_buckets", "control"), [(3, False), (1, False), (1, True)])
def test_other_buckets_than_those_of_the_checkpoint_are_refused(
    monkeypatch: pytest.MonkeyPatch, other_buckets: int, control: bool
) -> None:
    workers = Workers({"q": PAIR}, monkeypatch, buckets=2, control=control)
    workers.batch([event("A", 10)])
    other = Workers({"q": PAIR}, monkeypatch, buckets=other_buckets, control=control)
    other.tester.handle.value_states["head"].state.update(workers.tester.handle.value_states["head"].state)
    with pytest.raises(ValueError, match="written with 2 buckets"):
        other.batch([event("A", 10)])


def test_one_bucket_serves_all_queries_where_queries_may_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = {"q": "EVENT SEQ(A x, B y) WHERE [id]", "r": "EVENT SEQ(A x, B y) WHERE [shelf]"}
    workers = Workers(rules, monkeypatch, buckets=1, control=True)
    [lane] = workers.lanes
    assert (lane.attributes, len(lane.keys)) == ((), 1)
    workers.batch([event("A", 10, id=1) | {"shelf": 1}, event("A", 20, id=2) | {"shelf": 2}])
    found = workers.batch([event("B", 30, id=1) | {"shelf": 2}])
    assert sorted(row.query for row in found if row.kind == "match") == ["q", "r"]

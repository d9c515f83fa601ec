"""Queries added, changed and switched off by rows on the stream."""

from __future__ import annotations

from typing import Any

import pytest

import sase
from sase.spark.control import Rule, change, read, switch_off
from tests.sase.spark.workers import HEARTBEAT, Workers

PAIR = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 100 ms"
OTHER = "EVENT SEQ(A x, C y) WHERE [id] WITHIN 100 ms"


def event(kind: str, ts: int, id: int = 1) -> dict[str, Any]:
    return {"event": kind, "ts": ts, "id": id, "_id": f"{kind}{ts}", "_control": None}


def control(ts: int, text: str) -> dict[str, Any]:
    return {"event": HEARTBEAT, "ts": ts, "_id": f"control {ts}", "_control": text}


def found(rows: list[Any]) -> list[tuple[str, int, int]]:
    return sorted((row.query, row.start, row.end) for row in rows if row.kind == "match")


def workers(monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Workers:
    return Workers({"pair": PAIR}, monkeypatch, control=True, **settings)


def test_a_query_added_on_the_stream_knows_the_past_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch, history=100)
    stream.batch([event("A", 10), event("C", 15)])
    assert found(stream.batch([control(20, change("other", OTHER))])) == []
    assert found(stream.batch([event("C", 30)])) == [("other", 10, 30)]


def test_a_query_may_be_added_without_its_past(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch, history=100)
    stream.batch([event("A", 10)])
    stream.batch([control(20, change("other", Rule(OTHER, primed=False)))])
    stream.forget()
    assert found(stream.batch([event("C", 30), event("A", 31), event("C", 40)])) == [("other", 31, 40)]


def test_a_change_takes_effect_at_its_event_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch)
    rows = stream.batch(
        [event("A", 10), event("B", 20), control(25, switch_off("pair")), event("B", 25), event("B", 30)],
        parts=1,
    )
    assert found(rows) == [("pair", 10, 20)]
    assert found(stream.batch([event("A", 40), event("B", 41)])) == []


def test_a_change_in_the_future_waits_for_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch)
    stream.batch([event("A", 10), control(1000, switch_off("pair"))])
    assert found(stream.batch([event("B", 20)])) == [("pair", 10, 20)]
    assert found(stream.batch([event("A", 999), event("B", 1000)])) == []


def test_a_change_that_comes_late_takes_effect_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch)
    stream.batch([event("A", 500)])
    assert found(stream.batch([control(3, switch_off("pair")), event("B", 510)])) == []


def test_a_query_can_be_replaced_and_brought_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch, history=100)
    stream.batch([event("A", 10)])
    stream.batch([control(20, change("pair", OTHER))])
    assert found(stream.batch([event("B", 30), event("C", 31)])) == [("pair", 10, 31)]
    stream.batch([control(40, change("pair", PAIR))])
    stream.forget()
    assert found(stream.batch([event("B", 50)])) == [("pair", 10, 50)]


def test_the_other_queries_keep_their_state(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch)
    stream.batch([event("A", 10)])
    stream.batch([control(20, change("other", OTHER))])
    assert found(stream.batch([event("B", 30)])) == [("pair", 10, 30)]


def test_a_query_with_a_partition_of_its_own_runs_on_the_whole_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = workers(monkeypatch, buckets=7)
    stream.batch([control(1, change("any", "EVENT SEQ(A x, B y) WITHIN 100 ms"))])
    assert found(stream.batch([event("A", 10, id=1), event("B", 20, id=2)])) == [("any", 10, 20)]


def test_an_unreadable_control_row_is_kept_aside_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = workers(monkeypatch)
    rows = stream.batch([control(10, "off with pair"), control(11, '{"query": "q", "text": "EVENT"}')])
    assert len([row for row in rows if row.kind == "bad" and row.reason.startswith("unreadable")]) == 2
    assert found(stream.batch([event("A", 20), event("B", 21)])) == [("pair", 20, 21)]


def test_a_text_that_is_no_query_never_gets_onto_the_stream() -> None:
    with pytest.raises(sase.QueryError):
        change("broken", "EVENT SEQ(A x")


def test_a_rule_survives_the_way_through_a_control_row() -> None:
    rule = Rule("EVENT A x WHERE x.v > $limit", {"limit": 3}, primed=False)
    assert read(change("q", rule)).rule == rule

"""What a restart may change, and what one query may do to the others: nothing."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from pyspark.sql import SparkSession

from sase.results import attributes
from sase.spark import bad, change, match, matches
from tests.sase.spark.test_time import PAIR, beat, event, figure, ids
from tests.sase.spark.workers import HEARTBEAT, Workers

ABSENT = "EVENT SEQ(A x, !(C y)) WHERE [room] WITHIN 100 ms"
ONCE = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 100 ms OUTPUT NON-OVERLAP"
SUM = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 100 ms RETURN x.ts + y.ts AS sum"


def restarted(old: Workers, new: Workers) -> Workers:
    """The new stream with the checkpoint of the old one."""
    before, after = old.tester.handle, new.tester.handle
    after.value_states["head"].state.update(copy.deepcopy(before.value_states["head"].state))
    after.map_states["blobs"].state.update(copy.deepcopy(before.map_states["blobs"].state))
    after._timers = copy.deepcopy(before._timers)
    return new


def heads(workers: Workers) -> list[dict[str, Any]]:
    return [json.loads(text) for (text,) in workers.tester.handle.value_states["head"].state.values()]


def reasons(rows: list[Any]) -> list[str]:
    return sorted({row.reason for row in rows if row.kind == "bad"})


def control(ts: int, text: str) -> dict[str, Any]:
    return {"event": HEARTBEAT, "ts": ts, "_id": f"control {ts}", "_control": text}


@pytest.fixture
def no_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever computes in RETURN raises."""

    def calculate(op: str, left: Any, right: Any) -> Any:
        raise RuntimeError(f"{left} {op} {right} is beyond me")

    monkeypatch.setattr(attributes, "calculate", calculate)


def test_a_lane_that_no_query_uses_any_more_is_dropped_with_its_timers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = Workers({"absent": ABSENT, "pairs": PAIR}, monkeypatch)
    old.batch([event("A", 10) | {"room": 1}, event("A", 20)])
    new = restarted(old, Workers({"pairs": PAIR}, monkeypatch))
    assert len(heads(new)) == 4
    assert ids(new.watermark(115)) == []
    assert len(heads(new)) == 3  # the other bucket of the lane has no timer, and no row ever reaches it
    assert ids(new.batch([event("B", 118)])) == [(20, 118)]
    back = restarted(new, Workers({"absent": ABSENT, "pairs": PAIR}, monkeypatch))
    back.batch([event("A", 130) | {"room": 1}])
    assert ids(back.batch([beat(300)])) == [(130, 230)]


def test_a_lane_is_not_dropped_because_the_buckets_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Workers({"absent": ABSENT}, monkeypatch, buckets=5)
    old.batch([event("A", 10, id=room) | {"room": room} for room in range(20)])
    new = restarted(old, Workers({"absent": ABSENT}, monkeypatch, buckets=2))
    with pytest.raises(ValueError, match="written with 5 buckets"):
        new.watermark(200)


def test_a_timer_stands_at_the_next_deadline_and_is_set_once(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"absent": ABSENT}, monkeypatch, buckets=1)
    register, asked = workers.tester.handle.registerTimer, list[int]()
    monkeypatch.setattr(
        workers.tester.handle, "registerTimer", lambda time: (asked.append(time), register(time))
    )
    for ts in (10, 20, 30):
        workers.batch([event("A", ts) | {"room": 1}])
    assert set(asked) == {110}
    assert len(asked) <= 2  # a task that failed has asked too
    assert ids(workers.watermark(110)) == [(10, 110)]
    assert asked[-1] == 120


def test_a_bucket_tells_when_time_alone_may_bring_something(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"absent": ABSENT}, monkeypatch, buckets=1, deadlines=True)
    told = [
        [row.ts for row in workers.batch(rows) if row.kind == "deadline"]
        for rows in ([event("A", 10) | {"room": 1}], [event("A", 50) | {"room": 1}], [beat(120)], [beat(200)])
    ]
    assert told == [[110], [110], [150], []]


@pytest.mark.usefixtures("no_sums")
def test_a_query_that_raises_is_put_aside_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"sum": SUM, "pairs": PAIR}, monkeypatch, buckets=1)
    workers.batch([event("A", 10)])
    rows = workers.batch([event("B", 20)])
    assert ids(rows) == [(10, 20)]
    assert reasons(rows) == [
        "the query sum is put aside until it is changed, for it raised RuntimeError: 10 + 20 is beyond me"
    ]
    workers.forget()
    rows = workers.batch([event("B", 30)])
    assert (ids(rows), reasons(rows), figure(rows, "aside")) == ([(10, 30)], [], 1)


@pytest.mark.usefixtures("no_sums")
def test_at_the_end_of_time_there_is_no_time_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"sum": SUM}, monkeypatch, buckets=1, streaming=False)
    rows = workers.batch([event("A", 10), event("B", 20)], parts=1)
    assert [row.ts for row in rows if row.kind == "bad"] == [None]


def test_a_query_that_was_put_aside_comes_back_when_it_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"sum": SUM}, monkeypatch, buckets=1, control=True, history=1000)
    with monkeypatch.context() as broken:
        broken.setattr(attributes, "calculate", None)
        assert len(reasons(workers.batch([event("A", 10), event("B", 20)]))) == 1
    assert ids(workers.batch([event("B", 30)])) == []
    changed = [control(40, change("sum", f"{SUM} ")), event("B", 50)]
    assert ids(workers.batch(changed)) == [(10, 50)]
    assert heads(workers)[0]["aside"] == {}


@pytest.mark.usefixtures("no_sums")
def test_a_query_that_raises_over_the_past_is_put_aside_too(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Workers({"pairs": PAIR}, monkeypatch, buckets=1)
    old.batch([event("A", 10), event("B", 20)])
    folded = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 100 ms RETURN x.ts + y.ts AS sum OUTPUT NON-OVERLAP"
    new = restarted(old, Workers({"pairs": PAIR, "sum": folded}, monkeypatch, buckets=1))
    assert ids(new.batch([event("B", 30)])) == [(10, 30)]


def test_a_snapshot_serves_only_the_query_that_it_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Workers({"q": ONCE}, monkeypatch, buckets=1)
    old.batch([event("A", 10), event("B", 20), event("A", 30)])
    other = ONCE.replace("B y", "C y")
    new = restarted(old, Workers({"q": other}, monkeypatch, buckets=1))
    assert ids(new.batch([event("B", 40)])) == []
    assert len(ids(new.batch([event("C", 50)]))) == 1
    same = restarted(old, Workers({"q": ONCE}, monkeypatch, buckets=1))
    assert ids(same.batch([event("B", 40)])) == [(30, 40)]


def test_the_state_of_an_older_version_is_read_and_that_of_a_later_one_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = Workers({"q": PAIR}, monkeypatch, buckets=1)
    old.batch([event("A", 10)])
    state = old.tester.handle.value_states["head"].state
    ((key, (text,)),) = state.items()
    head = json.loads(text)
    new = {name: value for name, value in head.items() if name not in ("version", "aside", "snapshot_rules")}
    state[key] = (json.dumps(new),)
    going_on = restarted(old, Workers({"q": PAIR}, monkeypatch, buckets=1))
    assert ids(going_on.batch([event("B", 20)])) == [(10, 20)]
    state[key] = (json.dumps(head | {"version": 99}),)
    with pytest.raises(ValueError, match="written by a later version of sase"):
        restarted(old, Workers({"q": PAIR}, monkeypatch, buckets=1)).batch([event("B", 20)])


def test_no_queries_find_nothing_and_bad_rows_come_out_all_the_same(spark: SparkSession) -> None:
    events = spark.createDataFrame([("A", 1), (None, 2)], "event string, ts long")
    assert [(row.kind, row.reason) for row in match(events, {}).collect()] == [("bad", "no type")]


def test_an_event_far_ahead_of_the_clock_is_bad(spark: SparkSession) -> None:
    events = spark.sql(
        "SELECT 'A' AS event, timestamp'2099-01-01' AS ts, 1 AS id "
        "UNION ALL SELECT 'A', now() + interval 50 minutes, 2"
    )
    result = match(events, {"q": "EVENT A x RETURN x.id AS id"}, ahead="1 hour").cache()
    assert [row.attributes for row in matches(result).collect()] == ['{"id": 2}']
    assert [row.reason for row in bad(result).collect()] == ["more than 3,600,000 ms ahead of the clock"]
    result.unpersist()

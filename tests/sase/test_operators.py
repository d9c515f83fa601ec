"""A matcher of operators with windows of their own: figures, limits, deadlines, parameters, memory."""

from __future__ import annotations

from typing import Any

import pytest

import sase

LIFTING = "EVENT BOTH(NOTPRECEDES(B b, C c, 1 min), NOTFOLLOWS(B b, C c, 2 sec), 3 sec) PARTITION BY id"


def events(kind: str, count: int, step: int = 1) -> list[dict[str, Any]]:
    return [{"event": kind, "ts": step * place, "id": place % 3} for place in range(count)]


def test_events_matter_as_far_back_as_the_largest_sum_of_windows_on_a_path() -> None:
    query = sase.compile(LIFTING)
    assert query.reach == 63_000
    assert sase.compile("EVENT FOLLOWS(A x, FOLLOWS(B y, C z, 2 sec), 1 sec)").reach == 3_000


@pytest.mark.parametrize(
    ("operator", "waits"), [("NOTFOLLOWS", True), ("NOTPRECEDES", False), ("BOTH", False)]
)
def test_only_the_end_of_a_window_needs_time_to_pass(operator: str, waits: bool) -> None:
    assert sase.compile(f"EVENT {operator}(A x, B y, 1 sec)").has_deadlines is waits


def test_the_next_deadline_is_that_of_the_window_that_ends_first() -> None:
    matcher = sase.compile("EVENT NOTFOLLOWS(NOTFOLLOWS(A x, B y, 5 ms), C z, 3 ms)").matcher()
    assert matcher.next_deadline is None
    matcher.push([{"event": "A", "ts": 10}, {"event": "A", "ts": 12}])
    assert matcher.next_deadline == 15
    assert not matcher.advance(15)
    assert matcher.next_deadline == 17
    assert [match.detected_at for match in matcher.advance(18)] == [18]


def test_what_is_live_is_bounded_by_the_windows() -> None:
    matcher = sase.compile("EVENT FOLLOWS(FOLLOWS(A x, B y, 100 ms), C z, 50 ms) PARTITION BY id").matcher()
    live = []
    for at in range(0, 10_000, 10):
        matcher.push([{"event": kind, "ts": at + k, "id": at % 7} for k, kind in enumerate("AB")])
        live.append((matcher.live_matches, matcher.live_events))
    assert max(live[100:]) <= (60, 3_000)
    matcher.push([{"event": "A", "ts": 100_000, "id": 1}])
    assert matcher.live_matches == 1


def test_a_partition_keeps_no_more_outcomes_than_the_limit() -> None:
    limits = sase.Limits(partial_matches=50)
    query = sase.compile("EVENT FOLLOWS(BOTH(A x, A y, 1 hour), B z, 1 hour) PARTITION BY id", limits=limits)
    matcher = query.matcher()
    matcher.push(events("A", 90))
    assert matcher.overflow == 3 * (30 * 29 - 50)
    assert len(matcher.push([{"event": "B", "ts": 90, "id": 0}])) == 50


def test_a_moment_has_no_more_matches_than_the_limit() -> None:
    query = sase.compile("EVENT FOLLOWS(A x, B y, 1 hour)", limits=sase.Limits(matches_per_event=10))
    matcher = query.matcher()
    assert len(matcher.push([*events("A", 30), {"event": "B", "ts": 30}])) == 10
    assert matcher.overflow == 20


def test_windows_may_be_parameters() -> None:
    query = sase.compile("EVENT FOLLOWS(A x, B y, $t)", parameters={"t": "3 sec"})
    assert query.reach == 3_000
    with pytest.raises(sase.QueryError, match="length zero"):
        sase.compile("EVENT FOLLOWS(A x, B y, $t)", parameters={"t": 0})


def test_outcomes_are_events_that_another_query_reads() -> None:
    clean = sase.compile(
        "SELECT r.id AS id FROM A r s PARTITION BY id EVENT NOTPRECEDES(r, s, '2 ms') INTO CLEAN"
    )
    read = [match.event for match in clean.match(events("A", 12))]
    assert read[:2] == [{"event": "CLEAN", "ts": 0, "id": 0}, {"event": "CLEAN", "ts": 1, "id": 1}]
    silent = sase.compile("EVENT NOTFOLLOWS(CLEAN x, CLEAN y, 5 ms) PARTITION BY id")
    assert [match.detected_at for match in silent.match(read)] == [14, 15, 16]


def test_a_snapshot_does_not_bring_back_what_non_overlap_has_used_up() -> None:
    query = sase.compile(
        "EVENT ANYONE(FOLLOWS(A x, B y, 9 ms), NOTPRECEDES(C z, A w, 9 ms)) OUTPUT NON-OVERLAP"
    )
    matcher = query.matcher()
    assert len(matcher.push([{"event": "A", "ts": 1}, {"event": "B", "ts": 2}])) == 1
    for _ in range(3):
        matcher = query.matcher(matcher.snapshot())
    assert not matcher.push([{"event": "B", "ts": 3}])


def test_a_snapshot_uses_nothing_up_for_want_of_what_is_forgotten() -> None:
    query = sase.compile(
        "EVENT FOLLOWS(NOTPRECEDES(A a, B b, 10 ms), C c, 5 ms) WHERE a.x = c.x OUTPUT NON-OVERLAP"
    )
    matcher = query.matcher()
    matcher.push(
        [{"event": "B", "ts": 95}, {"event": "A", "ts": 104, "x": 1}, {"event": "A", "ts": 106, "x": 2}]
    )
    matcher.push([{"event": "C", "ts": 108, "x": 1}])
    matcher.advance(110)
    matcher = query.matcher(matcher.snapshot())
    assert [match.start for match in matcher.push([{"event": "C", "ts": 110, "x": 2}])] == [106]


def test_there_may_be_more_alternatives_than_bits() -> None:
    tests = " AND ".join(f"(y.v != {n} OR y.w != {n})" for n in range(7))
    query = sase.compile(f"EVENT NOTFOLLOWS(A x, B y, 5 ms) WHERE {tests}")
    rows = [("A", 1, 0, 0), ("B", 2, 7, 7), ("A", 10, 0, 0), ("B", 11, 3, 4)]
    stream = [{"event": kind, "ts": ts, "v": v, "w": w} for kind, ts, v, w in rows]
    assert [match.start for match in query.match(stream)] == [10]

"""The incremental matcher: bounded memory, limits, order, partitions that are given up or renewed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import sase
from sase.kernels.jit import drop_stale_code
from sase.operators import coding
from sase.operators.coding import Coding

PAIRS = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 10 ms"


def events(text: str) -> list[dict[str, Any]]:
    """`A 1 id=7, B 3` as events; values are integers."""
    found = []
    for part in text.split(","):
        kind, ts, *pairs = part.split()
        values = {name: int(value) for name, value in (pair.split("=") for pair in pairs)}
        found.append({"event": kind, "ts": int(ts), **values})
    return found


def test_what_has_left_the_window_is_gone() -> None:
    matcher = sase.compile(PAIRS).matcher()
    for start in range(0, 200_000, 1000):
        matcher.push([{"event": "A", "ts": ts, "id": ts} for ts in range(start, start + 1000)])
    assert matcher.live_events < 4000
    assert matcher.live_matches < 4000


def test_runs_of_partitions_that_nobody_visits_are_swept_away() -> None:
    query = sase.compile("EVENT SEQ(A+ a[], B b) WHERE skip_till_next_match(a[], b) { [id] } WITHIN 10 ms")
    matcher = query.matcher()
    for start in range(0, 200_000, 1000):
        matcher.push([{"event": "A", "ts": ts, "id": ts} for ts in range(start, start + 1000)])
    assert matcher.live_matches < 4000


RULED_OUT = "PATTERN SEQ({first} a, ~({absent} b), C c) WHERE skip_till_next_match(a, b, c) {{ [id] }}"


def test_a_negative_event_drops_the_partial_matches_that_it_rules_out() -> None:
    query = sase.compile(RULED_OUT.format(first="A", absent="B") + " WITHIN 1 min")
    matcher = query.matcher()
    matcher.push(events("A 1 id=1, A 2 id=1, A 3 id=2"))
    assert matcher.live_matches == 3
    matcher.push(events("B 4 id=1"))
    assert matcher.live_matches == 1
    found = matcher.push(events("A 5 id=1, C 6 id=1, C 7 id=2"))
    assert [match.positions for match in found] == [(4, 5), (2, 6)]


def test_a_negative_event_rules_nothing_out_that_may_still_take_an_event_after_it() -> None:
    query = sase.compile(
        "PATTERN SEQ(A+ a[], ~(B b), C c) WHERE skip_till_next_match(a[], b, c) { [id] } WITHIN 1 min"
    )
    found = query.matcher().push(events("A 1 id=1, B 2 id=1, A 3 id=1, C 4 id=1"))
    assert (0, 2, 3) in {match.positions for match in found}


def test_an_event_that_is_negative_and_begins_a_match_does_not_rule_that_one_out() -> None:
    query = sase.compile(RULED_OUT.format(first="A", absent="A") + " WITHIN 1 min")
    found = query.matcher().push(events("A 1 id=1, A 2 id=1, C 3 id=1"))
    assert [match.positions for match in found] == [(1, 2)]


def test_a_cap_on_partial_matches_cuts_and_counts() -> None:
    query = sase.compile(
        "EVENT SEQ(A+ a[], B b) WHERE a[i].n != a[1].n WITHIN 1 min", limits=sase.Limits(partial_matches=3)
    )
    matcher = query.matcher()
    matcher.push([{"event": "A", "ts": ts, "n": ts} for ts in range(20)])
    assert matcher.live_matches <= 3
    assert matcher.overflow > 0


def test_a_cap_on_the_matches_of_one_event_cuts_and_counts() -> None:
    query = sase.compile("EVENT SEQ(A x, A y, B z)", limits=sase.Limits(matches_per_event=5))
    matcher = query.matcher()
    found = matcher.push([*({"event": "A", "ts": ts} for ts in range(20)), {"event": "B", "ts": 30}])
    assert len(found) == 5
    assert matcher.overflow == 20 * 19 // 2 - 5


@pytest.mark.parametrize("merged", [True, False])
def test_what_a_cap_cuts_off_is_counted_match_by_match(merged: bool) -> None:
    query = sase.compile(
        "EVENT SEQ(A+ a[], B b) WITHIN 1 min",
        options=sase.Options(merge_runs=merged),
        limits=sase.Limits(matches_per_event=100),
    )
    matcher = query.matcher()
    found = matcher.push([*({"event": "A", "ts": ts} for ts in range(10)), {"event": "B", "ts": 30}])
    assert len(found) == 100
    assert matcher.overflow == 2**10 - 1 - 100


def test_more_than_could_ever_be_written_is_counted_too() -> None:
    query = sase.compile("EVENT SEQ(A+ a[], B b) WITHIN 1 min", limits=sase.Limits(matches_per_event=7))
    matcher = query.matcher()
    stream = [*({"event": "A", "ts": ts} for ts in range(40)), {"event": "B", "ts": 50}]
    assert len(matcher.push(stream)) == 7
    assert matcher.overflow == 2**40 - 1 - 7
    matcher.push([*({"event": "A", "ts": ts} for ts in range(60, 100)), {"event": "B", "ts": 110}])
    assert matcher.overflow == 2**40 - 1 - 7 + 2**62 - 7  # no more than 2^62 are told apart


def test_a_cap_on_the_matches_at_once_holds_for_a_push_and_for_those_that_wait() -> None:
    few = sase.Limits(matches_at_once=4)
    stream = [{"event": "A", "ts": ts} for ts in range(6)]
    for text in ("EVENT SEQ(A x, A y)", "EVENT SEQ(A x, A+ a[]) WHERE skip_till_next_match(x, a[]) { }"):
        matcher = sase.compile(text, limits=few).matcher()
        assert len(matcher.push(stream)) == 4
        assert matcher.overflow == 11
    waiting = sase.compile("EVENT SEQ(A x, A y, !(B z)) WITHIN 1 sec", limits=few).matcher()
    waiting.push(stream)
    waiting.push([{"event": "A", "ts": 6}])
    assert waiting.overflow == 11 + 6
    assert len(waiting.finish()) == 4


def test_matches_that_wait_for_a_deadline_are_counted_once() -> None:
    query = sase.compile("EVENT SEQ(A x, A y, !(B z)) WITHIN 1 sec", limits=sase.Limits(matches_per_event=3))
    matcher = query.matcher()
    matcher.push([{"event": "A", "ts": ts} for ts in range(8)])
    assert matcher.overflow == sum(max(0, n - 3) for n in range(8))


def test_an_event_without_the_attribute_gives_up_partitions_that_equalities_suggested() -> None:
    query = sase.compile("EVENT SEQ(A x, B y) WHERE x.id = y.id WITHIN 1 min")
    matcher = query.matcher()
    found = [*matcher.push(events("A 1 id=1,A 2 id=2")), *matcher.push(events("B 3,B 4 id=2"))]
    assert [(m.start, m.end) for m in found] == [(2, 3), (1, 3), (2, 4)]


def test_keys_that_nobody_needs_any_more_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coding, "MANY_KEYS", 100)
    matcher = sase.compile(PAIRS).matcher()
    found = 0
    for start in range(0, 50_000, 50):
        batch = [{"event": kind, "ts": ts, "id": ts} for ts in range(start, start + 50) for kind in "AB"]
        found += len(matcher.push(batch))
    assert found == 50_000


def test_an_event_out_of_order_is_refused() -> None:
    matcher = sase.compile(PAIRS).matcher()
    matcher.push(events("A 5 id=1"))
    with pytest.raises(ValueError, match=r"event 1 of the batch is older .* \(ts 4\)"):
        matcher.push(events("B 4 id=1"))


def test_a_first_event_before_the_time_that_was_reached_is_refused() -> None:
    matcher = sase.compile(PAIRS).matcher()
    matcher.advance(1000)
    with pytest.raises(ValueError, match=r"event 1 of the batch is older .* \(ts 1\)"):
        matcher.push(events("A 1 id=1"))


def test_an_event_without_a_time_is_refused() -> None:
    with pytest.raises(ValueError, match="event 2 of the batch has no 'ts'"):
        sase.compile(PAIRS).matcher().push([{"event": "A", "ts": 1}, {"event": "A"}])


def test_matches_are_a_lazy_sequence() -> None:
    matches = sase.compile(PAIRS).matcher().push(events("A 1 id=1,A 2 id=1,B 3 id=1"))
    assert len(matches) == 2
    assert [m.start for m in matches[0:2]] == [matches[0].start, matches[-1].start]


def test_matches_read_one_by_one_or_all_at_once_are_the_same() -> None:
    query = sase.compile("EVENT SEQ(A+ a[], B b) WHERE [id] WITHIN 25 ms")
    rows = [
        {"event": "B" if ts % 5 == 4 else "A", "ts": ts, "id": ts % 3, "v": None if ts % 2 else ts}
        for ts in range(600)
    ]
    batches = [pa.RecordBatch.from_pylist(rows[:300]), pa.RecordBatch.from_pylist(rows[300:])]
    matcher = query.matcher()
    for matches in [matcher.push(batch) for batch in batches]:
        assert len(matches) > 1024
        together = [(match.start, match.positions, match.events) for match in matches]
        singly = [matches[i] for i in range(len(matches))]
        assert together == [(match.start, match.positions, match.events) for match in singly]


def test_computing_with_a_text_gives_no_number() -> None:
    returned = "x.v + 1 AS plus, -x.v AS minus, sum(a[].v) AS total, avg(a[].v) AS mean, max(a[].v) AS most"
    query = sase.compile(f"EVENT SEQ(A+ a[], B x) RETURN {returned}")
    rows = [{"event": "A", "ts": 1, "v": "one"}, {"event": "B", "ts": 2, "v": "two"}]
    (match,) = query.matcher().push(rows)
    assert match.attributes.pop("most") == "one"
    assert set(match.attributes.values()) == {None}


def test_matches_become_a_table() -> None:
    query = sase.compile("EVENT SEQ(A x, B y) WHERE [id] RETURN x.id AS id, y.ts - x.ts AS took INTO Pair")
    table = query.matcher().push(events("A 1 id=7,B 4 id=7")).to_arrow()
    assert table.to_pylist() == [
        {"event": "Pair", "ts": 4, "start": 1, "end": 4, "probability": 1.0, "id": 7, "took": 3}
    ]


def test_times_may_come_as_timestamps() -> None:
    batch = pa.record_batch(
        {
            "event": pa.array(["A", "B"]).dictionary_encode(),
            "ts": pa.array([1_000, 2_000], pa.timestamp("us", "UTC")),
            "id": pa.array(["k", "k"]),
        }
    )
    (match,) = sase.compile(PAIRS).matcher().push(batch)
    assert match.events == {"x": {"event": "A", "ts": 1, "id": "k"}, "y": {"event": "B", "ts": 2, "id": "k"}}


def test_one_querys_matches_are_anothers_events() -> None:
    doses = sase.compile("EVENT SEQ(Band x, Bottle y) WHERE [cabinet] RETURN x.who AS who INTO Dose")
    twice = sase.compile("EVENT SEQ(Dose a, Dose b) WHERE [who]")
    first = doses.match(
        events("Band 1 cabinet=1 who=9,Bottle 2 cabinet=1,Band 3 cabinet=2 who=9,Bottle 4 cabinet=2")
    )
    assert [(m.start, m.end) for m in twice.match(m.event for m in first)] == [(2, 4)]


MANY = ", ".join(f"A{n} x{n}" for n in range(21))
ORDERS = ", ".join(f"A{n} x{n}" for n in range(19))
ALTERNATIVES = " AND ".join(f"(a[i].x{n} = 1 OR a[i].y{n} = 1)" for n in range(20))


@pytest.mark.parametrize(
    ("text", "what", "line", "pointed_at"),
    [
        (f"EVENT SEQ(A+ a[], B b)\nWHERE {ALTERNATIVES}", "too complex: its ORs multiply", 2, "(a[i].x0"),
        (f"FROM s\nEVENT SEQ({MANY})", "too complex: more than 20 components", 2, "SEQ("),
        (f"FROM s\nEVENT AND({ORDERS})", "too many orders", 2, "AND("),
        (
            "EVENT SEQ(A+ a[], B+ b[], C+ c[], D d)\nWHERE a[1].x = 1 AND a.x + b.x + c.x > d.x",
            "more than two Kleene components",
            2,
            "> d.x",
        ),
        (
            "EVENT NOTFOLLOWS(A x,\nFOLLOWS(B y, C z, 1 sec), 1 min) HAVING PROBABILITY >= 0.5",
            "cannot be computed where what is absent is composed",
            2,
            "FOLLOWS",
        ),
    ],
    ids=["alternatives", "components", "orders", "ranges", "having"],
)
def test_what_is_too_complex_or_comes_later_is_refused_where_it_stands(
    text: str, what: str, line: int, pointed_at: str
) -> None:
    with pytest.raises(sase.QueryError, match=what) as refused:
        sase.compile(text)
    assert refused.value.line == line
    assert text.splitlines()[line - 1][refused.value.column - 1 :].startswith(pointed_at)


MIXED = [
    {"event": "A", "ts": 1, "v": "5", "w": [1]},
    {"event": "A", "ts": 2, "v": 5, "w": [2]},
    {"event": "A", "ts": 3, "v": float("nan"), "w": None},
]


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("x.v > 7", 1),
        ("x.v != 7", 1),
        ("x.v + 1 > 7", 1),
        ("x.v > x.w", 2),
        ("x.w = x.w AND x.w <= x.w", 0),
        ("x.z = 'a'", 0),
        ("x.v = 'a' OR x.v = 'b'", 4),
    ],
)
def test_values_that_cannot_be_compared_are_counted(condition: str, count: int) -> None:
    matcher = sase.compile(f"EVENT A x WHERE {condition}").matcher()
    matcher.push(MIXED)
    assert matcher.incomparable == count


def test_what_could_not_be_compared_is_counted_once_when_a_matcher_starts_over() -> None:
    query = sase.compile("EVENT SEQ(A x, B y) WHERE x.v < 7 AND x.id = y.id AND x.v < y.v WITHIN 9 ms")
    matcher = query.matcher()
    matcher.push([{"event": "A", "ts": 1, "v": 5, "id": 1}, {"event": "B", "ts": 2, "v": "5", "id": 1}])
    met = matcher.incomparable
    matcher.push([{"event": "B", "ts": 3, "v": 8}])  # without a key: the partitions are given up
    assert matcher.incomparable == met > 0
    assert query.matcher(matcher.snapshot()).incomparable == 0


def test_the_kernels_run_as_plain_python_too() -> None:
    program = (
        "import sase\n"
        "query = sase.compile('EVENT SEQ(A+ a[], B b) "
        "WHERE skip_till_next_match(a[], b) { [id] AND b.id * 2 = 36893488147419103234 } WITHIN 1 min')\n"
        "stream = [dict(event=kind, ts=ts, id=2**64 + 1) for ts, kind in enumerate('AAB')]\n"
        "print([len(m.events['a']) for m in query.match(stream)])"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in ("[2, 1]", "[1, 2]")


def test_kernels_compiled_from_other_sources_are_thrown_away(tmp_path: Path) -> None:
    (tmp_path / "runs.py").write_text("1")
    (tmp_path / "__pycache__").mkdir()
    drop_stale_code(tmp_path)
    old = tmp_path / "__pycache__" / "runs.advance-1.py311.nbi"
    old.touch()
    drop_stale_code(tmp_path)
    assert old.exists()
    (tmp_path / "runs.py").write_text("2")
    drop_stale_code(tmp_path)
    assert not old.exists()


def test_what_the_limits_cut_off_stays_counted_when_a_matcher_starts_over() -> None:
    query = sase.compile("EVENT SEQ(A x, B y)", limits=sase.Limits(matches_per_event=1))
    matcher = query.matcher()
    matcher.push(events("A 1 id=1,A 2 id=1,A 3 id=1,B 4 id=1"))
    cut = matcher.overflow
    matcher.renew(Coding())
    assert matcher.overflow == cut == 2
    matcher.push(events("B 5 id=1"))
    assert matcher.overflow == 4


@pytest.mark.parametrize(
    "query",
    [
        "EVENT SEQ(A x, !(C n), B y) WHERE [id] WITHIN 1 min",
        "EVENT SEQ(A x, !(C n), B y) WHERE x.id = y.id AND x.id = n.id WITHIN 1 min",
        "PATTERN SEQ(A x, ~(C n), B y) WHERE partition_contiguity(x, n, y) { [id] } WITHIN 1 min",
        "PATTERN SEQ(A x, ~(ANY(A, C) n), ~(A m), B y) WHERE skip_till_next_match(x, n, m, y) { [id] }",
    ],
)
@pytest.mark.parametrize("by_partition", [True, False])
def test_an_absent_event_of_another_partition_rules_nothing_out(query: str, by_partition: bool) -> None:
    matcher = sase.compile(query, options=sase.Options(index_negation=by_partition)).matcher()
    found = matcher.push(events("A 1 id=1, A 2 id=2, C 3 id=2, B 4 id=1, B 5 id=2"))
    assert [match.positions for match in found] == [(0, 3)]

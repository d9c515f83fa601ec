"""How many partial and finished matches the bound of HAVING has dropped is told."""

from __future__ import annotations

from typing import Any

import pytest

import sase
from sase.operators.coding import Coding

RISING = "skip_till_next_match(a[], b) { a[i].n > a[i-1].n }"


def stream(*events: str) -> list[dict[str, Any]]:
    """`A.5` is an A that happened with probability 0.5."""
    return [
        {"event": event[0], "ts": ts, "n": ts} | ({"prob": float(event[1:])} if event[1:] else {})
        for ts, event in enumerate(events)
    ]


@pytest.mark.parametrize(
    ("query", "events", "unlikely"),
    [
        ("SEQ(A x, B y)", ("A.4", "A", "B"), 1),  # the first A is never laid
        ("SEQ(A x, B y)", ("A.6", "A", "B.7"), 1),  # 0.42 together
        ("SEQ(A x, !(C n), B y) WITHIN 1 min", ("A", "C.6", "B"), 1),  # 0.4 is left
        ("SEQ(A x, B y, !(C n)) WITHIN 1 min", ("A", "B", "C.6"), 1),  # known at the deadline
        ("SEQ(A+ a[], B b)", ("A.4", "A", "B"), 1),
        (f"SEQ(A+ a[], B b) WHERE {RISING} WITHIN 1 min", ("A", "A.8", "B"), 1),  # past the second A: 0.2
        ("SEQ(A x, !(C n), B y) WHERE n.n = 1 OR n.n = 2 WITHIN 1 min", ("A", "C.9", "C.9", "B"), 1),
        ("FOLLOWS(A x, B y, 1 min)", ("A.4", "A", "B"), 1),
        ("NOTPRECEDES(A x, C n, 1 min)", ("C.6", "A"), 1),
        ("ANYONE(NOTPRECEDES(A x, C n, 1 min), NOTPRECEDES(A x, D m, 1 min))", ("C.9", "D.9", "A"), 1),
        ("SEQ(A x, B y)", ("A", "B"), 0),
    ],
)
def test_what_the_bound_has_dropped_is_counted(query: str, events: tuple[str, ...], unlikely: int) -> None:
    matcher = sase.compile(f"EVENT {query} HAVING PROBABILITY >= 0.5").matcher()
    matcher.push(stream(*events))
    matcher.finish()
    assert matcher.unlikely == unlikely


def test_a_matcher_that_starts_over_keeps_what_it_has_counted() -> None:
    matcher = sase.compile("EVENT SEQ(A x, B y) HAVING PROBABILITY >= 0.5").matcher()
    matcher.push(stream("A.4", "A", "B.4"))
    assert matcher.unlikely == 2
    matcher.renew(Coding())
    assert matcher.unlikely == 2


def test_without_having_nothing_is_dropped() -> None:
    matcher = sase.compile("EVENT SEQ(A x, B y)").matcher()
    matcher.push(stream("A.1", "B.1"))
    assert matcher.unlikely == 0

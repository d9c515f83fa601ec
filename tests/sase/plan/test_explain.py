"""`explain` says what was pushed where, how the query is partitioned, and which optimisations are on."""

from __future__ import annotations

import pytest

import sase

SHOPLIFTING = "EVENT SEQ(Shelf x, !(Till y), Exit z) WHERE [id] AND x.price > 5 AND x.n < z.n WITHIN 12 hours"


def test_a_sequence_is_explained_from_the_scan_upwards() -> None:
    text = sase.compile(SHOPLIFTING).explain()
    assert "Shelf and x.price > 5" in text
    assert "by id" in text
    assert "43,200,000 ms, pruned during scan and construction" in text
    assert "x.n < z.n" in text
    assert "no y between x and z, indexed per partition" in text


def test_the_states_of_a_kleene_pattern_are_listed() -> None:
    query = (
        "EVENT SEQ(A+ a[], B b) WHERE skip_till_next_match(a[], b) { a[i].n > a[i-1].n } WITHIN 500 events"
    )
    text = sase.compile(query).explain()
    assert "take a -> 1: a[i].n > a[i-1].n" in text
    assert "proceed to b -> 2" in text
    assert "500 events" in text


def test_an_optimisation_that_is_off_is_named() -> None:
    text = sase.compile(SHOPLIFTING, options=sase.Options(partition=False)).explain()
    assert "partition off" in text
    assert "none: one for the whole stream" in text


def test_alternatives_are_explained_one_by_one() -> None:
    text = sase.compile("EVENT SEQ(A x, !(B y), C z) WHERE y.n = 1 OR y.n = 2").explain()
    assert "Alternative 1 of 2" in text


def test_a_tree_of_operators_says_what_each_keeps_and_what_wakes_it() -> None:
    text = sase.compile(
        """SELECT B.* FROM Book B, Checkout C PARTITION BY book_id
        EVENT BOTH(NOTPRECEDES(B, C, '1 min'), NOTFOLLOWS(B, C, '2 sec'), '3 sec') WHERE B.copy = C.copy"""
    ).explain()
    assert "63,000 ms: the largest sum of windows along a path" in text
    assert "NOTPRECEDES 60,000 ms: woken by B; keeps C for 60,000 ms; tests B.copy = C.copy" in text
    assert "NOTFOLLOWS 2,000 ms: woken by B, and by the end of its window; keeps B and C for 2,000 ms" in text
    assert "      no C: Checkout" in text


@pytest.mark.parametrize(
    ("pattern", "tested"),
    [
        ("SEQ(A x, B y)", "when an event is laid on a stack, at every component, and at every event"),
        ("SEQ(A+ a[], B y)", "at every event that a run takes or passes over"),
        ("FOLLOWS(A x, B y, 1 sec)", "at every outcome of every operator"),
    ],
    ids=["stacks", "runs", "tree"],
)
def test_where_a_probability_is_tested_is_said(pattern: str, tested: str) -> None:
    text = sase.compile(f"EVENT {pattern} HAVING PROBABILITY >= 0.5").explain()
    assert "at least 0.5: a partial match is dropped by all that is known of it" in text
    assert f"tested      {tested}" in text

"""The oracle itself: two ways to enumerate agree, and trees built by hand mean what the papers say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hypothesis import given

from sase.check.query import check
from sase.language import tree
from sase.language.parse import parse
from tests.sase.effort import examples
from tests.sase.oracle import conditions, definition, values
from tests.sase.oracle.runs import Assignment, Runs
from tests.sase.queries import Trial, trials

A, B, N = (tree.Leaf((name,), name.lower()) for name in "ABN")


def stream(*types: str) -> list[dict[str, Any]]:
    return [{"event": name, "ts": 10 * place} for place, name in enumerate(types)]


def found(query: tree.QueryTree, events: list[dict[str, Any]]) -> list[dict[str, int | list[int]]]:
    return [match.events for match in definition.matches(query, events)]


def test_a_sequence_takes_its_events_in_order() -> None:
    assert found(tree.QueryTree(tree.Seq((A, B))), stream("B", "A", "B")) == [{"a": 1, "b": 2}]


def test_an_and_takes_its_events_in_any_order() -> None:
    assert found(tree.QueryTree(tree.And((A, B))), stream("B", "A")) == [{"a": 1, "b": 0}]


def test_a_kleene_component_takes_every_choice_of_events() -> None:
    many = tree.Leaf(("A",), "a", kleene=True)
    assert found(tree.QueryTree(many), stream("A", "A")) == [{"a": [0]}, {"a": [1]}, {"a": [0, 1]}]


def test_a_negative_event_in_between_rules_a_match_out() -> None:
    query = tree.QueryTree(tree.Seq((A, tree.Absent(N), B)))
    assert found(query, stream("A", "N", "B", "A", "B")) == [{"a": 3, "b": 4}]


def test_a_negated_end_is_known_when_the_window_is_over() -> None:
    query = tree.QueryTree(tree.Seq((A, tree.Absent(N))), within=tree.Within(15, "ms"))
    (match,) = definition.matches(query, stream("A", "B", "B", "N"))
    assert (match.detected_at, match.known) == (15, 2)


def test_no_alternative_is_lost_in_disjunctive_normal_form() -> None:
    text = "EVENT A a WHERE NOT (a.x = 1 AND (a.y < 2 OR a.z > 3))"
    normal = conditions.disjuncts(check(parse(text), text).condition)
    assert [[literal.op for literal in part] for part in normal if part] == [["!="], [">=", "<="]]  # type: ignore[union-attr]


def test_a_missing_value_makes_every_comparison_true() -> None:
    assert all(values.compare(op, values.MISSING, 1) for op in values.ORDER)


def test_values_of_two_kinds_are_only_unequal() -> None:
    assert [op for op in values.ORDER if values.compare(op, 1, "1")] == ["!="]


def test_what_is_no_number_is_only_unequal() -> None:
    assert [op for op in values.ORDER if values.compare(op, values.calculate("/", 1, 0), 1)] == ["!="]


@examples(300)
@given(trials(strategies=("skip_till_any_match",)))
def test_runs_that_may_ignore_everything_find_every_combination(trial: Trial) -> None:
    query = check(parse(trial.query), trial.query)
    for disjunct in conditions.disjuncts(query.condition):
        literals = definition.positive_literals(query, disjunct)
        runs = Runs(query.pattern, literals, query.within, "skip_till_any_match", trial.events)
        choices = definition.any_match(query.pattern, literals, query.within, trial.events)
        assert comparable(runs.accepted()) == comparable(choices)


def comparable(assignments: Iterable[Assignment]) -> list[list[tuple[str, tuple[int, ...]]]]:
    return sorted(sorted(assignment.items()) for assignment in assignments)

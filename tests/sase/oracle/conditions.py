"""The WHERE clause as the oracle reads it: its disjunctive normal form, and what a literal asks of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, product
from typing import Any

from sase.language import tree
from tests.sase.oracle import values

Event = dict[str, Any]
Events = Mapping[str, tuple[Event, ...]]  # the events of each component, in order
Literal = tree.Comparison | tree.Equivalence
Disjunct = tuple[Literal, ...]

INVERSE: dict[str, tree.Comparator] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


def disjuncts(condition: tree.Condition | None) -> list[Disjunct]:
    return [()] if condition is None else list(_normal(condition, negated=False))


def _normal(condition: tree.Condition, negated: bool) -> Iterator[Disjunct]:
    match condition:
        case tree.Not(part):
            yield from _normal(part, not negated)
        case tree.Comparison(op, left, right):
            yield (tree.Comparison(INVERSE[op] if negated else op, left, right),)
        case tree.Equivalence():
            assert not negated, "an equivalence test cannot be negated"
            yield (condition,)
        case tree.AllOf(parts) | tree.AnyOf(parts):
            sides = [list(_normal(part, negated)) for part in parts]
            if isinstance(condition, tree.AllOf) != negated:
                yield from (
                    tuple(literal for side in choice for literal in side) for choice in product(*sides)
                )
            else:
                yield from chain.from_iterable(sides)


def attributes(disjunct: Disjunct) -> frozenset[str]:
    """The equivalence attributes."""
    return frozenset(literal.attribute for literal in disjunct if isinstance(literal, tree.Equivalence))


def nodes(expression: tree.Expression) -> Iterator[tree.Expression]:
    yield expression
    match expression:
        case tree.Arithmetic(_, left, right):
            yield from nodes(left)
            yield from nodes(right)
        case tree.Minus(operand):
            yield from nodes(operand)


def references(comparison: tree.Comparison) -> list[tree.Attribute | tree.Length | tree.Aggregate]:
    both_sides = [*nodes(comparison.left), *nodes(comparison.right)]
    return [node for node in both_sides if isinstance(node, tree.Attribute | tree.Length | tree.Aggregate)]


def variables(literal: Literal) -> set[str]:
    """The components a comparison mentions; an equivalence test mentions none by name."""
    if isinstance(literal, tree.Equivalence):
        return set()
    return {reference.var for reference in references(literal) if reference.var is not None}


def closing(comparison: tree.Comparison) -> set[str]:
    """The Kleene components that must be finished before the comparison can be decided."""
    return {reference.var for reference in references(comparison) if reference.var and _closes(reference)}


def _closes(reference: tree.Attribute | tree.Length | tree.Aggregate) -> bool:
    match reference:
        case tree.Attribute(index=index):
            return index == "last"
        case tree.Aggregate(prefix=prefix):
            return not prefix
    return True


def holds(comparison: tree.Comparison, events: Events) -> bool:
    """True for every choice of `i` in every component that the comparison ranges over."""
    ranges = _ranges(comparison, events)
    choices = (dict(zip(ranges, choice, strict=True)) for choice in product(*ranges.values()))
    return all(_true(comparison, events, choice) for choice in choices)


def _ranges(comparison: tree.Comparison, events: Events) -> dict[str, range]:
    """`a[i]`, `a[i-1]` and `a[..i-1]` range over the second event on, a plain `a.attr` over all."""
    ranges: dict[str, range] = {}
    for reference in references(comparison):
        match reference:
            case (
                tree.Attribute(var=str(var), index="current" | "previous")
                | tree.Aggregate(var=var, prefix=True)
            ):
                ranges[var] = range(1, len(events[var]))
            case tree.Attribute(str(var), _, None):
                ranges[var] = range(len(events[var]))
    return ranges


def _true(comparison: tree.Comparison, events: Events, i: Mapping[str, int]) -> bool:
    return values.compare(
        comparison.op, evaluate(comparison.left, events, i), evaluate(comparison.right, events, i)
    )


def evaluate(expression: tree.Expression, events: Events, i: Mapping[str, int]) -> Any:
    match expression:
        case tree.Constant(value):
            return values.MISSING if value is None else value
        case tree.Attribute(str(var), name, index):
            return values.of(_chosen(events[var], index, i.get(var, 0)), name)
        case tree.Length(var):
            return len(events[var])
        case tree.Aggregate(function, var, name, prefix):
            held = events[var][: i[var]] if prefix else events[var]
            return (
                len(held) if name is None else values.aggregate(function, [values.of(e, name) for e in held])
            )
        case tree.Arithmetic(op, left, right):
            return values.calculate(op, evaluate(left, events, i), evaluate(right, events, i))
        case tree.Minus(operand):
            return values.negate(evaluate(operand, events, i))
    raise AssertionError(f"{expression} is not resolved")


def _chosen(held: tuple[Event, ...], index: tree.Index | None, i: int) -> Event:
    match index:
        case "first":
            return held[0]
        case "last":
            return held[-1]
        case "previous":
            return held[i - 1]
    return held[i]


def equivalent(test: tree.Equivalence, events: Iterable[Event]) -> bool:
    """Every event carries the attribute, all with the same value, which is the one asked for if one is."""
    held = [values.of(event, test.attribute) for event in events]
    wanted = held[0] if test.value is None else evaluate(test.value, {}, {})
    return all(values.equal(value, wanted) for value in held)

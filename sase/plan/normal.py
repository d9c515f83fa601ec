"""The condition in disjunctive normal form: conjunctions of simple conditions, each a query of its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import prod

from sase.language import tree
from sase.language.walk import mentions
from sase.plan.structure import Structure

FLIPPED: dict[tree.Comparator, tree.Comparator] = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}

Simple = tree.Comparison | tree.AnyOf | tree.AllOf  # what is left of a condition once [attr] and NOT are gone


@dataclass(frozen=True, slots=True)
class Conjunction:
    """One disjunct of the condition: all of these must hold."""

    equivalences: tuple[tree.Equivalence, ...]
    conditions: tuple[Simple, ...]


def conjunctions(query: tree.QueryTree, keep: frozenset[str], limit: int) -> tuple[Conjunction, ...]:
    """The disjuncts of the condition (disjunctive normal form), each a query of its own.

    `keep` are the names over which an OR may stay one condition.
    """
    if query.condition is None:
        return (Conjunction((), ()),)
    condition = _without_not(query.condition, False)
    if _alternatives(condition, keep) > limit:
        raise OverflowError(f"its ORs multiply to more than {limit} alternatives")
    disjuncts = dict.fromkeys(_disjuncts(condition, keep))
    return tuple(_conjunction(parts) for parts in disjuncts)


def _alternatives(condition: tree.Condition, keep: frozenset[str]) -> int:
    match condition:
        case tree.AnyOf() if not _folds(condition, keep):
            return sum(_alternatives(part, keep) for part in condition.parts)
        case tree.AllOf():
            return prod(_alternatives(part, keep) for part in condition.parts)
        case _:
            return 1


def _conjunction(parts: tuple[tree.Condition, ...]) -> Conjunction:
    unique = tuple(dict.fromkeys(parts))
    return Conjunction(
        tuple(p for p in unique if isinstance(p, tree.Equivalence)),
        tuple(p for p in unique if not isinstance(p, tree.Equivalence | tree.Not)),
    )


def _without_not(condition: tree.Condition, negate: bool) -> tree.Condition:
    match condition:
        case tree.Not():
            return _without_not(condition.part, not negate)
        case tree.Comparison():
            return replace(condition, op=FLIPPED[condition.op]) if negate else condition
        case tree.AllOf() | tree.AnyOf():
            parts = tuple(_without_not(part, negate) for part in condition.parts)
            conjunction = isinstance(condition, tree.AllOf) != negate
            place = condition.place
            return tree.AllOf(parts, place) if conjunction else tree.AnyOf(parts, place)
        case _:
            return condition


def foldable(query: tree.QueryTree, shape: Structure) -> frozenset[str]:
    """Names over which an OR may stay one condition: there both readings have the same matches.

    Under skip-till-any-match a condition over single positive events only filters combinations. Under the
    other strategies, for negative and for Kleene components, it decides which events are selected.
    """
    if query.strategy is not None and query.strategy.name != "skip_till_any_match":
        return frozenset()
    return frozenset(c.name for c in shape.components if not c.kleene)


def _disjuncts(condition: tree.Condition, keep: frozenset[str]) -> list[tuple[tree.Condition, ...]]:
    match condition:
        case tree.AnyOf() if _folds(condition, keep):
            return [(condition,)]
        case tree.AnyOf():
            return [disjunct for part in condition.parts for disjunct in _disjuncts(part, keep)]
        case tree.AllOf():
            choices = [_disjuncts(part, keep) for part in condition.parts]
            return [reduce(lambda a, b: a + b, choice, ()) for choice in product(*choices)]
        case _:
            return [(condition,)]


def _folds(condition: tree.Condition, keep: frozenset[str]) -> bool:
    match condition:
        case tree.Equivalence():
            return False
        case tree.AllOf() | tree.AnyOf():
            return all(_folds(part, keep) for part in condition.parts)
        case _:
            return names(condition) <= keep


def names(condition: tree.Condition) -> frozenset[str]:
    """The variables that a condition without [attr] mentions."""
    return frozenset(mention.var for mention in mentions(condition) if mention.var is not None)


def attributes(conditions: Iterable[tree.Condition]) -> frozenset[str]:
    """Every attribute name that the conditions read."""
    read: set[str] = set()
    for condition in conditions:
        for mention in mentions(condition):
            if not isinstance(mention, tree.Length) and mention.name is not None:
                read.add(mention.name)
    return frozenset(read)

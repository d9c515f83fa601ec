"""From a checked tree to its normal form: components in their order, conjunctions of simple conditions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from math import prod

from sase.language import tree
from sase.language.walk import happening, mentions, patterns, standings

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
class Component:
    """A positive component; `after` names the components that must be over before it may begin."""

    name: str
    types: tuple[str, ...]
    kleene: bool
    after: frozenset[int]


@dataclass(frozen=True, slots=True)
class Negative:
    """A negative component: none after the last event of `low` and before the first of `high`."""

    name: str
    types: tuple[str, ...]
    low: frozenset[int]
    high: frozenset[int]


@dataclass(frozen=True, slots=True)
class Structure:
    """The pattern without its conditions."""

    components: tuple[Component, ...]
    negatives: tuple[Negative, ...]

    def index(self, name: str) -> int | None:
        return next((i for i, c in enumerate(self.components) if c.name == name), None)


@dataclass(frozen=True, slots=True)
class Conjunction:
    """One disjunct of the condition: all of these must hold.."""

    equivalences: tuple[tree.Equivalence, ...]
    conditions: tuple[Simple, ...]


def structure(pattern: tree.Pattern) -> Structure:
    """Number the positive components in the order of the text; the order in time is a partial one (AND)."""
    if has_operator(pattern):
        raise TypeError(f"not a plain pattern: {pattern}")
    numbers = {leaf.var: number for number, leaf in enumerate(happening(pattern))}
    components: list[Component] = []
    negatives: list[Negative] = []
    for one in standings(pattern):
        low, high = (frozenset(numbers[leaf.var] for leaf in side) for side in (one.before, one.after))
        name, types = one.leaf.var or "", one.leaf.types
        if one.absent is None:
            over = low.union(*(components[number].after for number in low))
            components.append(Component(name, types, one.leaf.kleene, over))
        else:
            negatives.append(Negative(name, types, low, high))
    return Structure(tuple(components), tuple(negatives))


def has_operator(pattern: tree.Pattern) -> bool:
    """Whether some part of the pattern has a window of its own."""
    return any(isinstance(part, tree.Operator) for part in patterns(pattern))


def conjunctions(query: tree.Query, shape: Structure, limit: int) -> tuple[Conjunction, ...]:
    """The disjuncts of the condition (disjunctive normal form), each a query of its own."""
    if query.condition is None:
        return (Conjunction((), ()),)
    keep = _foldable(query, shape)
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
            return tree.AllOf(parts) if conjunction else tree.AnyOf(parts)
        case _:
            return condition


def _foldable(query: tree.Query, shape: Structure) -> frozenset[str]:
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

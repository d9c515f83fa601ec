"""A query of operators with windows of their own: all its alternatives as one tree, and its partitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from sase.language import tree
from sase.language.walk import leaves, patterns
from sase.options import Limits, Options
from sase.plan.normal import Conjunction, Simple
from sase.plan.outcome_tree import Demands, OutcomeTree, outcome_tree
from sase.plan.partition import Partitioning, tied_pair


@dataclass(frozen=True, slots=True)
class OperatorAlternative:
    tree: OutcomeTree
    partitioning: Partitioning
    output: str
    least: float | None  # HAVING: how likely an outcome must be
    options: Options
    limits: Limits


def operator_alternative(
    query: tree.QueryTree, disjuncts: Sequence[Conjunction], options: Options, limits: Limits
) -> OperatorAlternative:
    """All disjuncts together: their partitions are those of the equivalence tests that they share."""
    pattern = query.pattern
    shared = tuple(name for name in _tests(disjuncts[0]) if all(name in _tests(each) for each in disjuncts))
    keys = shared if options.partition else ()
    keys = keys if options.partition_all else keys[:1]
    inferred = None if keys else _shared_attribute(pattern, disjuncts, options)
    by = (inferred,) if inferred else keys
    demands = (_demands(pattern, each, shared, by) for each in disjuncts)
    partitioning = Partitioning(by, shared, shared, inferred is not None, (), ())
    grown = outcome_tree(pattern, demands)
    least = query.having if isinstance(query.having, float) else None
    return OperatorAlternative(grown, partitioning, query.output, least, options, limits)


def _tests(disjunct: Conjunction) -> tuple[str, ...]:
    return tuple(dict.fromkeys(test.attribute for test in disjunct.equivalences))


def _demands(
    pattern: tree.Pattern, disjunct: Conjunction, shared: tuple[str, ...], keys: tuple[str, ...]
) -> Demands:
    """What is left to test, in every operator and what is absent there: what partitions do not see to."""
    written = (condition for condition in disjunct.conditions if not _is_tied(condition, keys))
    tests = _tests(disjunct)
    rest = tuple(name for name in tests if name not in keys)
    names = _names(pattern)
    conditions = (*written, *_values(names, disjunct), *_equalities(names, rest))
    return Demands(conditions, tuple(name for name in tests if name not in shared))


def _names(pattern: tree.Pattern) -> tuple[str, ...]:
    return tuple(dict.fromkeys(leaf.var or "" for leaf in leaves(pattern)))


def _values(names: tuple[str, ...], disjunct: Conjunction) -> Iterator[Simple]:
    """[name = 'John'] fixes the value on every alias."""
    for test in disjunct.equivalences:
        if test.value is not None:
            for name in names:
                yield tree.Comparison("=", tree.Attribute(name, test.attribute), test.value)


def _equalities(names: tuple[str, ...], attributes: tuple[str, ...]) -> Iterator[Simple]:
    for attribute in attributes:
        for one, other in combinations(names, 2):
            yield tree.Comparison("=", tree.Attribute(one, attribute), tree.Attribute(other, attribute))


def _is_tied(condition: Simple, keys: tuple[str, ...]) -> bool:
    pair = tied_pair(condition)
    return pair is not None and pair[0].name in keys


def _shared_attribute(
    pattern: tree.Pattern, disjuncts: Sequence[Conjunction], options: Options
) -> str | None:
    """An attribute that plain equalities tie over all aliases, one to the next as they stand in the tree.

    Where ANYONE may leave an alias unbound its equalities say nothing.
    """
    parts = list(patterns(pattern))
    if not (options.partition and options.infer_partition):
        return None
    if any(isinstance(part, tree.Operator) and part.name == "ANYONE" for part in parts):
        return None
    ties = [_ties(disjunct) for disjunct in disjuncts]
    common = set.intersection(*({attribute for attribute, *_ in found} for found in ties))
    tied = (name for name in sorted(common) if all(_holds(pattern, name, found) for found in ties))
    return next(tied, None)


def _ties(disjunct: Conjunction) -> set[tuple[str, str, str]]:
    pairs = filter(None, map(tied_pair, disjunct.conditions))
    return {(one.name, one.var or "", other.var or "") for one, other in pairs}


def _holds(pattern: tree.Pattern, attribute: str, ties: set[tuple[str, str, str]]) -> bool:
    """Whether the aliases on each side of every operator are one partition, and both sides the same one."""
    edges = [(one, other) for name, one, other in ties if name == attribute]
    return all(
        _connected({leaf.var or "" for leaf in leaves(part)}, edges)
        for part in patterns(pattern)
        if isinstance(part, tree.Operator)
    )


def _connected(names: set[str], edges: list[tuple[str, str]]) -> bool:
    reached = {min(names)}
    while grown := {b for edge in edges for a, b in (edge, edge[::-1]) if a in reached} & names - reached:
        reached |= grown
    return reached == names

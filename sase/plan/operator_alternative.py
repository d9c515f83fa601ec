"""The alternatives of a query of operators: those that are partitioned alike are one tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from sase.language import tree
from sase.language.walk import leaves, patterns
from sase.options import Limits, Options
from sase.plan.normal import Conjunction, Simple
from sase.plan.outcome_tree import OutcomeTree, outcome_tree
from sase.plan.partition import Partitioning, tied_pair


@dataclass(frozen=True, slots=True)
class OperatorAlternative:
    tree: OutcomeTree
    partitioning: Partitioning
    output: str
    options: Options
    limits: Limits


def operator_alternatives(
    query: tree.QueryTree, disjuncts: Iterable[Conjunction], options: Options, limits: Limits
) -> tuple[OperatorAlternative, ...]:
    groups: dict[tuple[str, ...], list[Conjunction]] = {}
    for disjunct in disjuncts:
        groups.setdefault(_tests(disjunct), []).append(disjunct)
    return tuple(
        OperatorAlternative(*_planted(query.pattern, tests, group, options), query.output, options, limits)
        for tests, group in groups.items()
    )


def _tests(disjunct: Conjunction) -> tuple[str, ...]:
    return tuple(sorted({test.attribute for test in disjunct.equivalences}))


def _planted(
    pattern: tree.Pattern, tests: tuple[str, ...], group: list[Conjunction], options: Options
) -> tuple[OutcomeTree, Partitioning]:
    names = tuple(dict.fromkeys(leaf.var or "" for leaf in leaves(pattern)))
    keys = tests if options.partition else ()
    keys = keys if options.partition_all else keys[:1]
    inferred = None if tests else _shared_attribute(pattern, names, group, options)
    by = (inferred,) if inferred else keys
    rest = tuple(name for name in tests if name not in keys)
    trees = outcome_tree(pattern, (_conditions(names, each, rest, inferred) for each in group))
    return trees, Partitioning(by, tests, tests, inferred is not None, (), ())


def _conditions(
    names: tuple[str, ...], disjunct: Conjunction, rest: tuple[str, ...], inferred: str | None
) -> tuple[Simple, ...]:
    """What is left to test: that the partition does not see to, in every operator and what is absent there."""
    written = [condition for condition in disjunct.conditions if not _is_tie(condition, inferred)]
    return (*written, *_values(names, disjunct), *_equalities(names, rest))


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


def _is_tie(condition: Simple, attribute: str | None) -> bool:
    pair = tied_pair(condition)
    return attribute is not None and pair is not None and pair[0].name == attribute


def _shared_attribute(
    pattern: tree.Pattern, names: tuple[str, ...], group: list[Conjunction], options: Options
) -> str | None:
    """An attribute that plain equalities tie over all aliases, one to the next as they stand in the tree.

    Where ANYONE may leave an alias unbound its equalities say nothing.
    """
    parts = list(patterns(pattern))
    if not (options.partition and options.infer_partition) or len(names) < 2:
        return None
    if any(isinstance(part, tree.Operator) and part.name == "ANYONE" for part in parts):
        return None
    ties = [_ties(disjunct) for disjunct in group]
    common = set.intersection(*({attribute for attribute, *_ in found} for found in ties))
    return next((name for name in sorted(common) if all(_holds(pattern, name, found) for found in ties)), None)


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

"""Which attributes partition a query, from [attr] and from equalities written out, and what they replace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from sase.language import tree
from sase.options import Options
from sase.plan.normal import Conjunction, Simple
from sase.plan.structure import Structure


@dataclass(frozen=True, slots=True)
class Partitioning:
    """`keys` split stacks, runs and negatives; `groups` are the partitions that the query speaks of."""

    keys: tuple[str, ...]
    groups: tuple[str, ...]
    required: tuple[str, ...]  # an event without one of these takes part in nothing
    inferred: bool  # keys come from plain equalities: an event without the attribute may match any partition
    keyed_negatives: tuple[bool, ...]
    conditions: tuple[Simple, ...]  # what is left to test

    def among(self, shared: frozenset[str] | None) -> Partitioning:
        """The same where what the query speaks of are the partitions by the tests of all its disjuncts."""
        if shared is None:
            return self
        return replace(self, groups=tuple(name for name in self.groups if name in shared))

    def explain(self) -> str:
        if not self.keys:
            return "none: one for the whole stream"
        origin = " (from equalities; given up if an event comes without it)" if self.inferred else ""
        return f"by {', '.join(self.keys)}{origin}"


def partitioning(shape: Structure, conjunction: Conjunction, strategy: str, options: Options) -> Partitioning:
    tests = tuple(dict.fromkeys(test.attribute for test in conjunction.equivalences))
    values = tuple(_value_conditions(shape, conjunction))
    given = conjunction.conditions + values
    if tests:
        return _from_tests(shape, tests, given, strategy, options)
    attribute = _shared_attribute(shape, conjunction.conditions)
    # Under contiguity an event of another value breaks a match: only [attr] makes it one to be ignored.
    usable = options.partition and options.infer_partition and not strategy.endswith("contiguity")
    if attribute is None or not usable:
        return Partitioning((), (), (), False, (False,) * len(shape.negatives), given)
    by_partition = options.index_negation
    keyed = tuple(by_partition and _ties(n.name, attribute, shape, given) for n in shape.negatives)
    rest = tuple(c for c in given if not _implied(c, attribute, shape, keyed))
    return Partitioning((attribute,), (), (), True, keyed, rest)


def shared_tests(disjuncts: Iterable[Conjunction]) -> frozenset[str]:
    """The attributes that every disjunct tests for equivalence."""
    return frozenset.intersection(*map(_tested, disjuncts))


def same_tests(disjuncts: Iterable[Conjunction]) -> bool:
    """Whether all disjuncts test the same attributes for equivalence."""
    return len(set(map(_tested, disjuncts))) == 1


def _tested(disjunct: Conjunction) -> frozenset[str]:
    return frozenset(test.attribute for test in disjunct.equivalences)


def _from_tests(
    shape: Structure, tests: tuple[str, ...], given: tuple[Simple, ...], strategy: str, options: Options
) -> Partitioning:
    strict = strategy == "strict_contiguity"  # the stream is one partition (SASE+ 2): keys would hide events
    keys = tests if options.partition and not strict else ()
    if not options.partition_all:
        keys = keys[:1]
    rest = tuple(c for name in tests if name not in keys for c in _equalities(shape, name))
    indexed = bool(keys) and options.index_negation
    if not indexed:  # negative events of all partitions stand in one list
        rest += tuple(c for name in keys for c in _absent_equalities(shape, name))
    keyed = (indexed,) * len(shape.negatives)
    return Partitioning(keys, () if strict else tests, tests, False, keyed, given + rest)


def _value_conditions(shape: Structure, conjunction: Conjunction) -> Iterator[Simple]:
    """[name = 'John'] fixes the value on every component."""
    for test in conjunction.equivalences:
        if test.value is not None:
            for name in (*(c.name for c in shape.components), *(n.name for n in shape.negatives)):
                yield tree.Comparison("=", tree.Attribute(name, test.attribute), test.value)


def _equalities(shape: Structure, attribute: str) -> Iterator[Simple]:
    """[attr] written out: every two components, every event of a Kleene component, every negative one."""
    for a, b in combinations(range(len(shape.components)), 2):
        yield tree.Comparison("=", _one(shape, a, attribute), _one(shape, b, attribute))
    for component in shape.components:
        if component.kleene:
            current = tree.Attribute(component.name, attribute, "current")
            yield tree.Comparison("=", current, tree.Attribute(component.name, attribute, "first"))
    yield from _absent_equalities(shape, attribute)


def _absent_equalities(shape: Structure, attribute: str) -> Iterator[Simple]:
    for negative in shape.negatives:
        yield tree.Comparison("=", tree.Attribute(negative.name, attribute), _one(shape, 0, attribute))


def _one(shape: Structure, c: int, attribute: str) -> tree.Attribute:
    component = shape.components[c]
    return tree.Attribute(component.name, attribute, "first" if component.kleene else None)


def tied_pair(condition: Simple) -> tuple[tree.Attribute, tree.Attribute] | None:
    """Both sides of `x.id = y.id`."""
    if isinstance(condition, tree.Comparison) and condition.op == "=":
        left, right = condition.left, condition.right
        if (
            isinstance(left, tree.Attribute)
            and isinstance(right, tree.Attribute)
            and left.name == right.name
            and left.index is None is right.index
        ):
            return left, right
    return None


def _shared_attribute(shape: Structure, conditions: tuple[Simple, ...]) -> str | None:
    """An attribute that plain equalities tie over all components, negative ones too."""
    everything = {c.name for c in shape.components} | {n.name for n in shape.negatives}
    if len(everything) < 2:
        return None
    edges: dict[str, list[tuple[str, str]]] = {}
    for condition in conditions:
        pair = tied_pair(condition)
        if pair:
            edges.setdefault(pair[0].name, []).append((pair[0].var or "", pair[1].var or ""))
    return next((name for name, ties in edges.items() if _connected(everything, ties)), None)


def _connected(names: set[str], ties: list[tuple[str, str]]) -> bool:
    reached = {min(names)}
    while grown := {b for tie in ties for a, b in (tie, tie[::-1]) if a in reached} - reached:
        reached |= grown
    return reached == names


def _ties(name: str, attribute: str, shape: Structure, conditions: tuple[Simple, ...]) -> bool:
    """Whether the negative component is tied to a positive one directly."""
    positive = {c.name for c in shape.components}
    return any(
        pair[0].name == attribute
        and {pair[0].var, pair[1].var} & positive
        and name in (pair[0].var, pair[1].var)
        for pair in map(tied_pair, conditions)
        if pair
    )


def _implied(condition: Simple, attribute: str, shape: Structure, keyed: tuple[bool, ...]) -> bool:
    pair = tied_pair(condition)
    if not pair or pair[0].name != attribute:
        return False
    loose = {n.name for n, tied in zip(shape.negatives, keyed, strict=True) if not tied}
    return not {pair[0].var, pair[1].var} & loose

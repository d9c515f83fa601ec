"""What follows from constraints that nobody has declared, in the same words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from sase.constraints.declared import Constraint, ConstraintForm
from sase.constraints.obeying import CaseRules, has_cycle


def following(rules: CaseRules) -> tuple[Constraint, ...]:
    """Between two types: require is transitive, exclusive and prior pass through what must occur."""
    declared = {(each.form, each.types) for each in rules.group.constraints}
    return tuple(each for each in _all(rules) if not _is_declared(each, declared))


def impossible(rules: CaseRules) -> tuple[str, ...]:
    """The types of which no case that obeys has an event."""
    return tuple(name for name, bit in rules.bit.items() if not _together(rules, bit))


def _all(rules: CaseRules) -> Iterator[Constraint]:
    possible = {name: bit for name, bit in rules.bit.items() if _together(rules, bit)}
    for (a, one), (b, other) in permutations(possible.items(), 2):
        if rules.demanded(one) & other:
            yield Constraint("require", (a, b))
    for (a, one), (b, other) in combinations(possible.items(), 2):
        if not _together(rules, one | other):
            yield Constraint("exclusive", (a, b))
    for (a, one), (b, other) in permutations(possible.items(), 2):
        both = one | other
        if _together(rules, both) and not _together(rules, both, (other, one)):
            yield Constraint("prior", (a, b))


def _together(rules: CaseRules, types: int, order: tuple[int, int] = (0, 0)) -> bool:
    """Whether a case can have all of these types, and two of them in an order."""
    must = rules.demanded(types)
    edges = [(a, b) for a, b, _ in rules.priors if a != b]
    return not rules.denied(must) and not has_cycle(must, [*edges, *([order] if any(order) else [])])


def _is_declared(found: Constraint, declared: set[tuple[ConstraintForm, tuple[str, ...]]]) -> bool:
    turned = found.types if found.form != "exclusive" else found.types[::-1]
    return (found.form, found.types) in declared or (found.form, turned) in declared

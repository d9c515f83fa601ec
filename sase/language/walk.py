"""Walks over trees and rebuilds them; nobody else does, so that a new form costs the others nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sase.language.tree import (
    Absent,
    AllOf,
    And,
    AnyOf,
    Arithmetic,
    Comparison,
    Condition,
    Equivalence,
    Expression,
    Leaf,
    Mention,
    Minus,
    Not,
    Operator,
    Pattern,
    Seq,
)

# Patterns

SO_FAR = Leaf(("…",))


@dataclass(frozen=True, slots=True)
class Standing:
    """A component where it stands: under a negation or not, and what has to happen next to it in time."""

    leaf: Leaf
    absent: Absent | Operator | None  # the negation
    before: tuple[Leaf, ...]
    after: tuple[Leaf, ...]


def patterns(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern and everything in it, in the order of the text."""
    yield pattern
    for part in _parts(pattern):
        yield from patterns(part)


def leaves(pattern: Pattern) -> Iterator[Leaf]:
    """Every component of the pattern, negative ones too, in the order of the text."""
    return (part for part in patterns(pattern) if isinstance(part, Leaf))


def happening(pattern: Pattern) -> Iterator[Leaf]:
    """The positive components of the pattern."""
    match pattern:
        case Leaf():
            yield pattern
        case Operator(negates=True, left=left):
            yield from happening(left)
        case Seq() | And() | Operator():
            for part in _parts(pattern):
                yield from happening(part)


def absent_names(pattern: Pattern) -> frozenset[str]:
    """The names of the negative components of a pattern whose leaves all have one."""
    return frozenset(one.leaf.var or "" for one in standings(pattern) if one.absent is not None)


def standings(pattern: Pattern) -> Iterator[Standing]:
    """Every component in the order of the text, with its surroundings."""
    return _standings(pattern, None, (), ())


def steps(pattern: Pattern) -> tuple[Pattern, ...]:
    """The parts of a sequence; of operators, what happens and then each absence around it, which says SO_FAR
    for what it is around. Any other pattern is its own only part."""
    match pattern:
        case Seq(parts):
            return parts
        case Operator(negates=True, left=left):
            return *steps(left), replace(pattern, left=SO_FAR)
    return (pattern,)


def in_order(
    parts: Sequence[Pattern], before: tuple[Leaf, ...] = (), after: tuple[Leaf, ...] = ()
) -> Iterator[tuple[Pattern, tuple[Leaf, ...], tuple[Leaf, ...]]]:
    """The parts of a sequence, each with the nearest that happens before and after it, here or outside."""
    events = [tuple(happening(part)) for part in parts]
    later = [after]
    for happens in reversed(events[1:]):
        later.append(happens or later[-1])
    for part, happens, behind in zip(parts, events, reversed(later), strict=True):
        yield part, before, behind
        before = happens or before


def mapped_pattern(pattern: Pattern, change: Callable[[Pattern], Pattern]) -> Pattern:
    """The same pattern with every part changed: inner ones first, in the order of the text."""
    return change(_with_parts(pattern, tuple([mapped_pattern(part, change) for part in _parts(pattern)])))


def mapped_leaves(pattern: Pattern, change: Callable[[Leaf], Leaf]) -> Pattern:
    """The same shape with other leaves, asked for in the order of the text."""
    return mapped_pattern(pattern, lambda part: change(part) if isinstance(part, Leaf) else part)


def _standings(
    pattern: Pattern, absent: Absent | Operator | None, before: tuple[Leaf, ...], after: tuple[Leaf, ...]
) -> Iterator[Standing]:
    match pattern:
        case Leaf():
            yield Standing(pattern, absent, before, after)
        case Seq(parts):
            for part, earlier, later in in_order(parts, before, after):
                yield from _standings(part, absent, earlier, later)
        case Operator(negates=True, left=left, right=right):
            yield from _standings(left, absent, before, after)
            yield from _standings(right, pattern, before, after)
        case _:
            inside = pattern if isinstance(pattern, Absent) else absent
            for part in _parts(pattern):
                yield from _standings(part, inside, before, after)


def _parts(pattern: Pattern) -> tuple[Pattern, ...]:
    match pattern:
        case Leaf():
            return ()
        case Seq(parts) | And(parts):
            return parts
        case Absent(part):
            return (part,)
        case Operator(_, left, right):
            return left, right


def _with_parts(pattern: Pattern, parts: tuple[Pattern, ...]) -> Pattern:
    match pattern:
        case Leaf():
            return pattern
        case Seq() | And():
            return replace(pattern, parts=parts)
        case Absent():
            return replace(pattern, part=parts[0])
        case Operator():
            return replace(pattern, left=parts[0], right=parts[1])


# Conditions and expressions


def conjuncts(condition: Condition | None) -> tuple[Condition, ...]:
    """The parts of a conjunction; one condition is its own only part."""
    if condition is None:
        return ()
    return condition.parts if isinstance(condition, AllOf) else (condition,)


def comparisons(condition: Condition | None) -> Iterator[Comparison]:
    """Every comparison in the condition, in the order of the text."""
    match condition:
        case Comparison():
            yield condition
        case AllOf() | AnyOf():
            for part in condition.parts:
                yield from comparisons(part)
        case Not():
            yield from comparisons(condition.part)


def operands(expression: Expression) -> Iterator[Expression]:
    """The expression and everything in it."""
    yield expression
    match expression:
        case Arithmetic():
            yield from operands(expression.left)
            yield from operands(expression.right)
        case Minus():
            yield from operands(expression.operand)


def mentions(node: Condition | Expression) -> Iterator[Mention]:
    """Where a condition or an expression speaks of a component, in the order of the text."""
    sides = (
        [node] if isinstance(node, Expression) else [s for c in comparisons(node) for s in (c.left, c.right)]
    )
    for side in sides:
        yield from (part for part in operands(side) if isinstance(part, Mention))


def mapped(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The same expression with every leaf changed."""
    match expression:
        case Arithmetic(op, left, right, place):
            return Arithmetic(op, mapped(left, change), mapped(right, change), place)
        case Minus(operand, place):
            return Minus(mapped(operand, change), place)
    return change(expression)


def mapped_condition(
    condition: Condition,
    change: Callable[[Expression], Expression],
    equivalence: Callable[[Equivalence], Equivalence],
) -> Condition:
    """The same condition with every leaf and every equivalence test changed."""
    match condition:
        case Comparison(op, left, right, place):
            return Comparison(op, mapped(left, change), mapped(right, change), place)
        case Equivalence():
            return equivalence(condition)
        case AllOf(parts, place):
            return AllOf(tuple([mapped_condition(part, change, equivalence) for part in parts]), place)
        case AnyOf(parts, place):
            return AnyOf(tuple([mapped_condition(part, change, equivalence) for part in parts]), place)
        case Not(part, place):
            return Not(mapped_condition(part, change, equivalence), place)

"""Walks over conditions and expressions: what they mention, and the same shape with other leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sase.language.tree import (
    AllOf,
    AnyOf,
    Arithmetic,
    Comparison,
    Condition,
    Equivalence,
    Expression,
    Minus,
    Not,
)


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


def references(node: Condition | Expression) -> Iterator[Expression]:
    """The leaves of all expressions in a condition, or of one expression."""
    sides = (
        [node] if isinstance(node, Expression) else [s for c in comparisons(node) for s in (c.left, c.right)]
    )
    for side in sides:
        yield from (part for part in operands(side) if not isinstance(part, Arithmetic | Minus))


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

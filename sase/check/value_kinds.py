"""The kinds of values that a query can be seen to compute before any event has come, and their clashes."""

from __future__ import annotations

from typing import Literal

from sase.errors import TextPlace, problem
from sase.language.messages import ARITHMETIC_ON_TEXT, DIFFERENT_KINDS
from sase.language.tree import (
    Aggregate,
    Arithmetic,
    Attribute,
    Comparison,
    Constant,
    Equivalence,
    Expression,
    Length,
    Minus,
)

ValueKind = Literal["text", "number"] | None  # None: only the events will tell
# The attributes with a rule of their own; all others may hold anything.
_OWN: dict[str | None, ValueKind] = {"ts": "number", "prob": "number", "event": "text"}


def check_comparison(comparison: Comparison, text: str) -> None:
    """QueryError if a text is compared with a number."""
    left, right = value_kind(comparison.left, text), value_kind(comparison.right, text)
    if left and right and left != right:
        raise problem(DIFFERENT_KINDS, text, comparison.place)


def check_equivalence(test: Equivalence, text: str) -> None:
    """The same for an attribute that must have a certain value."""
    own = _OWN.get(test.attribute)
    if test.value is not None and own and own != value_kind(test.value, text):
        raise problem(DIFFERENT_KINDS, text, test.place)


def value_kind(expression: Expression, text: str) -> ValueKind:
    """What the expression yields, as far as can be seen; QueryError if it computes with text."""
    match expression:
        case Constant(value):
            return "text" if isinstance(value, str) else "number"
        case Attribute(name=name):
            return _OWN.get(name)
        case Length():
            return "number"
        case Aggregate():
            return _aggregate(expression, text)
        case Arithmetic(op, left, right, place):
            _numeric(op, left, place, text)
            return _numeric(op, right, place, text)
        case Minus(operand, place):
            return _numeric("-", operand, place, text)
    return None


def _aggregate(aggregate: Aggregate, text: str) -> ValueKind:
    inner = _OWN.get(aggregate.name)
    if aggregate.function in ("first", "last", "min", "max"):
        return inner
    if inner == "text" and aggregate.function != "count":
        raise problem(ARITHMETIC_ON_TEXT, text, aggregate.place, op=aggregate.function)
    return "number"


def _numeric(op: str, operand: Expression, place: TextPlace, text: str) -> ValueKind:
    if value_kind(operand, text) == "text":
        raise problem(ARITHMETIC_ON_TEXT, text, place, op=op)
    return "number"

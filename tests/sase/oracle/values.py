"""What values of events mean to the oracle: missing values, kinds, arithmetic, aggregates and comparisons."""

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

MISSING = object()  # the event does not carry the attribute, or carries it as null
NO_NUMBER = math.nan  # a division by zero, or arithmetic on something that is no number

ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}
FUNCTIONS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": sum,
    "avg": lambda numbers: sum(numbers) / len(numbers),
    "min": min,
    "max": max,
}


def of(event: dict[str, Any], name: str) -> Any:
    value = event.get(name)
    return MISSING if value is None else value


def is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float))


def compare(op: str, left: Any, right: Any) -> bool:
    """A missing value makes a comparison true; values of two kinds are never equal and never ordered."""
    if left is MISSING or right is MISSING:
        return True
    if is_number(left) != is_number(right):
        return op == "!="
    return ORDER[op](left, right)


def equal(left: Any, right: Any) -> bool:
    """As an equivalence test sees it: what is missing equals nothing."""
    return left is not MISSING and right is not MISSING and compare("=", left, right)


def calculate(op: str, left: Any, right: Any) -> Any:
    if left is MISSING or right is MISSING:
        return MISSING
    if not (is_number(left) and is_number(right)) or (op in "/%" and right == 0):
        return NO_NUMBER
    return ARITHMETIC[op](left, right)


def negate(value: Any) -> Any:
    return calculate("-", 0, value)


def aggregate(function: str, values: Sequence[Any]) -> Any:
    """`first` and `last` look at one event; the others pass over what is missing."""
    if function in ("first", "last"):
        return values[0 if function == "first" else -1] if values else MISSING
    present = [value for value in values if value is not MISSING]
    if function == "count":
        return len(present)
    if not present:
        return MISSING
    kinds = set(map(is_number, present))
    computable = kinds == {True} or (function in ("min", "max") and len(kinds) == 1)
    return FUNCTIONS[function](present) if computable else NO_NUMBER

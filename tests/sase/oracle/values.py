"""What values of events mean to the oracle: missing values, kinds, arithmetic, aggregates and comparisons."""

import math
import operator
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

MISSING = object()  # the event does not carry the attribute, or carries it as null
NO_NUMBER = math.nan  # a division by zero, or arithmetic on something that is no number
MOST = 2**53  # integers up to here are floats too

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


def of(event: dict[str, Any], name: str) -> Any:
    value = event.get(name)
    return MISSING if value is None else meant(value)


def meant(value: Any) -> Any:
    """A text, an integer, a float, a fraction for decimals, or what can only be equal or not."""
    match value:
        case np.generic():
            return meant(value.item())
        case Decimal():
            return Fraction(value) if value.is_finite() else float(value)
        case datetime():
            moment = value if value.tzinfo else value.replace(tzinfo=UTC)
            return (Fraction(moment.toordinal() - 719163) * 86_400_000 + _of_the_day(moment)) // 1
        case date():
            return str(value)
    return value


def _of_the_day(moment: datetime) -> Fraction:
    """Milliseconds since midnight in UTC."""
    offset = moment.utcoffset()
    assert offset is not None
    seconds = moment.hour * 3600 + moment.minute * 60 + moment.second - Fraction(offset.total_seconds())
    return seconds * 1000 + Fraction(moment.microsecond, 1000)


def is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, Fraction))


def is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def kind(value: Any) -> str:
    return "number" if is_number(value) else "text" if isinstance(value, str) else "other"


def compare(op: str, left: Any, right: Any) -> bool:
    """A missing value makes a comparison true; values of two kinds are never equal and never ordered."""
    if left is MISSING or right is MISSING:
        return True
    if kind(left) != kind(right):
        return op == "!="
    if kind(left) == "other":
        return (op != "!=" and "=" in op) if left == right else op == "!="
    return ORDER[op](left, right)


def equal(left: Any, right: Any) -> bool:
    """As an equivalence test sees it: what is missing equals nothing."""
    return left is not MISSING and right is not MISSING and compare("=", left, right)


def calculate(op: str, left: Any, right: Any) -> Any:
    """As floats do where both can be one and not both are integers; otherwise exactly."""
    if left is MISSING or right is MISSING:
        return MISSING
    if not (is_number(left) and is_number(right)) or (op in "/%" and right == 0):
        return NO_NUMBER
    whole = isinstance(left, int) and isinstance(right, int) and op != "/"
    if whole or (_is_float(left) and _is_float(right)):
        return ARITHMETIC[op](left, right)
    if any(isinstance(side, float) and not math.isfinite(side) for side in (left, right)):
        return _beyond(op, left, right)
    return _settled(ARITHMETIC[op](Fraction(left), Fraction(right)))


def _is_float(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and abs(value) <= MOST)


def _beyond(op: str, left: Any, right: Any) -> Any:
    """With NaN or an infinity: beside it any other number is as good as 1 of its sign, but as a remainder."""
    if op == "%" and not isinstance(left, float) and math.isinf(right):
        return left if (left < 0) == (right < 0) or left == 0 else right
    near = [side if isinstance(side, float) else float((side > 0) - (side < 0)) for side in (left, right)]
    return NO_NUMBER if op == "%" else ARITHMETIC[op](*near)


def _settled(exact: Fraction) -> Any:
    return exact.numerator if exact.denominator == 1 else exact


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
    kinds = {kind(value) for value in present}
    if function in ("min", "max"):
        return _extreme(min if function == "min" else max, present) if len(kinds) == 1 else NO_NUMBER
    if kinds != {"number"}:
        return NO_NUMBER
    total = reduce(lambda so_far, value: calculate("+", so_far, value), present)
    return total if function == "sum" else calculate("/", total, len(present))


def _extreme(choose: Callable[[Sequence[Any]], Any], present: Sequence[Any]) -> Any:
    disordered = any(kind(value) == "other" or is_nan(value) for value in present)
    return NO_NUMBER if disordered else choose(present)

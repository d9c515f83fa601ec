"""Computing with numbers of any size: as floats do where floats can hold both, exactly everywhere else."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact
from fractions import Fraction
from typing import Any

Number = int | float | Fraction | Decimal

NO_NUMBER = math.nan
# Beyond these powers of ten a number written out might take all memory: nothing is computed with it.
POWERS = range(-5_000, 5_000)

_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}
_WRITTEN_OUT = Context(prec=1_100, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact])


def calculate(op: str, left: Number, right: Number) -> Number:
    """What comes out: a float of floats, otherwise an integer or a fraction; NaN for no number."""
    if op in "/%" and right == 0:
        return NO_NUMBER
    left, right = _whole(left), _whole(right)
    whole = isinstance(left, int) and isinstance(right, int) and op != "/"
    if whole or (_is_float(left) and _is_float(right)):
        return _OPERATIONS[op](left, right)  # type: ignore[no-any-return]
    if not (_is_finite(left) and _is_finite(right)):
        return _beside_infinity(op, left, right)
    if _is_beyond(left) or _is_beyond(right):
        return NO_NUMBER
    return _whole(_OPERATIONS[op](Fraction(left), Fraction(right)))


def order(left: Number, right: Number) -> int | None:
    """-1, 0 or 1 as the left one is less, equal or greater, exactly; None for NaN."""
    if _is_nan(left) or _is_nan(right):
        return None
    return (left > right) - (left < right)


def written_out(value: Any) -> Any:
    """A fraction as the decimal that it is, or else as the nearest float; any other value as it is."""
    if not isinstance(value, Fraction):
        return value
    try:
        return _WRITTEN_OUT.divide(Decimal(value.numerator), Decimal(value.denominator))
    except Inexact:
        return _nearest(value)


def _whole(number: Number) -> Number:
    """A fraction that is an integer as that."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def _is_float(number: Number) -> bool:
    """Whether it computes as floats do: a float, or an integer up to which all of them are floats."""
    return isinstance(number, float) or (isinstance(number, int) and -(2**53) <= number <= 2**53)


def _is_finite(number: Number) -> bool:
    return not isinstance(number, float) or math.isfinite(number)


def _is_nan(number: Number) -> bool:
    return isinstance(number, float) and math.isnan(number)


def _is_beyond(number: Number) -> bool:
    return isinstance(number, Decimal) and number.adjusted() not in POWERS


def _beside_infinity(op: str, left: Number, right: Number) -> Number:
    """With NaN or an infinity, beside which any other number is as good as 1 of its sign."""
    if op != "%":
        return _OPERATIONS[op](_sign(left), _sign(right))  # type: ignore[no-any-return]
    if not _is_finite(left) or _is_nan(right):
        return NO_NUMBER
    return left if left == 0 or (left < 0) == (right < 0) else right


def _sign(number: Number) -> float:
    if isinstance(number, float):
        return number
    return float((number > 0) - (number < 0))


def _nearest(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf

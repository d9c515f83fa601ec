"""What the value of an attribute counts as: one table of rules for conditions, RETURN, `ts` and `prob`."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

PLAIN = frozenset((str, int, float, bool, type(None)))  # count as they are

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DAYS = ("Y", "M", "W", "D")
_MOST_DIGITS = 5_000  # of a decimal as an integer: written out a longer one might take all memory


def plain(value: Any) -> Any:
    """The text or number that a value counts as, None for what is missing; anything else stays itself.

    A date is a text, a moment its milliseconds (without a zone it is UTC). A decimal stays one, but for those
    that are an integer.
    """
    if type(value) in PLAIN:
        return value
    if isinstance(value, np.generic):
        return _from_numpy(value)
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if isinstance(value, datetime):
        return _from_datetime(value)
    return value.isoformat() if isinstance(value, date) else value


def number(value: Any) -> int | float | Decimal | None:
    """The value if it is a number by its type, None for everything else: true and a moment are none."""
    known = isinstance(value, int | float | Decimal | np.integer | np.floating)
    if not known or isinstance(value, bool | np.timedelta64):
        return None
    return plain(value)  # type: ignore[no-any-return]


def whole(value: Any) -> int | None:
    """The integer of 64 bits that a number is equal to; None if there is none."""
    found = number(value)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    return found if isinstance(found, int) and -(2**63) <= found < 2**63 else None


def is_probability(value: Any) -> bool:
    found = number(value)
    return found is not None and 0 < found <= 1


def _from_numpy(value: Any) -> Any:
    if isinstance(value, np.datetime64):
        return _from_datetime64(value)
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.integer) and not isinstance(value, np.timedelta64):
        return int(value)
    if isinstance(value, np.floating):
        rounded = float(value)  # only a long double may lose by it
        return rounded if rounded == value or math.isnan(rounded) else value
    return str(value) if isinstance(value, np.str_) else value


def _from_datetime64(value: Any) -> str | int | None:
    if np.isnat(value):
        return None
    if np.datetime_data(value.dtype)[0] in _DAYS:
        return str(value.astype("datetime64[D]"))
    return int(value.astype("datetime64[ms]").astype(np.int64))


def _from_datetime(value: datetime) -> int | None:
    if math.isnan(value.year):  # what pandas has for a moment that is missing
        return None
    return ((value if value.tzinfo else value.replace(tzinfo=UTC)) - _EPOCH) // _MILLISECOND


def _from_decimal(value: Decimal) -> int | float | Decimal:
    if not value.is_finite():
        return math.nan if value.is_nan() else math.copysign(math.inf, value)
    whole = value.adjusted() < _MOST_DIGITS and value == value.to_integral_value()
    return int(value) if whole else value

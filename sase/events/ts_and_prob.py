"""The two attributes with a rule of their own, `ts` and `prob`: what breaks it is refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sase.events.columns import milliseconds
from sase.events.values import is_probability, whole

CHANCE = "prob, or 1 without one"  # the name of a column of them; no query can call an attribute so
LIMIT = 2**61  # milliseconds either side of 1970: with a window they still have 64 bits


def check_time(ts: int, what: str) -> None:
    if not -LIMIT < ts < LIMIT:
        raise ValueError(f"{what} must be less than 2^61 milliseconds from 1970, not {ts}")


def time(value: Any, row: int) -> int:
    """The milliseconds of one event."""
    found = value if type(value) is int and abs(value) < 2**63 else whole(value)
    if found is None:
        raise ValueError(
            f"event {row + 1} of the batch: ts must be a whole number of milliseconds, not {value!r}"
        )
    return found


def times(column: pa.Array) -> pa.Array:
    """The milliseconds of all events of a batch."""
    if column.null_count:
        raise ValueError("an event has no time: ts is null")
    kind = column.type
    if kind == pa.int64():
        return column
    if pa.types.is_dictionary(kind):
        return times(column.dictionary_decode())
    if pa.types.is_timestamp(kind):
        return milliseconds(column)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _whole_times(column)
    raise ValueError(f"ts must hold whole milliseconds or timestamps, not {kind}")


def _whole_times(column: pa.Array) -> pa.Array:
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        given = enumerate(column.to_pylist())
        return pa.array(np.fromiter((time(value, row) for row, value in given), np.int64, len(column)))


def check_probability(value: Any, row: int) -> None:
    """Of one event that has a `prob`."""
    if not is_probability(value):
        raise ValueError(
            f"event {row + 1} of the batch: prob must be a number above 0 and at most 1, not {value!r}"
        )


def check_probabilities(column: pa.Array) -> None:
    """Of all events of a batch; null is an event without one."""
    good = probable(column)
    if not good.all():
        row = int(np.argmin(good))
        check_probability(column[row].as_py(), row)


def chances(column: pa.Array) -> NDArray[np.float64]:
    """The probabilities of a checked column as floats; null is certain."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_null(column.type):
        return np.ones(len(column), np.float64)
    given = pc.fill_null(column.cast(pa.float64(), safe=False), 1.0)
    return np.asarray(given.to_numpy(zero_copy_only=False), np.float64)


def probable(column: pa.Array) -> Any:
    """Which rows of a column are probabilities, or null."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return pc.is_null(column).to_numpy(zero_copy_only=False)
    numbers = column.cast(pa.float64(), safe=False)
    inside = pc.and_(pc.greater(numbers, 0), pc.less_equal(numbers, 1))
    return pc.fill_null(inside, True).to_numpy(zero_copy_only=False)

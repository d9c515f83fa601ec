"""Attributes of a batch as columns of tagged 64-bit values, from Arrow arrays or from Python values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sase.events.dictionary import Dictionary
from sase.kernels.values import FLOAT, INTEGER, MISSING, STRING

Tagged = tuple[NDArray[np.int64], NDArray[np.uint8]]

INT64 = range(-(2**63), 2**63)


def from_arrow(column: pa.Array, dictionary: Dictionary) -> Tagged:
    """The values and kinds of a column; nulls are missing."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _from_dictionary(column, dictionary)
    if pa.types.is_boolean(kind) or (pa.types.is_integer(kind) and kind != pa.uint64()):
        return _with_nulls(column, _numpy(column.cast(pa.int64())), INTEGER)
    if pa.types.is_floating(kind):
        return _with_nulls(column, _numpy(column.cast(pa.float64())).view(np.int64), FLOAT)
    if pa.types.is_timestamp(kind):
        return _with_nulls(column, _numpy(milliseconds(column)), INTEGER)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _with_nulls(column, dictionary.codes_of(column), STRING)
    return from_objects(column.to_pylist(), dictionary)


def milliseconds(column: pa.Array) -> pa.Array:
    """A time column as int64 milliseconds since the epoch."""
    if pa.types.is_timestamp(column.type):
        zone = column.type.tz
        return column.cast(pa.timestamp("ms", tz=zone), safe=False).cast(pa.int64())
    return column.cast(pa.int64())


def _numpy(column: pa.Array) -> NDArray[Any]:
    filled = pc.fill_null(column, 0) if column.null_count else column
    return filled.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _with_nulls(column: pa.Array, values: NDArray[np.int64], kind: int) -> Tagged:
    kinds = np.full(len(column), kind, np.uint8)
    if column.null_count:
        kinds[pc.is_null(column).to_numpy(zero_copy_only=False)] = MISSING
    return values, kinds


def _from_dictionary(column: pa.DictionaryArray, dictionary: Dictionary) -> Tagged:
    """Look up each distinct value once."""
    distinct = column.dictionary
    if not (pa.types.is_string(distinct.type) or pa.types.is_large_string(distinct.type)):
        return from_arrow(column.cast(distinct.type), dictionary)
    codes = dictionary.codes_of(distinct)
    indices = _numpy(column.indices)
    values = codes[indices] if codes.size else np.zeros(len(column), np.int64)
    return _with_nulls(column, values, STRING)


def from_objects(values: Sequence[Any], dictionary: Dictionary) -> Tagged:
    """The same for Python values; what is neither number nor string can only be equal or not."""
    out = np.zeros(len(values), np.int64)
    numbers = out.view(np.float64)
    kinds = np.zeros(len(values), np.uint8)
    for i, value in enumerate(values):
        if value is None:
            continue
        if isinstance(value, float):
            numbers[i], kinds[i] = value, FLOAT
        elif isinstance(value, int) and value in INT64:
            out[i], kinds[i] = value, INTEGER
        else:
            out[i], kinds[i] = dictionary.code(_hashable(value)), STRING
    return out, kinds


def _hashable(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return (type(value).__name__, json.dumps(value, sort_keys=True, default=str))


def attribute_of(events: Iterable[dict[str, Any]], name: str) -> list[Any]:
    return [event.get(name) for event in events]

"""Attributes of a batch as columns of tagged 64-bit values, from Arrow arrays or from Python values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sase.events.dictionary import INT64, Dictionary, Tagged
from sase.events.values import PLAIN, plain
from sase.kernels.values import FLOAT, INTEGER, MISSING, STRING


def from_arrow(column: pa.Array, dictionary: Dictionary) -> Tagged:
    """The values and kinds of a column; nulls are missing."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _from_dictionary(column, dictionary)
    if pa.types.is_boolean(kind) or (pa.types.is_integer(kind) and kind != pa.uint64()):
        return _with_nulls(column, _numpy(_as(column, pa.int64())), INTEGER)
    if pa.types.is_floating(kind):
        return _with_nulls(column, _numpy(_as(column, pa.float64())).view(np.int64), FLOAT)
    if pa.types.is_timestamp(kind):
        return _with_nulls(column, _numpy(milliseconds(column)), INTEGER)
    if pa.types.is_date(kind):
        column = column.cast(pa.string())
    if _is_text(column.type):
        return _with_nulls(column, dictionary.codes_of(column), STRING)
    if pa.types.is_decimal(kind) and (integers := _integers(column)) is not None:
        return _with_nulls(column, _numpy(integers), INTEGER)
    return from_objects(column.to_pylist(), dictionary)


def _as(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Arrow takes its time to find out that there is nothing to do."""
    return column if column.type == kind else column.cast(kind)


def milliseconds(column: pa.Array) -> pa.Array:
    """Timestamps as int64 milliseconds since the epoch, cut off downwards; without a zone they are UTC."""
    per_millisecond = {"us": 1_000, "ns": 1_000_000}.get(column.type.unit, 1)
    if per_millisecond == 1:
        return column.cast(pa.timestamp("ms", column.type.tz)).cast(pa.int64())
    cut = np.floor_divide(_numpy(column.cast(pa.int64())), per_millisecond)
    return pa.array(cut, mask=_nulls(column) if column.null_count else None)


def has_views(kind: pa.DataType) -> bool:
    """Whether texts or bytes are in a layout that not all of Arrow's functions know."""
    if pa.types.is_dictionary(kind):
        return has_views(kind.value_type)
    return bool(pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def without_views(column: pa.Array) -> pa.Array:
    """The same texts or bytes in the layout that all of them know."""
    if pa.types.is_dictionary(column.type):
        return pa.DictionaryArray.from_arrays(column.indices, without_views(column.dictionary))
    return column.cast(pa.large_string() if pa.types.is_string_view(column.type) else pa.large_binary())


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _integers(column: pa.Array) -> pa.Array | None:
    """Decimals as integers, if all of them are."""
    try:
        return column.cast(pa.int64())
    except pa.ArrowInvalid:
        return None


def _numpy(column: pa.Array) -> NDArray[Any]:
    filled = pc.fill_null(column, 0) if column.null_count else column
    return filled.to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _with_nulls(column: pa.Array, values: NDArray[np.int64], kind: int) -> Tagged:
    kinds = np.full(len(column), kind, np.uint8)
    if column.null_count:
        kinds[_nulls(column)] = MISSING
    return values, kinds


def _nulls(column: pa.Array) -> NDArray[np.bool_]:
    return pc.is_null(column).to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


def _from_dictionary(column: pa.DictionaryArray, dictionary: Dictionary) -> Tagged:
    """Look up each distinct value once."""
    distinct = column.dictionary
    if not _is_text(distinct.type) or distinct.null_count:
        return from_arrow(column.dictionary_decode(), dictionary)
    codes = dictionary.codes_of(distinct)
    indices = _numpy(column.indices)
    values = codes[indices] if codes.size else np.zeros(len(column), np.int64)
    return _with_nulls(column, values, STRING)


def from_objects(values: Sequence[Any], dictionary: Dictionary) -> Tagged:
    """The same for Python values; what is neither number nor string can only be equal or not."""
    out = np.zeros(len(values), np.int64)
    numbers = out.view(np.float64)
    kinds = np.zeros(len(values), np.uint8)
    for i, given in enumerate(values):
        value = given if type(given) in PLAIN else plain(given)
        if value is None:
            continue
        if isinstance(value, float):
            numbers[i], kinds[i] = value, FLOAT
        elif isinstance(value, int) and value in INT64:
            out[i], kinds[i] = value, INTEGER
        else:
            out[i], kinds[i] = dictionary.tagged(value)
    return out, kinds


def attribute_of(events: Iterable[dict[str, Any]], name: str) -> list[Any]:
    return [event.get(name) for event in events]


def carried(column: Tagged) -> NDArray[np.bool_]:
    """An equivalence test needs a value that equals itself: neither missing nor NaN."""
    value, kind = column
    found: NDArray[np.bool_] = (kind != MISSING) & ~((kind == FLOAT) & np.isnan(value.view(np.float64)))
    return found

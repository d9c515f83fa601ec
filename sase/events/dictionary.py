"""Strings as numbers: one dictionary per matcher, shared by constants, attributes and keys.

It also has codes for numbers beyond 64 bits and for what can only be equal or not. Kept for ever, the texts
of a stream would outgrow any window: whoever holds codes says which, and the others are forgotten.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import compress, islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sase.events.numbers import Number
from sase.events.text_order import TextOrder
from sase.kernels.values import DECIMAL, EXACT, FLOAT, INTEGER, OPAQUE, STRING

Tagged = tuple[NDArray[np.int64], NDArray[Any]]  # values, and the kind of each

BULK = 4096  # strings at once that are worth Arrow's building a hash table of all known ones
INT64 = range(-(2**63), 2**63)

_CODED = np.zeros(OPAQUE + 1, np.bool_)
_CODED[[STRING, EXACT, OPAQUE]] = True


class Dictionary:
    """Codes in the order in which the values first came."""

    def __init__(self) -> None:
        self._codes: dict[Hashable, int] = {}
        self._numbers: dict[int, Number] = {}  # by their codes
        self._known = pa.array([], pa.string())  # strings that have met in bulk, for looking up in bulk
        self._known_codes: NDArray[np.int64] = np.zeros(0, np.int64)
        self._order = TextOrder()
        self._ordered = 0

    def __len__(self) -> int:
        return len(self._codes)

    def codes(self, values: Iterable[Hashable]) -> NDArray[np.int64]:
        code = self._codes
        return np.fromiter((code.setdefault(value, len(code)) for value in values), np.int64)

    def codes_of(self, strings: pa.Array) -> NDArray[np.int64]:
        """The codes of a column of strings, 0 for nulls; in bulk Arrow looks them up faster than a dict."""
        if len(strings) < BULK or len(self._known) > BULK + 4 * len(strings):
            distinct = strings.dictionary_encode()
            codes = self.codes(distinct.dictionary.to_pylist())
            places = distinct.indices
        else:
            places = self._places(strings.cast(pa.string()))
            codes = self._known_codes
        if not codes.size:
            return np.zeros(len(strings), np.int64)
        filled = pc.fill_null(places, 0) if places.null_count else places
        return codes[filled.to_numpy(zero_copy_only=False)]  # type: ignore[no-any-return]

    def _places(self, strings: pa.Array) -> pa.Array:
        """Where the strings stand among those known in bulk, null for nulls; new ones are added."""
        places = pc.index_in(strings, value_set=self._known, skip_nulls=True)
        if places.null_count > strings.null_count:
            new = strings.filter(pc.is_null(places)).drop_null().unique()
            self._known_codes = np.append(self._known_codes, self.codes(new.to_pylist()))
            self._known = pa.concat_arrays([self._known, new])
            places = pc.index_in(strings, value_set=self._known, skip_nulls=True)
        return places

    def tagged(self, value: Any) -> tuple[int, int]:
        """A value that is there as 64 bits and a kind."""
        if isinstance(value, int) and value in INT64:
            return int(value), INTEGER
        if isinstance(value, str):
            return self._code(value), STRING
        if isinstance(value, int | float | Fraction | Decimal):
            return self._number_tagged(value)
        told = json.dumps(value, sort_keys=True, default=str)
        return self._code((type(value).__name__, told)), OPAQUE

    def _number_tagged(self, number: Number) -> tuple[int, int]:
        rounded = number if isinstance(number, float) else _equal_float(number)
        if rounded is not None:
            kind = FLOAT if rounded is number else DECIMAL
            return struct.unpack("=q", struct.pack("=d", rounded))[0], kind
        code = self._code(number)
        self._numbers[code] = number
        return code, EXACT

    def _code(self, value: Hashable) -> int:
        return self._codes.setdefault(value, len(self._codes))

    def number(self, code: int) -> Number:
        return self._numbers[code]

    def values(self, columns: Tagged) -> list[Any]:
        """What tagged values stand for, none of them missing."""
        known = list(self._codes)
        return [_value(bits, kind, known) for bits, kind in zip(*(c.tolist() for c in columns), strict=True)]

    def ranks(self) -> NDArray[np.int64]:
        """By code, in the order of the strings; only new ones are put into it."""
        if self._ordered < len(self._codes):
            new = islice(reversed(self._codes), len(self._codes) - self._ordered)
            self._order.add([value for value in new if isinstance(value, str)], self._codes)
            self._ordered = len(self._codes)
        return self._order.ranks

    def renew(self, columns: Iterable[Tagged]) -> None:
        """Forget what no column holds. They are all there is of codes, and get the new ones in place."""
        held = [(values, np.flatnonzero(_CODED[kinds])) for values, kinds in columns]
        live = np.zeros(len(self._codes), np.bool_)
        for values, at in held:
            live[values[at]] = True
        new = np.cumsum(live) - 1
        for values, at in held:
            values[at] = new[values[at]]
        self._codes = {value: code for code, value in enumerate(compress(self._codes, live.tolist()))}
        self._numbers = {int(new[code]): each for code, each in self._numbers.items() if live[code]}
        known = live[self._known_codes]
        self._known = self._known.filter(pa.array(known))
        self._known_codes = new[self._known_codes[known]]
        if self._ordered:
            self._order.keep(self._codes)
            self._ordered = len(self._codes)


def _value(bits: int, kind: int, known: list[Any]) -> Any:
    if kind in (FLOAT, DECIMAL):
        return struct.unpack("=d", struct.pack("=q", bits))[0]
    return bits if kind == INTEGER else known[bits]


def _equal_float(number: Number) -> float | None:
    """The float that it is equal to, if there is one."""
    try:
        rounded = float(number)
    except OverflowError:
        return None
    return rounded if rounded == number else None

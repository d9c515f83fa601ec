"""Strings as numbers: one growing dictionary per matcher, shared by constants, attributes and keys."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

NUMBER = "number"  # marks a number that neither an integer of 64 bits nor a float can be
BULK = 4096  # strings at once that are worth Arrow's building a hash table of all known ones


class Dictionary:
    """Codes in the order in which the values first came. Also holds what is neither number nor string."""

    def __init__(self) -> None:
        self._codes: dict[Hashable, int] = {}
        self._known = pa.array([], pa.string())  # strings that have met in bulk, for looking up in bulk
        self._known_codes: NDArray[np.int64] = np.zeros(0, np.int64)
        self._rank: NDArray[np.int64] = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._codes)

    def code(self, value: Hashable) -> int:
        return self._codes.setdefault(value, len(self._codes))

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

    def ranks(self) -> NDArray[np.int64]:
        """The place of every code in the order of the strings; computed again only after growth."""
        if self._rank.size != len(self._codes):
            ordered = sorted(self._codes, key=_order)
            self._rank = np.empty(len(ordered), np.int64)
            self._rank[[self._codes[value] for value in ordered]] = np.arange(len(ordered))
        return self._rank


def _order(value: Any) -> tuple[int, Any]:
    if isinstance(value, str):
        return 0, value
    return (1, value[1]) if value[0] == NUMBER else (2, str(value))

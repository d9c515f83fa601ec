"""Strings as numbers: one growing dictionary per matcher, shared by constants, attributes and keys."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


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
        """The codes of distinct strings; where most are known, Arrow finds them much faster than a dict."""
        if 8 * len(strings) < len(self._known) or len(strings) < 1024:
            return self.codes(strings.to_pylist())
        strings = strings.cast(pa.string())
        places = pc.index_in(strings, value_set=self._known)
        if places.null_count:
            new = strings.filter(pc.is_null(places))
            self._known_codes = np.append(self._known_codes, self.codes(new.to_pylist()))
            self._known = pa.concat_arrays([self._known, new])
            places = pc.index_in(strings, value_set=self._known)
        return self._known_codes[places.to_numpy(zero_copy_only=False)]  # type: ignore[no-any-return]

    def ranks(self) -> NDArray[np.int64]:
        """The place of every code in the order of the strings; computed again only after growth."""
        if self._rank.size != len(self._codes):
            ordered = sorted(self._codes, key=lambda value: (not isinstance(value, str), str(value)))
            self._rank = np.empty(len(ordered), np.int64)
            self._rank[[self._codes[value] for value in ordered]] = np.arange(len(ordered))
        return self._rank

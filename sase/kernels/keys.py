"""Partition keys: equal values get equal small numbers, for one attribute or several."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import inlined, kernel, part, room
from sase.kernels.values import FLOAT, INTEGER, MISSING, STRING


class Keys(NamedTuple):
    """An open-addressing hash table from (kind, value) to a number counted from 0."""

    kind: NDArray[np.uint8]  # 0: free
    value: NDArray[np.int64]
    number: NDArray[np.int64]
    used: NDArray[np.int64]  # [entries]


@kernel
def numbered(values, kinds, T):
    """The number of each value, -1 for missing ones and NaN; returns the table, which may have grown."""
    out = np.empty(values.size, np.int64)
    done = _number_on(0, values, kinds, out, T)
    while done < values.size:
        T = _grown(T)
        done = _number_on(done, values, kinds, out, T)
    return out, T


@part
def _number_on(first, values, kinds, out, T):
    """Number the values from `first` on; returns the first one for which the table is too full."""
    for i in range(first, values.size):
        kind = np.int64(kinds[i])
        value = values[i]
        if kind == FLOAT:
            f = np.int64(value).view(np.float64)
            if f != f:
                kind = MISSING
            elif f == np.floor(f) and abs(f) < 2.0**63:
                kind = INTEGER  # 1.0 equals 1
                value = np.int64(f)
        if kind == MISSING:
            out[i] = -1
            continue
        at = _slot(kind, value, T)
        if T.kind[at] == MISSING:
            if 2 * T.used[0] >= T.kind.size:
                return i
            T.kind[at] = kind
            T.value[at] = value
            T.number[at] = T.used[0]
            T.used[0] += 1
        out[i] = T.number[at]
    return values.size


@inlined
def _slot(kind, value, T):
    mask = np.uint64(T.kind.size - 1)
    h = (np.uint64(value) ^ (np.uint64(kind) << np.uint64(61))) * np.uint64(0x9E3779B97F4A7C15)
    at = np.int64((h >> np.uint64(20)) & mask)
    while T.kind[at] != MISSING and (T.kind[at] != kind or T.value[at] != value):
        at = (at + 1) & np.int64(mask)
    return at


@room
def _grown(T):
    n = 2 * T.kind.size
    new = Keys(np.zeros(n, np.uint8), np.empty(n, np.int64), np.empty(n, np.int64), T.used)
    for i in range(T.kind.size):
        if T.kind[i] != MISSING:
            at = _slot(T.kind[i], T.value[i], new)
            new.kind[at] = T.kind[i]
            new.value[at] = T.value[i]
            new.number[at] = T.number[i]
    return new


@kernel
def places(groups, count):
    """The running number of each event in its group; `count` holds where each group stands."""
    out = np.empty(groups.size, np.int64)
    for i in range(groups.size):
        if groups[i] < 0:
            out[i] = -1
            continue
        out[i] = count[groups[i]]
        count[groups[i]] += 1
    return out


def keys(size: int = 1024) -> Keys:
    return Keys(
        np.zeros(size, np.uint8), np.empty(size, np.int64), np.empty(size, np.int64), np.zeros(1, np.int64)
    )


class KeyTable:
    """Numbers for the values of one or several attributes."""

    def __init__(self, attributes: int) -> None:
        self._tables = [keys() for _ in range(max(2 * attributes - 1, 1))]

    def __len__(self) -> int:
        return int(self._tables[-1].used[0])

    def number(self, columns: list[tuple[NDArray[np.int64], NDArray[np.uint8]]]) -> NDArray[np.int64]:
        """One number per row, -1 where an attribute is missing; pairs of numbers are numbered again."""
        combined = self._column(0, *columns[0])
        for i, column in enumerate(columns[1:], 1):
            other = self._column(2 * i - 1, *column)
            absent = (combined < 0) | (other < 0)
            kinds = np.where(absent, np.uint8(MISSING), np.uint8(STRING))
            combined = self._column(2 * i, (combined << 32) | other, kinds)
        return combined

    def _column(self, i: int, values: NDArray[np.int64], kinds: NDArray[np.uint8]) -> NDArray[np.int64]:
        out, self._tables[i] = numbered(np.ascontiguousarray(values), kinds, self._tables[i])
        return out  # type: ignore[no-any-return]

"""Partition keys: equal values get equal small numbers, for one attribute or several."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.fetch import fetch
from sase.kernels.jit import inlined, kernel
from sase.kernels.values import FLOAT, INTEGER, MISSING, STRING

FREE = -1
CACHED = 1 << 14  # slots that are near the processor anyway
AHEAD = 8


class Keys(NamedTuple):
    """An open-addressing hash table from (kind, value) to a number counted from 0."""

    slots: NDArray[np.int64]  # (n, 2): value, number << 2 | kind; FREE in the second
    used: NDArray[np.int64]  # [entries]


@kernel
def numbered(first, values, kinds, out, T):
    """Number the values from `first` on, missing ones and NaN with -1; stops where the table is too full."""
    scattered = T.slots.shape[0] > CACHED
    for i in range(first, values.size):
        if scattered and i + AHEAD < values.size:
            fetch(T.slots, _first_slot(np.int64(kinds[i + AHEAD]), values[i + AHEAD], T.slots))
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
        at = _slot(kind, value, T.slots)
        if T.slots[at, 1] == FREE:
            if 2 * T.used[0] >= T.slots.shape[0]:
                return i
            T.slots[at, 0] = value
            T.slots[at, 1] = T.used[0] << 2 | kind
            T.used[0] += 1
        out[i] = T.slots[at, 1] >> 2
    return values.size


@inlined
def _first_slot(kind, value, slots):
    h = (np.uint64(value) ^ (np.uint64(kind) << np.uint64(61))) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((h >> np.uint64(20)) & np.uint64(slots.shape[0] - 1))


@inlined
def _slot(kind, value, slots):
    at = _first_slot(kind, value, slots)
    while slots[at, 1] != FREE and (slots[at, 0] != value or slots[at, 1] & 3 != kind):
        at = (at + 1) & (slots.shape[0] - 1)
    return at


@kernel
def _rehash(old, new):
    for i in range(old.shape[0]):
        if old[i, 1] != FREE:
            at = _slot(old[i, 1] & 3, old[i, 0], new)
            new[at, 0] = old[i, 0]
            new[at, 1] = old[i, 1]


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
    return Keys(np.full((size, 2), FREE, np.int64), np.zeros(1, np.int64))


def _grown(T: Keys) -> Keys:
    new = np.full((4 * len(T.slots), 2), FREE, np.int64)
    _rehash(T.slots, new)
    return T._replace(slots=new)


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
        out = np.empty(len(values), np.int64)
        values, done = np.ascontiguousarray(values), 0
        while (done := numbered(done, values, kinds, out, self._tables[i])) < len(values):
            self._tables[i] = _grown(self._tables[i])
        return out

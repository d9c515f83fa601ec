"""Partition keys: equal values get equal small numbers, for one attribute or several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.borrowed import borrowed
from sase.kernels.cells import VALUE
from sase.kernels.fetch import fetch
from sase.kernels.jit import inlined, kernel
from sase.kernels.memory import lent
from sase.kernels.values import DECIMAL, FLOAT, INTEGER, MISSING, STRING, TWO_63

EMPTY = -1
FULL = -2  # instead of a number: there is no room for a new value
ENTRY = 1  # of a slot: number << KIND_BITS | kind, or EMPTY
KIND_BITS = 3
KINDS = (1 << KIND_BITS) - 1
CACHED = 1 << 14  # slots that are near the processor anyway
AHEAD = 8
NEAR = 4  # integers that need no hash, per slot
BLOCK = 1024  # events after which it is asked how many keys were new
RARELY = 32


class Keys(NamedTuple):
    """An open-addressing hash table from (kind, value) to a number counted from 0."""

    slots: NDArray[np.int64]  # (n, 2): value and entry
    used: NDArray[np.int64]  # how many
    near: NDArray[np.int32]  # per integer from 0 on its number, once it was asked for; before that EMPTY


@kernel
def numbered(first, values, kinds, numbers, table):
    """Number the values from `first` on, missing ones and NaN with -1; stops where the table is too full."""
    return number_all(first, borrowed(values), borrowed(kinds), borrowed(numbers), borrowed(table))


@inlined
def number_all(first, values, kinds, numbers, table):
    """Most keys are integers that somebody has counted: these need no hash, once few of them are new."""
    start = first
    known = start < values.size and is_near(kinds[start], values[start], table)
    while start < values.size:
        stop = min(start + BLOCK, values.size)
        if known:
            done, unknown = number_known(start, stop, values, kinds, numbers, table)
        else:
            done, unknown = number_new(start, stop, values, kinds, numbers, table)
        if done < stop:
            return done
        known = RARELY * unknown < BLOCK
        start = stop
    return values.size


@inlined
def number_new(start, stop, values, kinds, numbers, table):
    """Number some values by the hash; how far it has come, and how many need it or are new."""
    scattered = table.slots.shape[0] > CACHED
    before = table.used[0]
    far = 0
    for i in range(start, stop):
        if scattered and i + AHEAD < values.size:
            fetch(table.slots, _first_slot(np.int64(kinds[i + AHEAD]), values[i + AHEAD], table.slots))
        number = number_of(np.int64(kinds[i]), values[i], table)
        if number == FULL:
            return i, 0
        if is_near(kinds[i], values[i], table):
            table.near[values[i]] = number
        else:
            far += 1
        numbers[i] = number
    return stop, far + table.used[0] - before


@inlined
def number_known(start, stop, values, kinds, numbers, table):
    """The same for values of which most are known; of new ones the hash is not fetched in time."""
    unknown = 0
    for i in range(start, stop):
        near = is_near(kinds[i], values[i], table)
        number = np.int64(table.near[values[i]]) if near else np.int64(EMPTY)
        if number == EMPTY:
            unknown += 1
            number = number_of(np.int64(kinds[i]), values[i], table)
            if number == FULL:
                return i, 0
            if near:
                table.near[values[i]] = number
        numbers[i] = number
    return stop, unknown


@inlined
def is_near(kind, value, table):
    return (kind == INTEGER) & (value >= 0) & (value < table.near.size)


@inlined
def number_of(kind, value, table):
    """The number of one value as `numbered` gives it, or FULL."""
    if kind in (FLOAT, DECIMAL):
        number = np.int64(value).view(np.float64)
        kind = np.int64(FLOAT)
        if np.isnan(number):
            kind = np.int64(MISSING)
        elif number == np.floor(number) and -TWO_63 <= number < TWO_63:
            kind = np.int64(INTEGER)  # 1.0 equals 1
            value = np.int64(number)
    if kind == MISSING:
        return np.int64(-1)
    at = _slot(kind, value, table.slots)
    if table.slots[at, ENTRY] == EMPTY:
        if 2 * table.used[0] >= table.slots.shape[0]:
            return np.int64(FULL)
        table.slots[at, VALUE] = value
        table.slots[at, ENTRY] = table.used[0] << KIND_BITS | kind
        table.used[0] += 1
    return table.slots[at, ENTRY] >> KIND_BITS


@inlined
def prefetch(kind, value, table):
    fetch(table.slots, _first_slot(kind, value, table.slots))


@inlined
def _first_slot(kind, value, slots):
    mixed = (np.uint64(value) ^ (np.uint64(kind) << np.uint64(61))) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(20)) & np.uint64(slots.shape[0] - 1))


@inlined
def _slot(kind, value, slots):
    at = _first_slot(kind, value, slots)
    while slots[at, ENTRY] != EMPTY and (slots[at, VALUE] != value or slots[at, ENTRY] & KINDS != kind):
        at = (at + 1) & (slots.shape[0] - 1)
    return at


@kernel
def _rehash(old, new):
    for i in range(old.shape[0]):
        if old[i, ENTRY] != EMPTY:
            at = _slot(old[i, ENTRY] & KINDS, old[i, VALUE], new)
            new[at, VALUE] = old[i, VALUE]
            new[at, ENTRY] = old[i, ENTRY]


@kernel
def places(groups, count):
    """The running number of each event in its group; `count` holds where each group stands."""
    numbers = np.empty(groups.size, np.int64)
    for i in range(groups.size):
        if groups[i] < 0:
            numbers[i] = -1
            continue
        numbers[i] = count[groups[i]]
        count[groups[i]] += 1
    return numbers


def keys(size: int = 1024) -> Keys:
    return Keys(
        np.full((size, 2), EMPTY, np.int64), np.zeros(1, np.int64), np.full(NEAR * size, EMPTY, np.int32)
    )


def _resized(table: Keys, size: int) -> Keys:
    new, near = lent((size, 2), np.int64), lent(NEAR * size, np.int32)
    new.fill(EMPTY)
    near.fill(EMPTY)
    near[: len(table.near)] = table.near
    _rehash(table.slots, new)
    return table._replace(slots=new, near=near)


class KeyTable:
    """Numbers for the values of one or several attributes."""

    def __init__(self, attributes: int) -> None:
        self._tables = [keys() for _ in range(max(2 * attributes - 1, 1))]
        self._attributes = (0, *range(1, len(self._tables), 2))  # the tables between them number pairs

    def __len__(self) -> int:
        return int(self._tables[-1].used[0])

    @property
    def held(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The values of each attribute with their kinds; after they have changed comes `rehash`."""
        for i in self._attributes:
            slots = self._tables[i].slots
            yield slots[:, VALUE], np.where(slots[:, ENTRY] == EMPTY, MISSING, slots[:, ENTRY] & KINDS)

    @property
    def size(self) -> int:
        """How many values it holds."""
        return sum(int(self._tables[i].used[0]) for i in self._attributes)

    def rehash(self) -> None:
        for i in self._attributes:
            self._tables[i] = _resized(self._tables[i], len(self._tables[i].slots))

    def number(self, columns: list[tuple[NDArray[np.int64], NDArray[np.uint8]]]) -> NDArray[np.int64]:
        """One number per row, -1 where an attribute is missing; pairs of numbers are numbered again."""
        combined = self._column(0, *columns[0])
        for i, column in enumerate(columns[1:], 1):
            other = self._column(2 * i - 1, *column)
            absent = (combined < 0) | (other < 0)
            kinds = np.where(absent, np.uint8(MISSING), np.uint8(STRING))
            combined = self._column(2 * i, (combined << 32) | other, kinds)
        return combined

    def columns(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Per attribute the values, and the kind of each, that the numbers stand for."""
        numbers, found = np.arange(len(self)), []
        for i in range(len(self._tables) - 1, 0, -2):  # a pair, the number of the attribute beside it
            pairs, _ = self._listed(i)
            found.append(tuple(column[pairs[numbers] & 0xFFFFFFFF] for column in self._listed(i - 1)))
            numbers = pairs[numbers] >> 32
        first = tuple(column[numbers] for column in self._listed(0))
        return [first, *reversed(found)]

    def _listed(self, i: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The values of one table in the order of their numbers, and their kinds."""
        slots = self._tables[i].slots
        taken = slots[slots[:, ENTRY] != EMPTY]
        ordered = taken[np.argsort(taken[:, ENTRY] >> KIND_BITS)]
        return ordered[:, VALUE], ordered[:, ENTRY] & KINDS

    @property
    def sole(self) -> Keys | None:
        """The table of one attribute's values, for whoever numbers them one by one; None: of several."""
        return self._tables[0] if len(self._tables) == 1 else None

    def grow(self, i: int = 0) -> None:
        size = len(self._tables[i].slots)
        self._tables[i] = _resized(self._tables[i], (16 if size < CACHED else 4) * size)

    def _column(self, i: int, values: NDArray[np.int64], kinds: NDArray[np.uint8]) -> NDArray[np.int64]:
        numbers = lent(len(values), np.int64)
        values, done = np.ascontiguousarray(values), 0
        while (done := numbered(done, values, kinds, numbers, self._tables[i])) < len(values):
            self.grow(i)
        return numbers

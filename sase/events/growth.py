"""Tables that grow at the end and lose their front, for the state between two calls of a kernel."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import EVER, FIRST
from sase.kernels.memory import lent

Cell = TypeVar("Cell", np.int64, np.float64)


def counting(count: int) -> NDArray[np.int64]:
    """0, 1, 2, …: a view of numbers that are there already."""
    return _numbers(count.bit_length())[:count]


@cache
def _numbers(bits: int) -> NDArray[np.int64]:
    return np.arange(1 << bits)


def noughts(count: int) -> NDArray[np.int64]:
    """0, 0, 0, …: the same."""
    return _noughts(count.bit_length())[:count]


@cache
def _noughts(bits: int) -> NDArray[np.int64]:
    return np.zeros(1 << bits, np.int64)


def extended(array: NDArray[Cell], rows: int, value: int | None = None) -> NDArray[Cell]:
    """The array with room for so many rows, the new ones filled; or itself.

    Much longer where nothing is filled in: what is not written to takes no memory, and copying takes time.
    """
    if rows <= len(array):
        return array
    size = max(rows, (2 if value is not None else 4) * len(array))
    new = lent((size, *array.shape[1:]), array.dtype.type)
    new[: len(array)] = array
    if value is not None:
        new[len(array) :] = value
    return new


def used(base: NDArray[np.int64]) -> int:
    return int(base[EVER] - base[FIRST])


def without_front(entries: NDArray[np.int64], base: NDArray[np.int64], before: int) -> NDArray[np.int64]:
    """Cut the leading entries of events that are gone: those whose first column is below."""
    count = used(base)
    gone = entries[:count, 0] < before
    cut = count if gone.all() else int(np.argmin(gone))
    base[FIRST] += cut
    spacious = len(entries) > 4 * max(count, 1024)
    new = lent((2 * count, entries.shape[1]), np.int64) if spacious else entries
    new[: count - cut] = entries[cut:count]
    return new

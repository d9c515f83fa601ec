"""Arrays that grow at the end and lose their front, for the state between two calls of a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import Index


def filled(shape: int | tuple[int, ...], value: int = -1) -> NDArray[np.int64]:
    return np.full(shape, value, np.int64)


def extended(array: NDArray[Any], rows: int, value: int | None = None) -> NDArray[Any]:
    """The array with room for so many rows, the new ones filled; twice as many as before, or itself."""
    if rows <= len(array):
        return array
    shape = (max(rows, 2 * len(array)), *array.shape[1:])
    new = np.empty(shape, array.dtype) if value is None else np.full(shape, value, array.dtype)
    new[: len(array)] = array
    return new


def without_front(
    before: int, base: NDArray[np.int64], event: NDArray[np.int64], *others: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    """Cut the leading entries whose event is gone; base is [first entry, entries ever]."""
    used = int(base[1] - base[0])
    gone = event[:used] < before
    cut = used if gone.all() else int(np.argmin(gone))
    base[0] += cut
    capacity = max(1024, 2 * (used - cut))
    kept = []
    for array in (event, *others):
        new = np.empty(capacity, array.dtype)
        new[: used - cut] = array[cut:used]
        kept.append(new)
    return tuple(kept)


def index_of_negatives(count: int) -> Index:
    return Index(
        np.zeros(1024, np.int64),
        np.zeros(1024, np.int64),
        filled((1, max(count, 1))),
        filled((1, max(count, 1))),
        np.zeros(2, np.int64),
    )

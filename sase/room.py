"""Tables that grow at the end and lose their front, for the state between two calls of a kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import Negatives
from sase.kernels.layout import EVER, FIRST


def extended(array: NDArray[np.int64], rows: int, value: int | None = None) -> NDArray[np.int64]:
    """The array with room for so many rows, at least twice as long, the new ones filled; or itself."""
    if rows <= len(array):
        return array
    new = np.empty((max(rows, 2 * len(array)), *array.shape[1:]), array.dtype)
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
    new = np.empty((max(1024, 2 * (count - cut)), entries.shape[1]), np.int64)
    new[: count - cut] = entries[cut:count]
    return new


def negatives_with_room(negatives: Negatives, events: int, keys: int) -> Negatives:
    more = events * negatives.plan.shape[0]
    return negatives._replace(
        entries=extended(negatives.entries, used(negatives.base) + more),
        heads=extended(negatives.heads, keys, -1),
    )


def negatives_without_front(negatives: Negatives, before: int) -> Negatives:
    return negatives._replace(entries=without_front(negatives.entries, negatives.base, before))

"""Memory that comes back: what one table has done with serves the next one.

New pages cost more than what is written to them: with a matcher that has just begun they were a third of all
time. So large arrays are lent, and what is given back is kept for others, up to a bound.
"""

from __future__ import annotations

from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Cell = TypeVar("Cell", bound=np.generic)

SMALL = 1 << 17  # bytes; below, the C library does the same
MOST_IDLE = 1 << 26  # bytes that are kept though nobody uses them

_idle: dict[int, list[NDArray[np.uint8]]] = {}  # by the logarithm of their size


class _Lent:
    """Stands behind an array and gives its memory back when the last view of it has gone."""

    __slots__ = ("__array_interface__", "_bits", "_memory")

    def __init__(self, bits: int) -> None:
        kept = _idle.get(bits)
        try:
            self._memory = kept.pop() if kept else np.empty(1 << bits, np.uint8)
        except IndexError:  # another thread was first
            self._memory = np.empty(1 << bits, np.uint8)
        self._bits = bits
        self.__array_interface__ = self._memory.__array_interface__

    def __del__(self) -> None:
        """Sizes that nobody has given back for longest make way: what was in use just now will be again."""
        if 1 << self._bits > MOST_IDLE:
            return
        kept = _idle.pop(self._bits, [])
        kept.append(self._memory)
        _idle[self._bits] = kept
        while idle() > MOST_IDLE:
            bits = next(iter(list(_idle)))
            _idle[bits] = left = _idle.get(bits, [])[1:]
            if not left:
                _idle.pop(bits, None)


def idle() -> int:
    """How many bytes are kept though nobody uses them."""
    return sum(len(kept) << bits for bits, kept in list(_idle.items()))


def lent(shape: int | tuple[int, ...], kind: type[Cell]) -> NDArray[Cell]:
    """An array of anything, like `numpy.empty`."""
    size = prod(shape if isinstance(shape, tuple) else (shape,)) * np.dtype(kind).itemsize
    if size < SMALL:
        return np.empty(shape, kind)
    whole = np.asarray(_Lent((size - 1).bit_length()))
    return whole[:size].view(kind).reshape(shape)

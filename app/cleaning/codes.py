"""Which row of the catalog a code names: a table made once, where Arrow would make one for every batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from app.cleaning.tables import NO_TAG, Table
from sase.kernels.jit import inlined, kernel, part

# A slot is a code's digest of 128 bits and its row: all in one line of the processor's cache. Codes of one
# digest are taken for the same: among a million of them such a pair has a chance of 1 in 10**26.
_HIGH, _LOW, _ROW, _COLUMNS = 0, 1, 2, 4
_FREE = 0
_SEEDS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_FACTORS = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_SHIFT, _BYTE, _ONE = np.uint64(32), np.uint64(8), np.uint64(1)


class Letters(NamedTuple):
    """Strings as Arrow keeps them."""

    ends: NDArray[np.int32]  # one more than there are strings
    bytes: NDArray[np.uint8]


class Codes:
    """Codes of a catalog; an empty one, or none, names nothing."""

    def __init__(self, codes: pa.Array) -> None:
        self._slots = np.zeros((1 << max(4, int(2 * len(codes)).bit_length()), _COLUMNS), np.uint64)
        _enter(_letters(codes), self._slots)

    def rows_of(self, codes: pa.Array) -> Table:
        """NO_TAG for what nobody knows; of codes that stand twice in the catalog, the first."""
        found = np.empty(len(codes), np.int64)
        _find(_letters(codes), self._slots, found)
        return found


def _letters(codes: pa.Array) -> Letters:
    _, ends, data = codes.cast(pa.string()).buffers()
    if not len(codes):
        return Letters(np.zeros(1, np.int32), np.zeros(0, np.uint8))
    letters = np.frombuffer(data, np.uint8) if data else np.zeros(0, np.uint8)
    return Letters(np.frombuffer(ends, np.int32)[codes.offset : codes.offset + len(codes) + 1], letters)


@kernel
def _enter(known, slots):
    _enter_all(known, slots)


@kernel
def _find(letters, slots, found):
    _find_all(letters, slots, found)


@part
def _enter_all(known, slots):
    for row in range(len(known.ends) - 1):
        if known.ends[row + 1] > known.ends[row]:
            high, low = _digest(known, row)
            slot = _slot(high, low, slots)
            if slots[slot, _ROW] == _FREE:
                slots[slot, _HIGH], slots[slot, _LOW], slots[slot, _ROW] = high, low, row + 1


@part
def _find_all(letters, slots, found):
    for index in range(len(found)):
        found[index] = NO_TAG
        if letters.ends[index + 1] > letters.ends[index]:
            high, low = _digest(letters, index)
            found[index] = np.int64(slots[_slot(high, low, slots), _ROW]) - 1


@inlined
def _digest(letters, index):
    first, end = letters.ends[index], letters.ends[index + 1]
    high, low = _SEEDS[0] ^ np.uint64(end - first), _SEEDS[1]
    for start in range(first, end, 8):
        word = np.uint64(0)
        for at in range(start, min(start + 8, end)):
            word = (word << _BYTE) | np.uint64(letters.bytes[at])
        high = (high ^ word) * _FACTORS[0]
        high ^= high >> _SHIFT
        low = (low ^ word ^ high) * _FACTORS[1]
        low ^= low >> _SHIFT
    return high, low


@inlined
def _slot(high, low, slots):
    """The slot of this code, or the free one in which it would be: the first after where it belongs."""
    last = np.uint64(len(slots) - 1)
    slot = low & last
    while slots[slot, _ROW] != _FREE and (slots[slot, _HIGH] != high or slots[slot, _LOW] != low):
        slot = (slot + _ONE) & last
    return slot


assert NO_TAG == _FREE - 1

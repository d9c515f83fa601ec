"""Answers what kernels ask of numbers that 64 bits cannot hold, by the rules of `sase/events/numbers.py`."""

from __future__ import annotations

import ctypes
import struct
from fractions import Fraction
from typing import Any

import numpy as np

from sase.events.dictionary import Dictionary
from sase.events.numbers import NO_NUMBER, Number, calculate, order
from sase.kernels.exact import ANSWER
from sase.kernels.opcodes import ARITHMETIC, COMPARE
from sase.kernels.values import EXACT, FLOAT, INTEGER, OPAQUE, STRING, UNORDERED

_SIGNS = {operation: sign for sign, operation in ARITHMETIC.items()}


class Exact:
    """The function that kernels ask, for the codes of one dictionary; lives as long as they may ask."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self.clashes = np.zeros(1, np.int64)  # counted by the kernels, and here for arithmetic
        self._function = ANSWER(self._answer)
        self.address = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def _answer(
        self, operation: int, left: int, left_kind: int, right: int, right_kind: int, cells: Any
    ) -> None:
        first, second = self._number(left, left_kind), self._number(right, right_kind)
        if operation == COMPARE:
            found = order(first, second)
            cells[0] = UNORDERED if found is None else found
        else:
            self.clashes[0] += left_kind in (STRING, OPAQUE) or right_kind in (STRING, OPAQUE)
            cells[0], cells[1] = self._dictionary.tagged(calculate(_SIGNS[operation], first, second))

    def _number(self, bits: int, kind: int) -> Number:
        """What a value is as a number; NaN for a string and whatever else is none."""
        if kind == INTEGER:
            return bits
        if kind in (STRING, OPAQUE):
            return NO_NUMBER
        if kind == EXACT:
            return self._dictionary.number(bits)
        found: float = struct.unpack("=d", struct.pack("=q", bits))[0]
        return found if kind == FLOAT else Fraction(found)

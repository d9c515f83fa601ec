"""Values of attributes in the kernels: a kind and 64 bits; comparing and calculating with them.

Booleans are integers, strings are codes of the matcher's dictionary. MISSING is an attribute that the event
does not carry: it makes every comparison that mentions it true.
"""

from __future__ import annotations

import numpy as np

from sase.bytecode import ADD, DIV, EQ, GE, GT, LE, LT, MOD, MUL, NE, SUB
from sase.kernels.jit import kernel

MISSING, INTEGER, FLOAT, STRING = range(4)
UNORDERED = 2  # what `order` says of a string and a number, of NaN, of strings whose ranks nobody needs
TWO_53 = 2**53
TWO_63 = float(2**63)


@kernel
def order_mixed(i: int, f: float) -> int:
    """-1, 0 or 1 as the integer is below, equal to or above the float, exactly; UNORDERED for NaN."""
    if f != f:
        return UNORDERED
    if f >= TWO_63:
        return -1
    if f < -TWO_63:
        return 1
    whole = np.int64(np.floor(f))
    if i < whole:
        return -1
    if i > whole:
        return 1
    return 0 if f == np.floor(f) else -1


@kernel
def order(k1, i1, f1, k2, i2, f2, rank):
    """-1, 0, 1 or UNORDERED for two values that are there."""
    if k1 == INTEGER and k2 == INTEGER:
        return -1 if i1 < i2 else (1 if i1 > i2 else 0)
    if k1 == STRING or k2 == STRING:
        if k1 != k2:
            return UNORDERED
        if i1 == i2:
            return 0
        if rank.size == 0:
            return UNORDERED
        return -1 if rank[i1] < rank[i2] else 1
    if k1 == INTEGER:
        return order_mixed(i1, f2)
    if k2 == INTEGER:
        mixed = order_mixed(i2, f1)
        return mixed if mixed == UNORDERED else -mixed
    if f1 != f1 or f2 != f2:
        return UNORDERED
    return -1 if f1 < f2 else (1 if f1 > f2 else 0)


@kernel
def compares(op, k1, i1, f1, k2, i2, f2, rank):
    """Whether the comparison holds."""
    if k1 == MISSING or k2 == MISSING:
        return True
    o = order(k1, i1, f1, k2, i2, f2, rank)
    if op == NE:
        return o != 0
    if o == UNORDERED:
        return False
    if op == EQ:
        return o == 0
    if op == LT:
        return o < 0
    if op == LE:
        return o <= 0
    if op == GT:
        return o > 0
    return o >= 0


@kernel
def calculate(op, k1, i1, f1, k2, i2, f2):
    """Arithmetic: integers stay exact until they leave 64 bits; a string in it gives NaN."""
    if k1 == MISSING or k2 == MISSING:
        return MISSING, np.int64(0), 0.0
    if k1 == STRING or k2 == STRING:
        return FLOAT, np.int64(0), np.nan
    if k1 == INTEGER and k2 == INTEGER and op != DIV:
        fits, i = calculate_integers(op, i1, i2)
        if fits:
            return INTEGER, i, 0.0
    x = float(i1) if k1 == INTEGER else f1
    y = float(i2) if k2 == INTEGER else f2
    return FLOAT, np.int64(0), calculate_floats(op, x, y)


@kernel
def calculate_integers(op, i1, i2):
    if op == ADD:
        i = i1 + i2
        return (i1 < 0) != (i2 < 0) or (i < 0) == (i1 < 0), i
    if op == SUB:
        i = i1 - i2
        return (i1 < 0) == (i2 < 0) or (i < 0) == (i1 < 0), i
    if op == MUL:
        return abs(float(i1) * float(i2)) < TWO_63 / 2, i1 * i2
    if i2 == 0:
        return False, np.int64(0)
    r = i1 - (i1 // i2) * i2
    return True, r


@kernel
def calculate_floats(op, x, y):
    if op == ADD:
        return x + y
    if op == SUB:
        return x - y
    if op == MUL:
        return x * y
    if y == 0:
        return np.nan
    if op == DIV:
        return x / y
    r = np.fmod(x, y)
    return r + y if r != 0 and (r < 0) != (y < 0) else r


__all__ = [
    "FLOAT",
    "GE",
    "GT",
    "INTEGER",
    "LE",
    "LT",
    "MISSING",
    "MOD",
    "STRING",
    "calculate",
    "compares",
    "order",
]

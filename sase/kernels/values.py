"""Values of attributes in the kernels: a kind and 64 bits; comparing and calculating with them.

Booleans are integers, strings are codes of the matcher's dictionary. MISSING is an attribute that the event
does not carry: it makes every comparison that mentions it true.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.jit import inlined, part
from sase.kernels.opcodes import ADD, DIV, EQ, GT, LE, LT, MUL, NE, SUB

MISSING, INTEGER, FLOAT, STRING = range(4)
UNORDERED = 2  # what `order` says of a string and a number, of NaN, of strings whose ranks nobody needs
TWO_63 = float(2**63)


@inlined
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


@inlined
def as_float(kind, value):
    """A number as a float."""
    return float(value) if kind == INTEGER else np.int64(value).view(np.float64)


@inlined
def order(v1, k1, v2, k2, rank):
    """-1, 0, 1 or UNORDERED for two values that are there."""
    if k1 == INTEGER and k2 == INTEGER:
        return -1 if v1 < v2 else (1 if v1 > v2 else 0)
    if k1 == STRING or k2 == STRING:
        if k1 != k2:
            return UNORDERED
        if v1 == v2:
            return 0
        if rank.size == 0:
            return UNORDERED
        return -1 if rank[v1] < rank[v2] else 1
    if k1 == INTEGER:
        return order_mixed(v1, as_float(k2, v2))
    if k2 == INTEGER:
        mixed = order_mixed(v2, as_float(k1, v1))
        return mixed if mixed == UNORDERED else -mixed
    f1 = as_float(k1, v1)
    f2 = as_float(k2, v2)
    if f1 != f1 or f2 != f2:
        return UNORDERED
    return -1 if f1 < f2 else (1 if f1 > f2 else 0)


@inlined
def compares(op, v1, k1, v2, k2, rank):
    """Whether the comparison holds."""
    if k1 == MISSING or k2 == MISSING:
        return True
    o = order(v1, k1, v2, k2, rank)
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


@part
def calculate(op, v1, k1, v2, k2):
    """Arithmetic, as (value, kind): integers stay exact until they leave 64 bits; a string gives NaN."""
    if k1 == MISSING or k2 == MISSING:
        return np.int64(0), MISSING
    if k1 == STRING or k2 == STRING:
        return np.float64(np.nan).view(np.int64), FLOAT
    if k1 == INTEGER and k2 == INTEGER and op != DIV:
        fits, whole = calculate_integers(op, v1, v2)
        if fits:
            return np.int64(whole), INTEGER
    return np.float64(calculate_floats(op, as_float(k1, v1), as_float(k2, v2))).view(np.int64), FLOAT


@part
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


@part
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

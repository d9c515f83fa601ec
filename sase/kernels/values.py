"""Values of attributes in the kernels: a kind and 64 bits; comparing and calculating with them.

Booleans are integers, strings are codes of the matcher's dictionary. MISSING is an attribute that the event
does not carry: it makes every comparison that mentions it true. DECIMAL is a decimal, or an integer beyond 64
bits, that some float is equal to: it has the bits of that float and compares like it, but computes exactly.
EXACT is any other number, and OPAQUE what can only be equal or not: both are codes too. What 64 bits cannot
hold is asked of the interpreter (`sase/events/exact.py`); everything else is answered here.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.exact import ask
from sase.kernels.jit import inlined, part
from sase.kernels.opcodes import ADD, COMPARE, DIV, EQ, GT, LE, LT, MUL, NE, SUB

MISSING, INTEGER, FLOAT, STRING, DECIMAL, EXACT, OPAQUE = range(7)
UNORDERED = 2  # what `order` says of NaN, and of strings whose ranks nobody needs
CLASH = 3  # and of values that cannot be compared: a string and a number, different lists
TWO_53 = 2**53  # up to here every integer is a float
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
def order(v1, k1, v2, k2, program):
    """-1, 0, 1, UNORDERED or CLASH for two values that are there."""
    if k1 == INTEGER and k2 == INTEGER:
        return -1 if v1 < v2 else (1 if v1 > v2 else 0)
    if k1 == STRING or k2 == STRING:
        if k1 != k2:
            return CLASH
        if v1 == v2:
            return 0
        if program.rank.size == 0:
            return UNORDERED
        return -1 if program.rank[v1] < program.rank[v2] else 1
    if k1 >= EXACT or k2 >= EXACT:
        return order_codes(v1, np.int64(k1), v2, np.int64(k2), program.exact)
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


@part
def order_codes(v1, k1, v2, k2, exact):
    """The same where one is EXACT or OPAQUE: equal values have one code."""
    if k1 == k2 and v1 == v2:
        return np.int64(0)
    if k1 == OPAQUE or k2 == OPAQUE:
        return np.int64(CLASH)
    return ask(exact, COMPARE, v1, k1, v2, k2)[0]


@inlined
def compares(op, v1, k1, v2, k2, program):
    """Whether the comparison holds; counts those of values that cannot be compared."""
    if k1 == MISSING or k2 == MISSING:
        return True
    o = order(v1, k1, v2, k2, program)
    if o == CLASH and (k1 != k2 or op > NE):
        program.clashes[0] += 1
    if op == NE:
        return o != 0
    if o >= UNORDERED:
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
def calculate(op, v1, k1, v2, k2, exact):
    """Arithmetic, as (value, kind): integers stay exact, floats round as floats do; a string gives NaN."""
    if k1 == MISSING or k2 == MISSING:
        return np.int64(0), np.int64(MISSING)
    if k1 == INTEGER and k2 == INTEGER and op != DIV:
        fits, whole = calculate_integers(op, v1, v2)
        if fits:
            return np.int64(whole), np.int64(INTEGER)
    elif computes_as_float(v1, k1) and computes_as_float(v2, k2):
        f = calculate_floats(op, as_float(k1, v1), as_float(k2, v2))
        return np.float64(f).view(np.int64), np.int64(FLOAT)
    return ask(exact, op, v1, k1, v2, k2)


@inlined
def computes_as_float(value, kind):
    return kind == FLOAT or (kind == INTEGER and -TWO_53 <= value <= TWO_53)


@part
def calculate_integers(op, i1, i2):
    """Whether the result surely has 64 bits, and if so the result."""
    if op == ADD:
        i = i1 + i2
        return (i1 < 0) != (i2 < 0) or (i < 0) == (i1 < 0), i
    if op == SUB:
        i = i1 - i2
        return (i1 < 0) == (i2 < 0) or (i < 0) == (i1 < 0), i
    if op == MUL:
        return abs(float(i1) * float(i2)) < TWO_63 / 2, i1 * i2
    if i2 == 0 or i2 == -1:  # no remainder, or one that the processor cannot compute for -2^63
        return i2 != 0, np.int64(0)
    return True, i1 - (i1 // i2) * i2


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

"""The scan: which components an event may stand for, from its type and the conditions on it alone.

Conditions are evaluated a block of events at a time, one operation after the other: what an operation is and
where its operands stand is looked up once per block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.addresses import kind_at, value_at
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.layout import VALUES
from sase.kernels.opcodes import AND, COMPARE, CONST, EQ, GE, GT, LE, LOAD, LT, MUL, NE, NEG, OR
from sase.kernels.program import END, START
from sase.kernels.values import INTEGER, calculate, compares

BLOCK = 1024


class Blocks(NamedTuple):
    """The operands of an expression, for a block of events each."""

    values: NDArray[np.int64]  # (depth, BLOCK)
    kinds: NDArray[np.uint8]


def blocks(depth: int) -> Blocks:
    return Blocks(np.zeros((depth, BLOCK), np.int64), np.zeros((depth, BLOCK), np.uint8))


@kernel
def refine(bits, tests, P, columns, S):
    """Clear the bits whose conditions fail. tests: (bit, 2) ranges of checks; columns: (n, 2) addresses."""
    for start in range(0, bits.size, BLOCK):
        refine_block(bits[start : start + BLOCK], start, tests, P, columns, S)


@part
def refine_block(bits, start, tests, P, columns, S):
    for bit in range(tests.shape[0]):
        for c in range(tests[bit, 0], tests[bit, 1]):
            evaluate(P.checks[c, START], P.checks[c, END], start, bits.size, P, columns, S)
            for i in range(bits.size):
                bits[i] &= ~((1 - S.values[0, i]) << bit)


@inlined
def evaluate(first, last, start, count, P, columns, S):
    """Leave 1 in the lowest operand where the condition holds, 0 where it does not."""
    top = 0
    for at in range(first, last):
        op = P.code[at, 0]
        a = P.code[at, 1]
        b = P.code[at, 2]
        if op == LOAD:
            values = columns[(b - VALUES) // 2, 0]
            kinds = columns[(b - VALUES) // 2, 1]
            for i in range(count):
                S.values[top, i] = value_at(values, start + i)
                S.kinds[top, i] = kind_at(kinds, start + i)
            top += 1
        elif op == CONST:
            for i in range(count):
                S.values[top, i] = a
                S.kinds[top, i] = b
            top += 1
        elif op == COMPARE:
            top -= 1
            compare(a, S.values[top - 1], S.kinds[top - 1], S.values[top], S.kinds[top], count, P.rank)
        elif op == AND:
            top -= 1
            for i in range(count):
                S.values[top - 1, i] &= S.values[top, i]
        elif op == OR:
            top -= 1
            for i in range(count):
                S.values[top - 1, i] |= S.values[top, i]
        elif op == NEG:
            for i in range(count):
                value, kind = calculate(MUL, S.values[top - 1, i], np.int64(S.kinds[top - 1, i]), -1, INTEGER)
                S.values[top - 1, i] = value
                S.kinds[top - 1, i] = kind
        else:
            top -= 1
            for i in range(count):
                value, kind = calculate(
                    op,
                    S.values[top - 1, i],
                    np.int64(S.kinds[top - 1, i]),
                    S.values[top, i],
                    np.int64(S.kinds[top, i]),
                )
                S.values[top - 1, i] = value
                S.kinds[top - 1, i] = kind


@part
def compare(op, v1, k1, v2, k2, count, rank):
    """Compare two operands; the result takes the place of the first."""
    others = 0
    for i in range(count):
        others += (k1[i] != INTEGER) | (k2[i] != INTEGER)
    if others > 0:
        for i in range(count):
            v1[i] = compares(op, v1[i], k1[i], v2[i], k2[i], rank)
    elif op == EQ:
        for i in range(count):
            v1[i] = v1[i] == v2[i]
    elif op == NE:
        for i in range(count):
            v1[i] = v1[i] != v2[i]
    elif op == LT:
        for i in range(count):
            v1[i] = v1[i] < v2[i]
    elif op == LE:
        for i in range(count):
            v1[i] = v1[i] <= v2[i]
    elif op == GT:
        for i in range(count):
            v1[i] = v1[i] > v2[i]
    elif op == GE:
        for i in range(count):
            v1[i] = v1[i] >= v2[i]

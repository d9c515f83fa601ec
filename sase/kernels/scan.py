"""The scan: which components an event may stand for, from its type and the conditions on it alone.

Conditions are evaluated a block of events at a time, one operation after the other: what an operation is and
where its operands stand is looked up once per block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.addresses import kind_at, value_at
from sase.kernels.cells import BEGIN, CODE, CODE_END, KIND, OPERAND, OPERATION, SECOND, STOP, VALUE, VALUES
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.opcodes import AND, COMPARE, CONST, EQ, GE, GT, LE, LOAD, LT, MOD, MUL, NE, NEG, OR
from sase.kernels.values import INTEGER, calculate, compares

BLOCK = 1024
EXACTLY = 2**50  # below, an integer times the inverse of another is off by less than one
IN_ORDER = np.zeros(0, np.int64)  # rows that stand side by side


class Blocks(NamedTuple):
    """The operands of an expression, for a block of events each."""

    values: NDArray[np.int64]  # (depth, BLOCK)
    kinds: NDArray[np.uint8]


def blocks(depth: int) -> Blocks:
    return Blocks(np.zeros((depth, BLOCK), np.int64), np.zeros((depth, BLOCK), np.uint8))


@kernel
def refine(bits, tests, program, columns, blocks):
    """Clear the bits whose conditions fail. tests: per bit a range of checks; columns: their addresses."""
    for start in range(0, bits.size, BLOCK):
        refine_block(bits[start : start + BLOCK], start, tests, program, columns, blocks)


@kernel
def select(rows, tests, program, columns, blocks, chosen):
    """Those of the rows for which a range of checks holds; returns how many."""
    count = rows.size
    chosen[:count] = rows
    for check in range(tests[BEGIN], tests[STOP]):
        count = select_by(check, count, program, columns, blocks, chosen)
    return count


@part
def select_by(check, count, program, columns, blocks, chosen):
    kept = 0
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        evaluate(check, start, size, chosen, program, columns, blocks)
        for i in range(size):
            chosen[kept] = chosen[start + i]
            kept += blocks.values[0, i]
    return kept


@part
def refine_block(bits, start, tests, program, columns, blocks):
    for bit in range(tests.shape[0]):
        for check in range(tests[bit, BEGIN], tests[bit, STOP]):
            evaluate(check, start, bits.size, IN_ORDER, program, columns, blocks)
            for i in range(bits.size):
                bits[i] &= ~((1 - blocks.values[0, i]) << bit)


@inlined
def evaluate(check, start, count, rows, program, columns, blocks):
    """Leave 1 in the lowest operand where the condition holds, 0 where it does not: rows from `start` on."""
    values = blocks.values
    kinds = blocks.kinds
    top = 0
    for at in range(program.checks[check, CODE], program.checks[check, CODE_END]):
        operation = program.code[at, OPERATION]
        operand = program.code[at, OPERAND]
        second = program.code[at, SECOND]
        if operation == LOAD:
            load(values[top], kinds[top], (second - VALUES) // 2, start, count, rows, columns)
            top += 1
        elif operation == CONST:
            for i in range(count):
                values[top, i] = operand
                kinds[top, i] = second
            top += 1
        elif operation == NEG:
            for i in range(count):
                value, kind = calculate(
                    MUL, values[top - 1, i], np.int64(kinds[top - 1, i]), -1, INTEGER, program.exact
                )
                values[top - 1, i] = value
                kinds[top - 1, i] = kind
        else:  # two operands become one
            top -= 1
            under = top - 1
            if operation == COMPARE:
                compare(operand, values[under], kinds[under], values[top], kinds[top], count, program)
            else:
                combine(operation, values[under], kinds[under], values[top], kinds[top], count, program)


@inlined
def load(values, kinds, attribute, start, count, rows, columns):
    """Read a stretch of a column, or the rows from there on."""
    from_values = columns[attribute, VALUE]
    from_kinds = columns[attribute, KIND]
    if rows.size == 0:
        for i in range(count):
            values[i] = value_at(from_values, start + i)
            kinds[i] = kind_at(from_kinds, start + i)
    else:
        for i in range(count):
            values[i] = value_at(from_values, rows[start + i])
            kinds[i] = kind_at(from_kinds, rows[start + i])


@inlined
def combine(operation, values, kinds, others, other_kinds, count, program):
    """AND, OR and arithmetic; the result takes the place of the first operand."""
    if operation == AND:
        for i in range(count):
            values[i] &= others[i]
    elif operation == OR:
        for i in range(count):
            values[i] |= others[i]
    elif operation != MOD or not remainders(values, kinds, others, other_kinds, count):
        for i in range(count):
            value, kind = calculate(
                operation, values[i], np.int64(kinds[i]), others[i], np.int64(other_kinds[i]), program.exact
            )
            values[i] = value
            kinds[i] = kind


@part
def remainders(values, kinds, others, other_kinds, count):
    """Integers modulo one positive integer, many at a time; False, and nothing is done, for anything else.

    Multiplied by the inverse, which is faster than divided, it is right to one: what is too low or too high
    after it is put right.
    """
    divisor = others[0]
    odd = np.int64(divisor <= 0 or divisor >= EXACTLY)
    for i in range(count):
        odd += (kinds[i] != INTEGER) | (other_kinds[i] != INTEGER) | (others[i] != divisor)
        odd += (values[i] >= EXACTLY) | (values[i] <= -EXACTLY)
    if odd > 0:
        return False
    inverse = 1.0 / float(divisor)
    for i in range(count):
        rest = values[i] - np.int64(float(values[i]) * inverse) * divisor
        rest += divisor if rest < 0 else 0
        values[i] = rest - (divisor if rest >= divisor else 0)
    return True


@part
def compare(comparison, values, kinds, others, other_kinds, count, program):
    """Compare two operands; the result takes the place of the first. Integers alone go many at a time."""
    mixed = 0
    for i in range(count):
        mixed += (kinds[i] != INTEGER) | (other_kinds[i] != INTEGER)
    if mixed > 0:
        for i in range(count):
            values[i] = compares(comparison, values[i], kinds[i], others[i], other_kinds[i], program)
    elif comparison == EQ:
        for i in range(count):
            values[i] = values[i] == others[i]
    elif comparison == NE:
        for i in range(count):
            values[i] = values[i] != others[i]
    elif comparison == LT:
        for i in range(count):
            values[i] = values[i] < others[i]
    elif comparison == LE:
        for i in range(count):
            values[i] = values[i] <= others[i]
    elif comparison == GT:
        for i in range(count):
            values[i] = values[i] > others[i]
    elif comparison == GE:
        for i in range(count):
            values[i] = values[i] >= others[i]

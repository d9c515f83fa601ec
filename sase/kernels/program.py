"""Runs the byte code of a condition against an event, a run's registers and, where asked, its whole past."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import inlined, part
from sase.kernels.layout import FIELDS
from sase.kernels.opcodes import (
    ADD,
    AND,
    AVG,
    COMPARE,
    CONST,
    COUNT,
    DIV,
    LEN,
    LOAD,
    MIN,
    MUL,
    NEG,
    OR,
    SCALAR,
    SUM,
)
from sase.kernels.values import FLOAT, INTEGER, MISSING, STRING, UNORDERED, calculate, compares, order

NONE, ALL = -1, -2  # no component, every component
START, END, OUTER, INNER, OUTER_SKIPS, INNER_SKIPS = range(6)  # columns of `checks`
COMPONENT, WHAT, COLUMN = range(3)  # columns of `scalars`
WALK = 4  # events of a walk come before its running values


class Program(NamedTuple):
    """All conditions of a plan; places in events and registers are columns of their tables."""

    code: NDArray[np.int64]  # (n, 3): operation and operands
    checks: NDArray[
        np.int64
    ]  # (n, 6): range in `code`, components walked, whether a walk skips its first event
    rank: NDArray[np.int64]  # of string codes, where strings are ordered
    scalars: NDArray[np.int64]  # (slot, 3): component, what is kept, column of the attribute


class Scratch(NamedTuple):
    """Work space of one kernel call."""

    stack: NDArray[np.int64]  # (n, 2): value and kind
    walk: NDArray[np.int64]  # current and previous event of two walked components, then running values


def scratch(slots: int) -> Scratch:
    return Scratch(np.zeros((128, 2), np.int64), np.zeros(WALK + 2 * slots + 1, np.int64))


@inlined
def holds(c, e, registers, r, P, E, base, w):
    """Whether check c is true for event e and row r of the registers."""
    start = P.checks[c, START]
    end = P.checks[c, END]
    if end - start == 3 and P.code[start, 0] == LOAD and P.code[start + 1, 0] == LOAD:
        x = event_in(P.code[start, 1], e, registers, r, w) - base
        y = event_in(P.code[start + 1, 1], e, registers, r, w) - base
        i = P.code[start, 2]
        j = P.code[start + 1, 2]
        return compares(P.code[start + 2, 1], E[x, i], E[x, i + 1], E[y, j], E[y, j + 1], P.rank)
    return evaluates(start, end, e, registers, r, P.code, P.rank, E, base, w)


@part
def evaluates(start, end, e, registers, r, code, rank, E, base, w):
    stack = w.stack
    top = 0
    for at in range(start, end):
        op = code[at, 0]
        a = code[at, 1]
        b = code[at, 2]
        if op == LOAD:
            row = event_in(a, e, registers, r, w) - base
            stack[top, 0] = E[row, b]
            stack[top, 1] = E[row, b + 1]
            top += 1
        elif op == CONST:
            stack[top, 0] = a
            stack[top, 1] = b
            top += 1
        elif op == SCALAR:
            push_scalar(top, a, registers, r, w)
            top += 1
        elif op == COMPARE:
            top -= 1
            stack[top - 1, 0] = compares(
                a, stack[top - 1, 0], stack[top - 1, 1], stack[top, 0], stack[top, 1], rank
            )
        elif op == AND:
            top -= 1
            stack[top - 1, 0] &= stack[top, 0]
        elif op == OR:
            top -= 1
            stack[top - 1, 0] |= stack[top, 0]
        else:
            if op == AVG:
                push_scalar(top, a, registers, r, w)
                push_scalar(top + 1, b, registers, r, w)
                op = DIV
                top += 2
            elif op == NEG:
                stack[top, 0] = -1
                stack[top, 1] = INTEGER
                op = MUL
                top += 1
            top -= 1
            value, kind = calculate(op, stack[top - 1, 0], stack[top - 1, 1], stack[top, 0], stack[top, 1])
            stack[top - 1, 0] = value
            stack[top - 1, 1] = kind
    return stack[0, 0] != 0


@inlined
def event_in(slot, e, registers, r, w):
    """The event in a register: -1 is the one being tested, below that are those of a walk."""
    if slot == -1:
        return e
    if slot >= 0:
        return registers[r, slot]
    return w.walk[-2 - slot]


@inlined
def push_scalar(top, column, registers, r, w):
    if column >= 0:
        w.stack[top, 0] = registers[r, column]
        w.stack[top, 1] = registers[r, column + 1]
    else:
        w.stack[top, 0] = w.walk[WALK - FIELDS - column]
        w.stack[top, 1] = w.walk[WALK - FIELDS - column + 1]


@inlined
def clear_scalars(component, row, at, P):
    """No events of the component yet: counts are 0, everything else is missing. Slot 0 stands at row[at]."""
    for slot in range(P.scalars.shape[0]):
        if component == ALL or P.scalars[slot, COMPONENT] == component:
            counts = P.scalars[slot, WHAT] == LEN or P.scalars[slot, WHAT] == COUNT
            row[at + 2 * slot] = 0
            row[at + 2 * slot + 1] = INTEGER if counts else MISSING


@inlined
def add_to_scalars(component, e, row, at, P, E, base):
    """Take event e into the running values of a component (SASE+ 5.2.1)."""
    for slot in range(P.scalars.shape[0]):
        if P.scalars[slot, COMPONENT] == component:
            fold(slot, e, row, at + 2 * slot, P, E, base)


@part
def fold(slot, e, row, at, P, E, base):
    what = P.scalars[slot, WHAT]
    if what == LEN:
        row[at] += 1
        return
    value = E[e - base, P.scalars[slot, COLUMN]]
    kind = E[e - base, P.scalars[slot, COLUMN] + 1]
    if kind == MISSING:
        return
    if what == COUNT:
        row[at] += 1
        return
    if what == SUM:
        if kind == STRING:
            value, kind = np.float64(np.nan).view(np.int64), FLOAT
        if row[at + 1] != MISSING:
            value, kind = calculate(ADD, row[at], row[at + 1], value, kind)
    elif row[at + 1] != MISSING:
        o = order(value, kind, row[at], row[at + 1], P.rank)
        if o == UNORDERED:  # a string and a number have no least: no number, whichever came first
            value, kind = np.float64(np.nan).view(np.int64), FLOAT
        elif o != (-1 if what == MIN else 1):
            return
    row[at] = value
    row[at + 1] = kind


@part
def holds_along(c, e, registers, r, path, length, P, E, base, w):
    """Whether check c holds for every event of the Kleene components that it walks over; path: (n, 2)."""
    outer = P.checks[c, OUTER]
    inner = P.checks[c, INNER]
    clear_scalars(outer, w.walk, WALK, P)
    outer_count = 0
    for i in range(length if outer >= 0 else 1):
        if outer >= 0:
            if path[i, 1] != outer:
                continue
            w.walk[0] = path[i, 0]
            outer_count += 1
        if outer < 0 or outer_count > P.checks[c, OUTER_SKIPS]:
            clear_scalars(inner, w.walk, WALK, P)
            inner_count = 0
            for j in range(length if inner >= 0 else 1):
                if inner >= 0:
                    if path[j, 1] != inner:
                        continue
                    w.walk[2] = path[j, 0]
                    inner_count += 1
                if inner < 0 or inner_count > P.checks[c, INNER_SKIPS]:
                    if not holds(c, e, registers, r, P, E, base, w):
                        return False
                if inner >= 0:
                    add_to_scalars(inner, path[j, 0], w.walk, WALK, P, E, base)
                    w.walk[3] = path[j, 0]
        if outer >= 0:
            add_to_scalars(outer, path[i, 0], w.walk, WALK, P, E, base)
            w.walk[1] = path[i, 0]
    return True

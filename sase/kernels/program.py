"""Runs the byte code of a condition against an event, a run's registers and, where asked, its whole past."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.bytecode import ADD, AND, AVG, COMPARE, CONST, COUNT, DIV, LEN, LOAD, MIN, MUL, NEG, OR, SCALAR, SUM
from sase.kernels.jit import kernel
from sase.kernels.values import FLOAT, INTEGER, MISSING, STRING, calculate, compares, order

NONE, ALL = -1, -2  # no component, every component


class Events(NamedTuple):
    """The window's events, by columns; event number e stands at row e - base."""

    clock: NDArray[np.int64]  # what the window counts: milliseconds or stream positions
    ts: NDArray[np.int64]
    order: NDArray[np.int64]  # position in the stream or, under partition contiguity, in the partition
    key: NDArray[np.int64]  # partition of stacks, runs and negatives
    group: NDArray[np.int64]  # partition of NON-OVERLAP
    bits: NDArray[np.int64]  # which components it may begin, be taken into, or rule out
    value: NDArray[np.int64]  # (row, attribute)
    number: NDArray[np.float64]  # the same memory as floats
    kind: NDArray[np.uint8]


class Program(NamedTuple):
    """Byte code with its constants as this matcher's values."""

    code: NDArray[np.int32]
    programs: NDArray[np.int32]
    constant: NDArray[np.int64]
    constant_kind: NDArray[np.uint8]
    rank: NDArray[np.int64]  # of string codes, where strings are ordered
    scalars: NDArray[np.int32]  # (slot, 3): component, what is kept, attribute


class Scalars(NamedTuple):
    """Running values of all runs, one row each."""

    kind: NDArray[np.uint8]
    value: NDArray[np.int64]
    number: NDArray[np.float64]


class Scratch(NamedTuple):
    """Work space of one kernel call; `number` is the memory of `value` as floats, here and everywhere."""

    kind: NDArray[np.uint8]  # the evaluation stack
    value: NDArray[np.int64]
    number: NDArray[np.float64]
    walk: NDArray[np.int64]  # current and previous event of the walked components
    along: Scalars  # one row: running values recomputed along a walk


@kernel
def holds(p, e, registers, r, scalars, w, P, E, base):
    """Whether program p is true for event e and row r of the registers."""
    start = P.programs[p, 0]
    end = P.programs[p, 1]
    if end - start == 3 and P.code[start, 0] == LOAD and P.code[start + 1, 0] == LOAD:
        return holds_pair(start, e, registers, r, w, P, E, base)
    top = 0
    for at in range(start, end):
        op = P.code[at, 0]
        a = P.code[at, 1]
        if op == LOAD:
            row = _event(a, e, registers, r, w) - base
            b = P.code[at, 2]
            w.kind[top] = E.kind[row, b]
            w.value[top] = E.value[row, b]
            top += 1
        elif op == CONST:
            w.kind[top] = P.constant_kind[a]
            w.value[top] = P.constant[a]
            top += 1
        elif op == SCALAR:
            _push_scalar(top, a, r, scalars, w)
            top += 1
        elif op == AVG:
            _push_scalar(top, a, r, scalars, w)
            _push_scalar(top + 1, P.code[at, 2], r, scalars, w)
            _calculate(DIV, top, w)
            top += 1
        elif op == NEG:
            w.kind[top] = INTEGER
            w.value[top] = -1
            _calculate(MUL, top - 1, w)
        elif op == COMPARE:
            top -= 1
            w.value[top - 1] = _compare(a, top - 1, P, w)
        elif op == AND:
            top -= 1
            w.value[top - 1] &= w.value[top]
        elif op == OR:
            top -= 1
            w.value[top - 1] |= w.value[top]
        else:
            top -= 1
            _calculate(op, top - 1, w)
    return w.value[0] != 0


@kernel
def holds_pair(start, e, registers, r, w, P, E, base):
    """The common case: one attribute against another."""
    x = _event(P.code[start, 1], e, registers, r, w) - base
    y = _event(P.code[start + 1, 1], e, registers, r, w) - base
    a = P.code[start, 2]
    b = P.code[start + 1, 2]
    return compares(
        P.code[start + 2, 1],
        E.kind[x, a],
        E.value[x, a],
        E.number[x, a],
        E.kind[y, b],
        E.value[y, b],
        E.number[y, b],
        P.rank,
    )


@kernel
def _event(slot, e, registers, r, w):
    if slot == -1:
        return e
    if slot >= 0:
        return registers[r, slot]
    return w.walk[-2 - slot]


@kernel
def _push_scalar(top, slot, r, scalars, w):
    if slot >= 0:
        w.kind[top] = scalars.kind[r, slot]
        w.value[top] = scalars.value[r, slot]
    else:
        w.kind[top] = w.along.kind[0, -1 - slot]
        w.value[top] = w.along.value[0, -1 - slot]


@kernel
def _calculate(op, at, w):
    k, i, f = calculate(
        op, w.kind[at], w.value[at], w.number[at], w.kind[at + 1], w.value[at + 1], w.number[at + 1]
    )
    w.kind[at] = k
    if k == FLOAT:
        w.number[at] = f
    else:
        w.value[at] = i


@kernel
def _compare(op, at, P, w):
    return np.int64(
        compares(
            op,
            w.kind[at],
            w.value[at],
            w.number[at],
            w.kind[at + 1],
            w.value[at + 1],
            w.number[at + 1],
            P.rank,
        )
    )


@kernel
def clear_scalars(component, scalars, r, P):
    """No events of the component yet: counts are 0, everything else is missing."""
    if component == NONE:
        return
    for slot in range(P.scalars.shape[0]):
        if component != ALL and P.scalars[slot, 0] != component:
            continue
        counts = P.scalars[slot, 1] == LEN or P.scalars[slot, 1] == COUNT
        scalars.kind[r, slot] = INTEGER if counts else MISSING
        scalars.value[r, slot] = 0


@kernel
def add_to_scalars(component, e, scalars, r, P, E, base):
    """Take event e into the running values of a component (SASE+ 5.2.1)."""
    for slot in range(P.scalars.shape[0]):
        if P.scalars[slot, 0] != component:
            continue
        what = P.scalars[slot, 1]
        if what == LEN:
            scalars.value[r, slot] += 1
            continue
        row = e - base
        attribute = P.scalars[slot, 2]
        k = E.kind[row, attribute]
        if k == MISSING:
            continue
        if what == COUNT:
            scalars.value[r, slot] += 1
        else:
            _fold(what, slot, k, E.value[row, attribute], E.number[row, attribute], scalars, r, P)


@kernel
def _fold(what, slot, k, i, f, scalars, r, P):
    old = scalars.kind[r, slot]
    if what == SUM and k == STRING:
        k, f = FLOAT, np.nan
    if old == MISSING:
        take = True
    elif what == SUM:
        k, i, f = calculate(ADD, old, scalars.value[r, slot], scalars.number[r, slot], k, i, f)
        take = True
    else:
        o = order(k, i, f, old, scalars.value[r, slot], scalars.number[r, slot], P.rank)
        take = o == (-1 if what == MIN else 1)
    if take:
        scalars.kind[r, slot] = k
        if k == FLOAT:
            scalars.number[r, slot] = f
        else:
            scalars.value[r, slot] = i


@kernel
def holds_along(p, e, registers, r, scalars, path, parts, length, w, P, E, base):
    """Whether program p holds for every event of the Kleene components that it walks over, if it does."""
    outer = P.programs[p, 2]
    inner = P.programs[p, 3]
    clear_scalars(outer, w.along, 0, P)
    outer_count = 0
    for i in range(max(length, 1) if outer >= 0 else 1):
        if outer >= 0:
            if i >= length or parts[i] != outer:
                continue
            w.walk[0] = path[i]
            outer_count += 1
        if outer < 0 or outer_count > P.programs[p, 4]:
            clear_scalars(inner, w.along, 0, P)
            inner_count = 0
            for j in range(max(length, 1) if inner >= 0 else 1):
                if inner >= 0:
                    if j >= length or parts[j] != inner:
                        continue
                    w.walk[2] = path[j]
                    inner_count += 1
                if inner < 0 or inner_count > P.programs[p, 5]:
                    if not holds(p, e, registers, r, scalars, w, P, E, base):
                        return False
                if inner >= 0:
                    add_to_scalars(inner, path[j], w.along, 0, P, E, base)
                    w.walk[3] = path[j]
        if outer >= 0:
            add_to_scalars(outer, path[i], w.along, 0, P, E, base)
            w.walk[1] = path[i]
    return True


def scratch(slots: int) -> Scratch:
    """Work space for programs over `slots` running values."""
    value = np.zeros(256, np.int64)
    along = np.zeros((1, max(slots, 1)), np.int64)
    return Scratch(
        np.zeros(256, np.uint8),
        value,
        value.view(np.float64),
        np.zeros(4, np.int64),
        Scalars(np.zeros((1, max(slots, 1)), np.uint8), along, along.view(np.float64)),
    )

"""Running values of Kleene components: counts, sums, least and greatest, kept as events come (SASE+ 5.2.1).

They stand in a row one after the other from `at` on, each as value and kind.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import COLUMN, COMPONENT, KIND, WHAT
from sase.kernels.jit import inlined, part
from sase.kernels.opcodes import ADD, COUNT, LEN, MIN, SUM
from sase.kernels.values import FLOAT, INTEGER, MISSING, OPAQUE, STRING, UNORDERED, calculate, order

EVERY = -2  # component


@inlined
def clear_scalars(component, row, at, scalars):
    """No events of the component yet: counts are 0, everything else is missing."""
    for slot in range(scalars.shape[0]):
        if component == EVERY or scalars[slot, COMPONENT] == component:
            counts = scalars[slot, WHAT] == LEN or scalars[slot, WHAT] == COUNT
            row[at + 2 * slot] = 0
            row[at + 2 * slot + KIND] = INTEGER if counts else MISSING


@inlined
def add_to_scalars(component, event, row, at, program, events):
    """Take an event into the running values of its component."""
    for slot in range(program.scalars.shape[0]):
        if program.scalars[slot, COMPONENT] == component:
            fold(slot, event, row, at + 2 * slot, program, events)


@part
def fold(slot, event, row, at, program, events):
    what = program.scalars[slot, WHAT]
    if what == LEN:
        row[at] += 1
        return
    column = program.scalars[slot, COLUMN]
    value = events.rows[event - events.base, column]
    kind = events.rows[event - events.base, column + KIND]
    if kind == MISSING:
        return
    if what == COUNT:
        row[at] += 1
        return
    if kind == OPAQUE or (kind == STRING and what == SUM):
        value, kind = no_number()
    if row[at + KIND] != MISSING:
        if what == SUM:
            value, kind = calculate(ADD, row[at], row[at + KIND], value, kind, program.exact)
        else:
            side = order(value, kind, row[at], row[at + KIND], program)
            if side >= UNORDERED:  # a string and a number have no least: no number, whichever came first
                value, kind = no_number()
            elif side != (-1 if what == MIN else 1):
                return
    row[at] = value
    row[at + KIND] = kind


@inlined
def no_number():
    return np.float64(np.nan).view(np.int64), np.int64(FLOAT)

"""Negation: an index of negative events, and the search for one that rules a match out (SASE 4.4).

Every event remembers the latest negative one of its partition before it, and so negative events are chained:
"none between x and y" begins its search at y and ends it at the first one before x. The chain goes with the
events: what has left the window is gone with its slice of the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import CHECKS, CHECKS_END, CLOCK, COMPONENT_BITS, COMPONENTS, HIGH, KEYED, LOW
from sase.kernels.jit import inlined
from sase.kernels.program import holds_along


class Negatives(NamedTuple):
    plan: NDArray[np.int64]  # a row per negative component
    heads: NDArray[np.int64]  # the machine's own, a row per partition: what is read together lies together
    head: int  # column of the first one's latest event there
    column: int  # of the first one's latest event, in an event
    bit: int  # of the first one, in an event's bits
    window: int


@inlined
def remember(event, key, negatives, events):
    """Note for an event which negative events are the latest before it."""
    for j in range(negatives.plan.shape[0]):
        latest = negatives.heads[key * negatives.plan[j, KEYED], negatives.head + j]
        events.rows[event - events.base, negatives.column + j] = latest


@inlined
def insert(event, key, bits, negatives):
    """Make a negative event the latest of its partition."""
    for j in range(negatives.plan.shape[0]):
        if bits >> (negatives.bit + j) & 1:
            negatives.heads[key * negatives.plan[j, KEYED], negatives.head + j] = event


@inlined
def ruled_out(trailing, key, path, length, registers, negatives, conditions):
    """Whether a negative event stands against the match; trailing ones are asked at the deadline only."""
    for j in range(negatives.plan.shape[0]):
        if (negatives.plan[j, HIGH] == 0) == trailing and stands_between(
            j, key, path, length, registers, negatives, conditions
        ):
            return True
    return False


@inlined
def stands_between(j, key, path, length, registers, negatives, conditions):
    """Whether an event of negative component j is where it must not be: from the later one to the earlier."""
    plan = negatives.plan
    events = conditions.events
    after, before = neighbours(plan[j, LOW], plan[j, HIGH], path, length)
    # At the window's edge time takes the place of a neighbour: it is open on both sides.
    since = np.int64(0)
    until = np.int64(0)
    if after < 0:
        since = events.rows[(path[length - 1] >> COMPONENT_BITS) - events.base, CLOCK] - negatives.window
    if before < 0:
        until = events.rows[(path[0] >> COMPONENT_BITS) - events.base, CLOCK] + negatives.window
        event = negatives.heads[key * plan[j, KEYED], negatives.head + j]
    else:
        event = events.rows[before - events.base, negatives.column + j]
    while event >= events.base and event > after:
        clock = events.rows[event - events.base, CLOCK]
        if after < 0 and clock <= since:
            return False
        found = before >= 0 or clock < until
        check = plan[j, CHECKS]
        while found and check < plan[j, CHECKS_END]:
            found = holds_along(check, event, registers, 0, path, length, conditions)
            check += 1
        if found:
            return True
        event = events.rows[event - events.base, negatives.column + j]
    return False


@inlined
def neighbours(low, high, path, length):
    """The last event of the components before a negative one, the first of those after it; -1: none."""
    after = np.int64(-1)
    before = np.int64(-1)
    for i in range(length):
        component = path[i] & COMPONENTS
        if low >> component & 1:
            after = path[i] >> COMPONENT_BITS
        if before < 0 and high >> component & 1:
            before = path[i] >> COMPONENT_BITS
    return after, before

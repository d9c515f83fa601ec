"""Negation: an index of negative events, and the search for one that rules a match out (SASE 4.4).

Every event remembers the latest negative one of its partition before it, and so negative events are chained:
"none between x and y" begins its search at y and ends it at the first one before x. The chain goes with the
events: what has left the window is gone with its slice of the table.

Where a probability is asked for, an uncertain negative event does not rule a match out: it leaves it the
probability that the event did not happen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import (
    BITS,
    CHECKS,
    CHECKS_END,
    CLOCK,
    COMPONENT_BITS,
    COMPONENTS,
    HIGH,
    KEY,
    KEYED,
    LOW,
)
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import NOT_HAPPENED, happens, suffices
from sase.kernels.program import holds_along

NOBODY = -1  # no event


class Negatives(NamedTuple):
    plan: NDArray[np.int64]  # a row per negative component
    heads: NDArray[np.int64]  # the machine's own, a row per partition: what is read together lies together
    head: int  # column of the first one's latest event there
    column: int  # of the first one's latest event, in an event
    bit: int  # of the first one, in an event's bits
    window: int


class Gap(NamedTuple):
    """Where a negative component must be absent: between two events, or from or to the window's edge."""

    after: int
    before: int
    since: int
    until: int


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
def has_checks(negatives):
    """Whether a condition compares negative events with those of a match."""
    for j in range(negatives.plan.shape[0]):
        if negatives.plan[j, CHECKS] < negatives.plan[j, CHECKS_END]:
            return True
    return False


@inlined
def ruled_out(trailing, key, path, length, registers, negatives, conditions):
    """Whether a negative event stands against the match; trailing ones are asked at the deadline only."""
    for j in range(negatives.plan.shape[0]):
        if (negatives.plan[j, HIGH] == 0) == trailing:
            gap = gap_of(j, path, length, negatives, conditions.events)
            event = latest(j, key, gap, negatives, conditions.events)
            if against(j, event, gap, path, length, registers, negatives, conditions) != NOBODY:
                return True
    return False


@part
def remaining(trailing, probability, key, path, length, registers, negatives, conditions, likelihood, noted):
    """What negative events leave of a match's probability, and how many of them there are.

    They are noted if the match may be reached in several ways: then they do not count here. Where too little
    is left the search ends.
    """
    if not likelihood.doubted:
        against_it = ruled_out(trailing, key, path, length, registers, negatives, conditions)
        return (0.0 if against_it else probability), 0
    events = conditions.events
    count = 0
    for j in range(negatives.plan.shape[0]):
        if (negatives.plan[j, HIGH] == 0) != trailing:
            continue
        gap = gap_of(j, path, length, negatives, events)
        event = latest(j, key, gap, negatives, events)
        event = against(j, event, gap, path, length, registers, negatives, conditions)
        while event != NOBODY:
            own, passed = found_in(event, path, length)
            if own or happens(event, events, likelihood) == 1.0:
                return 0.0, 0
            if not passed and not known(
                j, event, trailing, key, path, length, registers, negatives, conditions
            ):
                if likelihood.united:
                    noted[count] = event
                    count += 1
                else:
                    probability *= 1.0 - happens(event, events, likelihood)
                    if not suffices(probability, likelihood):
                        return 0.0, 0
            event = events.rows[event - events.base, negatives.column + j]
            event = against(j, event, gap, path, length, registers, negatives, conditions)
    return probability, count


@inlined
def found_in(event, path, length):
    """Whether an event is one of the match's own, and whether its run has passed it over."""
    for i in range(length):
        if path[i] >> COMPONENT_BITS == event:
            passed = path[i] & COMPONENTS == NOT_HAPPENED
            return not passed, passed
    return False, False


@part
def known(j, event, trailing, key, path, length, registers, negatives, conditions):
    """Whether an event counts already, because it stands for an earlier negative component too."""
    rows, row = conditions.events.rows, event - conditions.events.base
    for i in range(j):
        same = (negatives.plan[i, HIGH] == 0) == trailing and rows[row, BITS] >> (negatives.bit + i) & 1
        if same and (negatives.plan[i, KEYED] == 0 or rows[row, KEY] == key):
            gap = gap_of(i, path, length, negatives, conditions.events)
            inside = event > gap.after and (gap.before < 0 or event < gap.before)
            if inside and holds_against(i, event, gap, path, length, registers, negatives, conditions):
                return True
    return False


@inlined
def gap_of(j, path, length, negatives, events):
    """Where no event of negative component j may be. At the window's edge time takes the place of a
    neighbour: it is open on both sides."""
    plan = negatives.plan
    after, before = neighbours(plan[j, LOW], plan[j, HIGH], path, length)
    since = np.int64(0)
    until = np.int64(0)
    if after < 0:
        since = events.rows[(path[length - 1] >> COMPONENT_BITS) - events.base, CLOCK] - negatives.window
    if before < 0:
        until = events.rows[(path[0] >> COMPONENT_BITS) - events.base, CLOCK] + negatives.window
    return Gap(after, before, since, until)


@inlined
def latest(j, key, gap, negatives, events):
    """The last event of negative component j that may be in the gap: the search goes back from there."""
    if gap.before < 0:
        return negatives.heads[key * negatives.plan[j, KEYED], negatives.head + j]
    return events.rows[gap.before - events.base, negatives.column + j]


@inlined
def against(j, event, gap, path, length, registers, negatives, conditions):
    """The first event of negative component j, from `event` back, that is against the match; or NOBODY."""
    events = conditions.events
    while event >= events.base and event > gap.after:
        if gap.after < 0 and events.rows[event - events.base, CLOCK] <= gap.since:
            break
        if holds_against(j, event, gap, path, length, registers, negatives, conditions):
            return event
        event = events.rows[event - events.base, negatives.column + j]
    return np.int64(NOBODY)


@inlined
def holds_against(j, event, gap, path, length, registers, negatives, conditions):
    """Whether an event after the gap's beginning is before its end and fulfils what is asked of it."""
    plan = negatives.plan
    found = True
    if gap.after < 0 or gap.before < 0:  # else nobody asks when it was: it may be far away in memory
        clock = conditions.events.rows[event - conditions.events.base, CLOCK]
        found = (gap.after >= 0 or clock > gap.since) and (gap.before >= 0 or clock < gap.until)
    check = plan[j, CHECKS]
    while found and check < plan[j, CHECKS_END]:
        found = holds_along(check, event, registers, 0, path, length, conditions)
        check += 1
    return found


@inlined
def neighbours(low, high, path, length):
    """The last event of the components before a negative one, the first of those after it; -1: none."""
    after = np.int64(NOBODY)
    before = np.int64(NOBODY)
    for i in range(length):
        component = path[i] & COMPONENTS
        if component == NOT_HAPPENED:
            continue
        if low >> component & 1:
            after = path[i] >> COMPONENT_BITS
        if before < 0 and high >> component & 1:
            before = path[i] >> COMPONENT_BITS
    return after, before

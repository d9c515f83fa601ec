"""Follows every case through the states of its constraints: one look into a table per event."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import CASE_OF, VERDICT_AFTER, VERDICT_BEFORE
from sase.kernels.jit import kernel

CASE_STATE, SEEN_AT, UNBROKEN, BROKE_AT = range(4)
"""A case: its state, when its last event came, its last state before it broke a constraint, and the position
of the event that broke one (UNBROKEN_YET: none has)."""
CASE_WIDTH = 4
UNBROKEN_YET = 2**62

BESIDE, IGNORED = -1, -2
"""Instead of a step: the event is one of the case, but no constraint speaks of it; or it does not count."""


class CaseEvents(NamedTuple):
    """What is known of a batch's events."""

    cases: NDArray[np.int64]  # -1: of none
    steps: NDArray[np.int64]  # columns of the table of states; or BESIDE, or IGNORED
    clocks: NDArray[np.int64]
    positions: NDArray[np.int64]
    position: int  # of the batch


class CaseVerdicts(NamedTuple):
    """Per event the case's last unbroken state before it, its state after it, and since when it is broken."""

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    broke_at: NDArray[np.int64]


@kernel
def follow(first, events, memory, following, broken, cases, verdicts):
    """Step the cases of events from `first` on; stops before a step that is not worked out, or that breaks.

    Returns the first event that is not done; one that breaks a constraint, or changes a case that has, comes
    out as -1 - its number: such steps are rare, and there is something to tell.
    """
    for i in range(first, events.cases.size):
        case = events.cases[i]
        if case < 0:
            verdicts.before[i] = verdicts.after[i] = 0
            verdicts.broke_at[i] = UNBROKEN_YET
            continue
        row = cases[case]
        if events.clocks[i] - row[SEEN_AT] >= memory:  # it is a new one
            row[CASE_STATE] = row[UNBROKEN] = 0
            row[BROKE_AT] = UNBROKEN_YET
        state = row[CASE_STATE]
        if events.steps[i] >= 0:
            new = following[state, events.steps[i]]
            if new < 0:
                return i
            if broken[new] and new != state:
                return -1 - i
            row[CASE_STATE] = new
        if events.steps[i] >= BESIDE:
            row[SEEN_AT] = events.clocks[i]
        verdicts.before[i] = row[UNBROKEN]
        if row[BROKE_AT] == UNBROKEN_YET:
            row[UNBROKEN] = row[CASE_STATE]
        verdicts.after[i] = row[CASE_STATE]
        verdicts.broke_at[i] = row[BROKE_AT]
    return events.cases.size


@kernel
def judge(rows, bits, events, verdicts, verdict_of, usable, settled, settles):
    """Clear the bits of what events can be to no partial match; note which rows settle a case.

    Returns how many events are of no use at all.
    usable: per verdict the bits of which there is something to go on from, and those that lead somewhere.
    """
    useless = 0
    for n in range(rows.size):
        row = rows[n]
        settles[n] = 0
        if verdicts.broke_at[row] <= events.position + events.positions[row]:
            continue
        before = verdict_of[verdicts.before[row]]
        after = verdict_of[verdicts.after[row]]
        left = bits[n] & usable[before, 0] & usable[after, 1]
        useless += bits[n] != 0 and left == 0
        bits[n] = left
        settles[n] = settled[after] > settled[before]
    return useless


@kernel
def stamp(chosen, keys, events, verdicts, verdict_of, laid_at, table):
    """Write at every chosen event what is dead before and after it.

    A case that has broken a constraint is matched as it is. What was dropped before stays dropped: the first
    event of a partition since then still brings the last verdict before it.
    """
    for n in range(chosen.size):
        row = chosen[n]
        position = events.position + events.positions[row]
        broke_at = verdicts.broke_at[row]
        is_broken = broke_at <= position
        key = max(keys[row], 0)
        holds = not is_broken or laid_at[key] < broke_at
        table[n, VERDICT_BEFORE] = verdict_of[verdicts.before[row]] if holds else 0
        table[n, VERDICT_AFTER] = 0 if is_broken else verdict_of[verdicts.after[row]]
        table[n, CASE_OF] = events.cases[row]
        laid_at[key] = position

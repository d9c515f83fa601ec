"""Follows every case through the states of its constraints: one look into a table per event."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import kernel

CASE_STATE, SEEN_AT, UNBROKEN, BROKE_AT = range(4)
"""A case: its state, when its last event came, its last state before it broke a constraint, and the position
of the event that broke one (UNBROKEN_YET: none has)."""
CASE_WIDTH = 4
UNBROKEN_YET = 2**62


class CaseEvents(NamedTuple):
    """What is known of a batch's events."""

    cases: NDArray[np.int64]  # -1: of none
    steps: NDArray[np.int64]  # columns of the table of states; -1: its type is no constraint's
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
            row[SEEN_AT] = events.clocks[i]
            row[CASE_STATE] = new
        verdicts.before[i] = row[UNBROKEN]
        if row[BROKE_AT] == UNBROKEN_YET:
            row[UNBROKEN] = row[CASE_STATE]
        verdicts.after[i] = row[CASE_STATE]
        verdicts.broke_at[i] = row[BROKE_AT]
    return events.cases.size

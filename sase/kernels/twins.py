"""Merging runs that can no longer differ (SASE+ 5.2.2): same event, same state, same values still needed."""

from __future__ import annotations

import numpy as np

from sase.kernels.jit import inlined
from sase.kernels.layout import FIELDS, GROUP, SINCE, START, STATE
from sase.kernels.run_state import LIVE, LIVE_END, RUN, STAMP


@inlined
def find_twin(new, e, grouped, T, A, E, base, W):
    """A run that selected e too and agrees on everything that matters from now on; -1 if there is none.

    Otherwise the new one is entered, to be found by others; where the table is crowded runs stay apart.
    """
    mask = W.table.shape[0] - 1
    h = fingerprint(new, T, A, E, base)
    for probe in range(8):
        slot = (h + probe) & mask
        if W.table[slot, STAMP] != e:
            W.table[slot, STAMP] = e
            W.table[slot, RUN] = new
            return np.int64(-1)
        if agree(new, W.table[slot, RUN], grouped, T, A, E, base):
            return W.table[slot, RUN]
    return np.int64(-1)


@inlined
def fingerprint(r, T, A, E, base):
    """A hash of the state and of all values that it still needs."""
    state = T[r, STATE]
    h = state + 1
    for x in range(A.states[state, LIVE], A.states[state, LIVE_END]):
        value = T[r, A.live[x, 0]]
        if A.live[x, 1] >= 0:
            value = E[value - base, A.live[x, 1]]
        h = (h ^ value) * np.int64(0x1E3779B97F4A7C15)
        h ^= h >> 29
    return h


@inlined
def agree(a, b, grouped, T, A, E, base):
    state = T[a, STATE]
    if T[b, STATE] != state or (grouped and E[T[a, START] - base, GROUP] != E[T[b, START] - base, GROUP]):
        return False
    for x in range(A.states[state, LIVE], A.states[state, LIVE_END]):
        i = T[a, A.live[x, 0]]
        j = T[b, A.live[x, 0]]
        column = A.live[x, 1]
        if column >= 0:
            if (
                E[i - base, column] != E[j - base, column]
                or E[i - base, column + 1] != E[j - base, column + 1]
            ):
                return False
        elif i != j:
            return False
    return True


@inlined
def follow(twin, new, T):
    """A merged run holds the youngest one's events: they are there as long as the run is."""
    T[twin, START] = T[new, START]
    T[twin, SINCE] = T[new, SINCE]
    for s in range(FIELDS, T.shape[1]):
        T[twin, s] = T[new, s]

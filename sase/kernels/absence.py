"""Negation: an index of negative events, and the search for one that rules a match out (SASE 4.4).

Every event remembers the latest negative one of its partition before it, and so negative events are chained:
"none between x and y" begins its search at y and ends it at the first one before x. The chain goes with the
events: what has left the window is gone with its slice of the table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import inlined
from sase.kernels.layout import CLOCK
from sase.kernels.program import holds_along

LOW, HIGH, KEYED, CHECKS, CHECKS_END = range(5)


class Negatives(NamedTuple):
    plan: NDArray[np.int64]  # (n, 5): bit sets of the components before and after it (0: the window's edge),
    # whether it is partitioned like the positive ones, range of its checks
    heads: NDArray[np.int64]  # the machine's own, a row per partition: what is read together lies together
    head: int  # column of the first one's latest event there
    column: int  # of the first one's latest event, in an event
    bit: int  # of the first one, in an event's bits


@inlined
def remember(row, key, N, E):
    """Note for an event which negative events are the latest before it."""
    for j in range(N.plan.shape[0]):
        E[row, N.column + j] = N.heads[key * N.plan[j, KEYED], N.head + j]


@inlined
def insert(e, key, bits, N):
    for j in range(N.plan.shape[0]):
        if bits >> (N.bit + j) & 1:
            N.heads[key * N.plan[j, KEYED], N.head + j] = e


@inlined
def ruled_out(trailing, key, path, length, registers, N, P, E, base, w, window):
    """Whether a negative event stands against the match; trailing ones are asked at the deadline only."""
    for j in range(N.plan.shape[0]):
        if (N.plan[j, HIGH] == 0) != trailing:
            continue
        after = np.int64(-1)
        before = np.int64(-1)
        for i in range(length):
            if N.plan[j, LOW] >> path[i, 1] & 1:
                after = path[i, 0]
            if before < 0 and N.plan[j, HIGH] >> path[i, 1] & 1:
                before = path[i, 0]
        since = E[path[length - 1, 0] - base, CLOCK] - window if after < 0 else np.int64(0)
        until = E[path[0, 0] - base, CLOCK] + window if before < 0 else np.int64(0)
        e = N.heads[key * N.plan[j, KEYED], N.head + j] if before < 0 else E[before - base, N.column + j]
        while e >= base and e > after:
            clock = E[e - base, CLOCK]
            if after < 0 and clock <= since:
                break
            found = before >= 0 or clock < until
            c = N.plan[j, CHECKS]
            while found and c < N.plan[j, CHECKS_END]:
                found = holds_along(c, e, registers, 0, path, length, P, E, base, w)
                c += 1
            if found:
                return True
            e = E[e - base, N.column + j]
    return False

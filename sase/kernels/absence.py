"""Negation: an index of negative events, and the search for one that rules a match out (SASE 4.4).

Negative events stand in one append-only list per component, chained per partition. Every positive event
remembers the latest negative one before it, so that "none between x and y" begins its search at y and ends
it at the first entry before x. What has left the window is cut off the front of the list, slice by slice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import kernel
from sase.kernels.program import holds_along


class Negatives(NamedTuple):
    """The negative components of a plan."""

    low: NDArray[np.int64]  # bit set of components before it; 0: the window's edge
    high: NDArray[np.int64]  # bit set of components after it; 0: the window's edge
    keyed: NDArray[np.int64]  # 1: partitioned like the positive ones
    programs: NDArray[np.int32]  # (n, 2): range in `checks`
    checks: NDArray[np.int32]
    bit: int  # of the first one in an event's bits


class Index(NamedTuple):
    """The negative events of the window."""

    event: NDArray[np.int64]
    previous: NDArray[np.int64]  # the entry before it in the same chain, -1 if none
    heads: NDArray[np.int64]  # (partition, negative): the latest entry
    latest: NDArray[np.int64]  # (row of event, negative): the latest entry when that event came
    base: NDArray[np.int64]  # [first entry still there, number of entries ever]


@kernel
def remember(row, key, N, X):
    """Note for an event which negative events are the latest before it."""
    for j in range(N.low.size):
        X.latest[row, j] = X.heads[key * N.keyed[j], j]


@kernel
def insert(e, key, bits, N, X):
    for j in range(N.low.size):
        if bits >> (N.bit + j) & 1:
            at = X.base[1]
            X.event[at - X.base[0]] = e
            X.previous[at - X.base[0]] = X.heads[key * N.keyed[j], j]
            X.heads[key * N.keyed[j], j] = at
            X.base[1] = at + 1


@kernel
def ruled_out(trailing, key, path, parts, length, registers, scalars, w, P, E, base, N, X, window):
    """Whether a negative event stands against the match; trailing ones are asked at the deadline only."""
    for j in range(N.low.size):
        if (N.high[j] == 0) == trailing and _found(
            j, key, path, parts, length, registers, scalars, w, P, E, base, N, X, window
        ):
            return True
    return False


@kernel
def _found(j, key, path, parts, length, registers, scalars, w, P, E, base, N, X, window):
    after = np.int64(-1)
    before = np.int64(-1)
    for i in range(length):
        if N.low[j] >> parts[i] & 1:
            after = path[i]
        if before < 0 and N.high[j] >> parts[i] & 1:
            before = path[i]
    since = E.clock[path[length - 1] - base] - window
    until = E.clock[path[0] - base] + window
    at = X.heads[key * N.keyed[j], j] if before < 0 else X.latest[before - base, j]
    while at >= X.base[0]:
        e = X.event[at - X.base[0]]
        clock = E.clock[e - base]
        if e <= after or (after < 0 and clock <= since):
            return False
        if (before >= 0 or clock < until) and _satisfies(
            j, e, path, parts, length, registers, scalars, w, P, E, base, N
        ):
            return True
        at = X.previous[at - X.base[0]]
    return False


@kernel
def _satisfies(j, e, path, parts, length, registers, scalars, w, P, E, base, N):
    for c in range(N.programs[j, 0], N.programs[j, 1]):
        if not holds_along(N.checks[c], e, registers, 0, scalars, path, parts, length, w, P, E, base):
            return False
    return True

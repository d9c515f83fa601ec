"""The tables of a tree of operators: what it is, and what it keeps between two events."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.likelihood import Likelihood


class TreeShape(NamedTuple):
    """Never changes."""

    nodes: NDArray[np.int64]  # children before parents, the root last
    columns: NDArray[np.int64]  # of joined outcomes
    apart: NDArray[np.int64]  # (n, 2): columns of left and right whose events must differ
    waits: NDArray[np.int64]  # the nodes that wait for the end of a window
    needs: NDArray[np.int64]  # per check a bit set: the aliases that it mentions
    prune: bool  # what has left a window is dropped; else it is only passed over
    likelihood: Likelihood  # united: there may be several ways to an outcome


class Outcomes(NamedTuple):
    """Each node's outcomes in a ring of its own; those of a partition are chained from the newest back.

    Only what a parent looks for later is kept, as long as the parent's window; everything else lives for one
    moment. Base events are only pointed to.
    """

    pool: NDArray[np.int64]
    rings: NDArray[np.int64]
    chains: NDArray[np.int64]  # (partition, two for each kept node): the newest outcome and its time
    counts: NDArray[np.int64]  # (partition, kept node above the leaves): how many there are
    twins: NDArray[np.int64]
    sets: NDArray[np.int64]  # of events that must not have happened: how many, then each, the latest first
    state: NDArray[np.int64]


class TreeTables(NamedTuple):
    shape: TreeShape
    outcomes: Outcomes
    registers: NDArray[np.int64]  # one row: the event of each alias, for conditions


class Now(NamedTuple):
    """The moment at hand."""

    clock: int
    key: int
    event: int  # that comes; between two events -1
    last: int  # the last event that has come, this one or the one before
    bits: int
    opened: int  # the moment at which the windows opened that end now
    barrier: int  # up to this event nothing may happen any more (NON-OVERLAP)

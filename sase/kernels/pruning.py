"""Drops what constraints leave no future: partial matches of a case, and the waiting of matches that nothing
can rule out any more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import CASE_OF, DEADLINE, MATCHES, PATH, VERDICT_AFTER, VERDICT_BEFORE
from sase.kernels.cells import COMPONENT_BITS as STEP_BITS
from sase.kernels.jit import inlined, part
from sase.kernels.waiting import rise

RELEASED = -(2**62)  # deadline of a match that waits no longer
NOBODY = -1
RELEASE_CASE, RELEASE_CLOCK = range(2)


class Pruned(NamedTuple):
    """What became of each verdict's partial matches; a verdict is a row."""

    column: int  # of the event table, where the verdicts begin; -1: there are no constraints
    dead: NDArray[np.uint8]  # (verdict, state): whether no partial match in the state can complete
    settled: NDArray[np.uint8]  # per verdict whether nothing can come that would rule out at the end
    release: NDArray[np.int64]  # the case whose waiting matches are to go out, and its clock


@inlined
def verdict_before(event, events, pruned):
    return events.rows[event - events.base, pruned.column + VERDICT_BEFORE]


@inlined
def verdict_after(event, events, pruned):
    return events.rows[event - events.base, pruned.column + VERDICT_AFTER]


@inlined
def note_release(event, clock, events, pruned):
    """Where the event has settled a case, its waiting matches go out before the next event."""
    if pruned.settled[verdict_after(event, events, pruned)]:
        pruned.release[RELEASE_CASE] = events.rows[event - events.base, pruned.column + CASE_OF]
        pruned.release[RELEASE_CLOCK] = clock


@part
def release(column, pending, waiting, events):
    """Put the waiting matches of a case at the front, for `fire` to let out."""
    case = pending[RELEASE_CASE]
    heap = waiting.heap
    for at in range(waiting.size[MATCHES]):  # one that rises has been looked at, and so have those it passes
        first = waiting.path[heap[at, PATH]] >> STEP_BITS
        if heap[at, DEADLINE] > RELEASED and events.rows[first - events.base, column + CASE_OF] == case:
            heap[at, DEADLINE] = RELEASED
            rise(at, heap)

"""Outcomes in rings: room for one more, dropping the oldest, and the chains of a partition."""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    CHAIN,
    FRESH,
    KEPT_FOR,
    NEWEST,
    NEWEST_TIME,
    OFFSET,
    OLDER,
    OLDEST,
    PARTITION,
    SHORT,
    SLOTS,
    TALLY,
    TIME,
    WIDE,
)
from sase.kernels.jit import inlined, kernel, part


@inlined
def place_of(node, number, shape, outcomes):
    """Where an outcome begins in the pool."""
    rings = outcomes.rings
    return rings[node, OFFSET] + (number & (rings[node, SLOTS] - 1)) * shape.nodes[node, WIDE]


@inlined
def is_fresh(node, outcomes):
    """Whether the moment at hand has an outcome of the node."""
    return outcomes.rings[node, FRESH] < outcomes.rings[node, NEWEST]


@inlined
def newest_of(node, key, shape, outcomes):
    """The newest outcome before this moment in a partition."""
    return outcomes.chains[key, shape.nodes[node, CHAIN]]


@inlined
def is_empty_since(node, key, since, shape, outcomes):
    """Whether a partition has no outcome of the node after that time: the newest one alone can tell."""
    chain = shape.nodes[node, CHAIN]
    return outcomes.chains[key, chain] < 0 or outcomes.chains[key, chain + NEWEST_TIME] <= since


@inlined
def has_slot(node, clock, shape, outcomes):
    """Whether there is room for one more outcome, after what has expired is dropped."""
    rings = outcomes.rings
    if rings[node, NEWEST] - rings[node, OLDEST] < rings[node, SLOTS]:
        return True
    drop_expired(node, clock, shape, outcomes)
    if rings[node, NEWEST] - rings[node, OLDEST] < rings[node, SLOTS]:
        return True
    outcomes.state[SHORT] = node
    return False


@part
def drop_expired(node, clock, shape, outcomes):
    """Drop the outcomes that no parent can find any more; they come and go in the order of time."""
    rings = outcomes.rings
    counted = shape.nodes[node, TALLY]
    expired = clock - shape.nodes[node, KEPT_FOR]
    while rings[node, OLDEST] < rings[node, FRESH]:
        at = place_of(node, rings[node, OLDEST], shape, outcomes)
        if outcomes.pool[at + TIME] > expired:
            return
        if counted >= 0:
            outcomes.counts[outcomes.pool[at + PARTITION], counted] -= 1
        rings[node, OLDEST] += 1


@inlined
def link(node, key, shape, outcomes):
    """Put the outcomes of the moment at hand before those of their partition, where they can be found."""
    chain = shape.nodes[node, CHAIN]
    rings = outcomes.rings
    for number in range(rings[node, FRESH], rings[node, NEWEST]):
        at = place_of(node, number, shape, outcomes)
        outcomes.pool[at + OLDER] = outcomes.chains[key, chain]
        outcomes.chains[key, chain] = number
        outcomes.chains[key, chain + NEWEST_TIME] = outcomes.pool[at + TIME]
    if shape.nodes[node, TALLY] >= 0:
        fresh = rings[node, NEWEST] - rings[node, FRESH]
        outcomes.counts[key, shape.nodes[node, TALLY]] += fresh


@kernel
def sweep(clock, shape, outcomes):
    """Drop everywhere what has expired; nothing is under way."""
    for node in range(shape.nodes.shape[0]):
        outcomes.rings[node, FRESH] = outcomes.rings[node, NEWEST]
        if shape.nodes[node, KEPT_FOR] > 0:
            drop_expired(node, clock, shape, outcomes)
        else:
            outcomes.rings[node, OLDEST] = outcomes.rings[node, NEWEST]
    return np.int64(0)

"""Two outcomes as one: whether they agree, what they are together, and whether that is new."""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    ALIAS,
    APART,
    APART_END,
    AT_MOST,
    ATTEMPT,
    ATTEMPTS,
    BOUND,
    CHIEF,
    DROPPED,
    FELLOW,
    FIELDS,
    FRESH,
    HAPPENS,
    JOINED,
    JOINED_END,
    MOMENT,
    MOMENTS,
    NEWEST,
    NODE_OF,
    NUMBER,
    OF_LEFT,
    OF_RIGHT,
    ORIGIN,
    PARTITION,
    SHORT,
    TALLY,
    TESTS,
    TESTS_END,
    TIME,
    TWINS_NOW,
    UNIQUE,
    WIDE,
)
from sase.kernels.jit import inlined, part
from sase.kernels.program import holds
from sase.kernels.tree.opposition import covers, is_likely, set_of
from sase.kernels.tree.rings import has_slot, place_of

NOWHERE = -1  # where an alias that is not bound, or the other side of a node that has none, stands


@inlined
def agree(node, left, right, shape, outcomes):
    """Whether an alias of both is the same event in both, and no two aliases are one event."""
    nodes, pool = shape.nodes, outcomes.pool
    for i in range(nodes[node, JOINED], nodes[node, JOINED_END]):
        of_left = shape.columns[i, OF_LEFT]
        of_right = shape.columns[i, OF_RIGHT]
        if of_left >= 0 and of_right >= 0:
            one = pool[left + BOUND + of_left]
            other = pool[right + BOUND + of_right]
            if one != other and one >= 0 and other >= 0:
                return False
    for i in range(nodes[node, APART], nodes[node, APART_END]):
        one = pool[left + BOUND + shape.apart[i, 0]]
        if one >= 0 and one == pool[right + BOUND + shape.apart[i, 1]]:
            return False
    return True


@inlined
def write(node, left, right, now, shape, outcomes):
    """Write an outcome of the moment at hand behind the newest one, from one or two below; returns where."""
    nodes, pool = shape.nodes, outcomes.pool
    at = place_of(node, outcomes.rings[node, NEWEST], shape, outcomes)
    pool[at + MOMENT] = outcomes.state[MOMENTS]
    pool[at + TIME] = now.clock
    pool[at + PARTITION] = now.key
    origin = pool[(left if left != NOWHERE else right) + ORIGIN]
    pool[at + ORIGIN] = origin if right == NOWHERE else min(origin, pool[right + ORIGIN])
    first = nodes[node, JOINED]
    for i in range(first, nodes[node, JOINED_END]):
        event = np.int64(NOWHERE)
        if left != NOWHERE and shape.columns[i, OF_LEFT] >= 0:
            event = pool[left + BOUND + shape.columns[i, OF_LEFT]]
        if event < 0 and right != NOWHERE and shape.columns[i, OF_RIGHT] >= 0:
            event = pool[right + BOUND + shape.columns[i, OF_RIGHT]]
        pool[at + BOUND + i - first] = event
    return at


@inlined
def fits(node, at, tables, conditions):
    """Whether the conditions on an outcome that is written hold."""
    shape, outcomes, registers = tables
    first, end = shape.nodes[node, TESTS], shape.nodes[node, TESTS_END]
    if first == end:
        return True
    bind(node, at, shape, outcomes.pool, registers)
    return passes(first, end, shape.needs, registers, conditions)


@inlined
def admit(node, at, opposed, key, shape, outcomes, events):
    """Let what is written be an outcome, if it is new, likely, and there are not too many.

    Whether room sufficed.
    """
    nodes, rings = shape.nodes, outcomes.rings
    doubted = shape.likelihood.asked and nodes[node, HAPPENS]
    if doubted and not is_likely(node, at, opposed, shape, outcomes, events):
        return True
    count = rings[node, NEWEST] - rings[node, FRESH]
    if nodes[node, TALLY] >= 0:
        count += outcomes.counts[key, nodes[node, TALLY]]
    if nodes[node, UNIQUE]:
        if 2 * outcomes.state[TWINS_NOW] >= outcomes.twins.shape[0]:
            outcomes.state[SHORT] = NOWHERE
            return False
        if has_twin(node, at, count < nodes[node, AT_MOST], shape, outcomes):
            return True
    if count >= nodes[node, AT_MOST]:
        outcomes.state[DROPPED] += 1
    else:
        rings[node, NEWEST] += 1
    return True


@inlined
def bind(node, at, shape, pool, registers):
    """Bind the aliases of an outcome, for conditions."""
    first = shape.nodes[node, JOINED]
    for i in range(first, shape.nodes[node, JOINED_END]):
        registers[0, FIELDS + shape.columns[i, ALIAS]] = pool[at + BOUND + i - first]


@part
def passes(first, end, needs, registers, conditions):
    """Whether conditions hold for what is bound; one that mentions an alias that is not bound does."""
    for check in range(first, end):
        known = True
        alias = 0
        while needs[check] >> alias:
            if needs[check] >> alias & 1 and registers[0, FIELDS + alias] < 0:
                known = False
            alias += 1
        if known and not holds(check, np.int64(-1), registers, 0, conditions):
            return False
    return True


@part
def has_twin(node, at, stays, shape, outcomes):
    """Whether the node has the same outcome at this moment already; if not, notes this one as the next.

    Where the ways to an outcome count, another way to it is no twin, unless it is open only where one that is
    known is open too. Every way is noted with the first, if it stays.
    """
    pool, twins = outcomes.pool, outcomes.twins
    ways = shape.likelihood.united and shape.nodes[node, HAPPENS] == 1
    width = shape.nodes[node, JOINED_END] - shape.nodes[node, JOINED]
    chief = np.int64(NOWHERE)
    mixed = np.uint64(node)
    for i in range(width):
        mixed = (mixed ^ np.uint64(pool[at + BOUND + i])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(twins.shape[0] - 1))
    while twins[slot, ATTEMPT] == outcomes.state[ATTEMPTS]:
        if twins[slot, NODE_OF] == node:
            other = place_of(node, twins[slot, NUMBER], shape, outcomes)
            same = True
            for i in range(width):
                same &= pool[other + BOUND + i] == pool[at + BOUND + i]
            if same and (not ways or is_as_open(node, other, at, shape, outcomes)):
                return True
            if same:
                chief = pool[other + shape.nodes[node, WIDE] + CHIEF]
        slot = (slot + 1) & (twins.shape[0] - 1)
    twins[slot, ATTEMPT] = outcomes.state[ATTEMPTS]
    twins[slot, NODE_OF] = node
    twins[slot, NUMBER] = outcomes.rings[node, NEWEST]
    outcomes.state[TWINS_NOW] += 1
    if stays and chief != NOWHERE:
        befriend(node, at, chief, shape, outcomes)
    return False


@inlined
def is_as_open(node, other, at, shape, outcomes):
    """Whether one way to an outcome is open wherever another is."""
    mine, yours = set_of(node, at, shape, outcomes), set_of(node, other, shape, outcomes)
    return covers(yours, mine, outcomes)


@inlined
def befriend(node, at, chief, shape, outcomes):
    """Note what is written as one more way to the outcome of which `chief` is the first."""
    pool, wide = outcomes.pool, shape.nodes[node, WIDE]
    first = place_of(node, chief, shape, outcomes)
    pool[at + wide + CHIEF] = chief
    pool[at + wide + FELLOW] = pool[first + wide + FELLOW]
    pool[first + wide + FELLOW] = outcomes.rings[node, NEWEST]


@inlined
def add(node, left, right, opposed, now, shape, outcomes, events):
    """An outcome of a node from one below it; whether room sufficed."""
    if not has_slot(node, now.clock, shape, outcomes):
        return False
    at = write(node, left, right, now, shape, outcomes)
    return admit(node, at, opposed, now.key, shape, outcomes, events)

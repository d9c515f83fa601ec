"""NOTPRECEDES and NOTFOLLOWS: what is absent, or, where a probability is asked for, must not have come."""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    APART,
    APART_END,
    CHANCE,
    DOUBTED,
    DUE,
    FRESH,
    HAPPENS,
    LATEST,
    LEFT,
    MOMENT,
    NEWEST,
    OLDER,
    OLDEST,
    ORIGIN,
    RIGHT,
    SETS_END,
    SPAN,
    TESTS,
    TESTS_END,
    TIME,
    WIDE,
)
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import from_bits, happens, suffices
from sase.kernels.tree.join import NOWHERE, add, agree, bind, passes
from sase.kernels.tree.opposition import (
    CROWDED,
    IMPOSSIBLE,
    NO_SET,
    both_sets,
    contains,
    has_room,
    place_of_set,
    set_of,
)
from sase.kernels.tree.rings import is_empty_since, newest_of, place_of


@inlined
def look_back(node, now, tables, conditions):
    """NOTPRECEDES: what is new on the left, unless something kept on the right rules it out."""
    shape, outcomes, _ = tables
    left = shape.nodes[node, LEFT]
    since = now.clock - shape.nodes[node, SPAN]
    for number in range(outcomes.rings[left, FRESH], outcomes.rings[left, NEWEST]):
        at = place_of(left, number, shape, outcomes)
        if not unless(node, at, np.int64(-1), since, now.clock, now, tables, conditions):
            return False
    return True


@inlined
def close(node, now, tables, conditions):
    """NOTFOLLOWS: the windows that end now, unless something kept on the right came in one."""
    shape, outcomes, _ = tables
    left = shape.nodes[node, LEFT]
    rings, pool = outcomes.rings, outcomes.pool
    opened = now.clock - shape.nodes[node, SPAN]
    for number in range(rings[node, DUE], rings[left, FRESH]):
        at = place_of(left, number, shape, outcomes)
        if pool[at + TIME] != opened or pool[at + MOMENT] != now.opened:
            break
        if shape.nodes[node, HAPPENS] and pool[at + ORIGIN] <= now.barrier:
            continue
        if not unless(node, at, pool[at + MOMENT], opened - 1, now.clock - 1, now, tables, conditions):
            return False
    return True


@inlined
def unless(node, at, after, since, until, now, tables, conditions):
    """Let an outcome on the left happen unless it is ruled out; whether room sufficed.

    What rules it out comes after the moment `after`, later than the time `since` and not later than `until`.
    """
    shape = tables.shape
    opposed = np.int64(NO_SET)
    if shape.likelihood.asked:
        opposed = all_against(node, at, after, since, until, now.key, tables, conditions)
        if opposed == CROWDED:
            return False
        if opposed == IMPOSSIBLE:
            return True
    elif is_ruled_out(node, at, after, since, until, now.key, tables, conditions):
        return True
    return add(node, at, NOWHERE, opposed, now, shape, tables.outcomes, conditions.events)


@inlined
def is_ruled_out(node, left, after, since, until, key, tables, conditions):
    """Whether an outcome kept on the right stands against one on the left."""
    shape, outcomes, _ = tables
    right = shape.nodes[node, RIGHT]
    if is_empty_since(right, key, since, shape, outcomes):
        return False
    if shape.nodes[right, LATEST]:
        return True
    newest = newest_of(right, key, shape, outcomes)
    return against(node, left, newest, after, since, until, tables, conditions) != NOWHERE


@inlined
def against(node, left, number, after, since, until, tables, conditions):
    """The first outcome kept on the right, from `number` back, that stands against one on the left."""
    shape, outcomes, registers = tables
    nodes, pool = shape.nodes, outcomes.pool
    right = nodes[node, RIGHT]
    bound = False
    while number >= outcomes.rings[right, OLDEST]:
        at = place_of(right, number, shape, outcomes)
        number = pool[at + OLDER]
        if pool[at + MOMENT] <= after:
            return np.int64(NOWHERE)
        if pool[at + TIME] <= since:
            if shape.prune:
                return np.int64(NOWHERE)
            continue
        if pool[at + TIME] > until:
            continue
        if nodes[node, APART] < nodes[node, APART_END] and not agree(node, left, at, shape, outcomes):
            continue
        if nodes[node, TESTS] == nodes[node, TESTS_END]:
            return at
        if not bound:
            bind(nodes[node, LEFT], left, shape, pool, registers)
            bound = True
        bind(right, at, shape, pool, registers)
        if passes(nodes[node, TESTS], nodes[node, TESTS_END], shape.needs, registers, conditions):
            return at
    return np.int64(NOWHERE)


@part
def all_against(node, left, after, since, until, key, tables, conditions):
    """What must not have happened for an outcome on the left and, besides, on the right of the node.

    The search ends where an event surely happened, or what the events found leave is not enough.
    """
    shape, outcomes, _ = tables
    pool, state, likelihood = outcomes.pool, outcomes.state, shape.likelihood
    right = shape.nodes[node, RIGHT]
    known = set_of(shape.nodes[node, LEFT], left, shape, outcomes)
    chance = from_bits(pool[left + shape.nodes[shape.nodes[node, LEFT], WIDE] + CHANCE])
    new, count, latest = state[SETS_END], 0, np.int64(NOWHERE)
    at = against(node, left, newest_of(right, key, shape, outcomes), after, since, until, tables, conditions)
    while at != NOWHERE:
        event = pool[at + ORIGIN]
        likely = happens(event, conditions.events, likelihood)
        if likely == 1.0:
            return np.int64(IMPOSSIBLE)
        if event != latest and not contains(known, event, outcomes):
            if not has_room(count + 2, outcomes):
                return np.int64(CROWDED)
            count += 1
            outcomes.sets[place_of_set(new, outcomes) + count] = latest = event
            chance *= 1.0 if likelihood.united else 1.0 - likely
            if not suffices(chance, likelihood):
                state[DOUBTED] += 1
                return np.int64(IMPOSSIBLE)
        at = against(node, left, pool[at + OLDER], after, since, until, tables, conditions)
    if count == 0:
        return known
    outcomes.sets[place_of_set(new, outcomes)] = count
    state[SETS_END] = new + 1 + count
    return both_sets(new, known, outcomes)

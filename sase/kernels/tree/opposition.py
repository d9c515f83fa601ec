"""HAVING: the events that must not have happened for an outcome to be there, and how likely it is.

They stand in sets, the latest event first, one set behind the other. A set never changes: outcomes may share
it. Its number is that of its first cell, counted over all that ever were.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    BOUND,
    CHANCE,
    CHIEF,
    DOUBTED,
    FELLOW,
    JOINED,
    JOINED_END,
    NEWEST,
    OPPOSED,
    SETS_BEFORE,
    SETS_END,
    SETS_FIRST,
    SETS_NEED,
    SHORT,
    WIDE,
)
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import bits_of, happens, suffices

NO_SET = -1
CROWDED = -2  # there is no room for a set; SHORT says so too
IMPOSSIBLE = -3  # what must not have happened surely has, or leaves too little
NOBODY = -1


@inlined
def set_of(node, at, shape, outcomes):
    """What must not have happened for an outcome to be there."""
    return outcomes.pool[at + shape.nodes[node, WIDE] + OPPOSED]


@inlined
def place_of_set(number, outcomes):
    return number - outcomes.state[SETS_FIRST]


@inlined
def has_room(cells, outcomes):
    """Whether so many more cells can be written; if not, notes how many this moment needs."""
    if place_of_set(outcomes.state[SETS_END], outcomes) + cells <= outcomes.sets.size:
        return True
    outcomes.state[SHORT] = CROWDED
    outcomes.state[SETS_NEED] = outcomes.state[SETS_END] - outcomes.state[SETS_BEFORE] + cells
    return False


@part
def contains(number, event, outcomes):
    """Whether an event is in a set."""
    if number == NO_SET:
        return False
    sets, begin = outcomes.sets, place_of_set(number, outcomes)
    for i in range(begin + 1, begin + 1 + sets[begin]):
        if sets[i] <= event:
            return sets[i] == event
    return False


@part
def covers(small, large, outcomes):
    """Whether all events of one set are in another."""
    if small == NO_SET:
        return True
    sets, begin = outcomes.sets, place_of_set(small, outcomes)
    for i in range(begin + 1, begin + 1 + sets[begin]):
        if not contains(large, sets[i], outcomes):
            return False
    return True


@part
def both_sets(one, other, outcomes):
    """The set of all events of two, each of them once; CROWDED: there is no room."""
    if one == other or other == NO_SET:
        return one
    if one == NO_SET:
        return other
    sets, new = outcomes.sets, outcomes.state[SETS_END]
    left, right, begin = (
        place_of_set(one, outcomes),
        place_of_set(other, outcomes),
        place_of_set(new, outcomes),
    )
    if not has_room(1 + sets[left] + sets[right], outcomes):
        return np.int64(CROWDED)
    left_end, right_end = left + 1 + sets[left], right + 1 + sets[right]
    left, right, end = left + 1, right + 1, begin + 1
    while left < left_end or right < right_end:
        mine = sets[left] if left < left_end else np.int64(NOBODY)
        yours = sets[right] if right < right_end else np.int64(NOBODY)
        sets[end] = max(mine, yours)
        left += np.int64(mine >= yours)
        right += np.int64(yours >= mine)
        end += 1
    sets[begin] = end - begin - 1
    outcomes.state[SETS_END] = new + end - begin
    return new


@part
def is_likely(node, at, opposed, shape, outcomes, events):
    """Note how likely an outcome is that is written, by its events and what must not have happened.

    Whether that is enough. Where there may be several ways to it, only its own events are sure to count.
    """
    pool, likelihood, wide = outcomes.pool, shape.likelihood, shape.nodes[node, WIDE]
    chance = 1.0
    for i in range(shape.nodes[node, JOINED_END] - shape.nodes[node, JOINED]):
        event = pool[at + BOUND + i]
        if event < 0:
            continue
        if contains(opposed, event, outcomes):
            return False
        chance *= happens(event, events, likelihood)
    if not likelihood.united:
        chance *= chance_of_none(opposed, likelihood, outcomes, events)
    pool[at + wide + CHANCE] = bits_of(chance)
    pool[at + wide + OPPOSED] = opposed
    pool[at + wide + CHIEF] = outcomes.rings[node, NEWEST]
    pool[at + wide + FELLOW] = NOBODY
    if suffices(chance, likelihood):
        return True
    outcomes.state[DOUBTED] += 1
    return False


@part
def chance_of_none(number, likelihood, outcomes, events):
    """How likely it is that no event of a set has happened."""
    chance = 1.0
    if number != NO_SET:
        begin = place_of_set(number, outcomes)
        for i in range(begin + 1, begin + 1 + outcomes.sets[begin]):
            chance *= 1.0 - happens(outcomes.sets[i], events, likelihood)
    return chance

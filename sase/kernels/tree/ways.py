"""HAVING: several ways to one outcome, united: how likely it is that at least one of them is open.

A way is open if nothing has happened that closes it.
"""

from __future__ import annotations

from sase.kernels.cells import CHANCE, CHIEF, DOUBTED, FELLOW, FRESH, NEWEST, SETS_END, WIDE
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import bits_of, from_bits, happens, suffices
from sase.kernels.tree.opposition import NO_SET, NOBODY, contains, has_room, place_of_set, set_of
from sase.kernels.tree.rings import place_of

UNDECIDED, ABSENT, PRESENT = range(3)  # what has been tried with an event
OPEN = -1  # a way that no event has closed
WAY_CELLS = 3  # its set, the place of its last event, and that of the event which closed it
EVENT_CELLS = 3  # the event, what was tried, and how likely what is assumed up to it


@part
def unite(node, tables, events):
    """Leave of each outcome of the moment one, with the probability of all its ways, if it is likely enough.

    Whether room sufficed.
    """
    shape, outcomes, _ = tables
    rings, pool, wide = outcomes.rings, outcomes.pool, shape.nodes[node, WIDE]
    kept = rings[node, FRESH]
    for number in range(rings[node, FRESH], rings[node, NEWEST]):
        at = place_of(node, number, shape, outcomes)
        if pool[at + wide + CHIEF] != number:
            continue
        open_ways = any_open(node, number, shape, outcomes, events)
        if open_ways < 0:
            return False
        chance = from_bits(pool[at + wide + CHANCE]) * open_ways
        if not suffices(chance, shape.likelihood):
            outcomes.state[DOUBTED] += 1
            continue
        to = place_of(node, kept, shape, outcomes)
        for i in range(wide):
            pool[to + i] = pool[at + i]
        pool[to + wide + CHANCE] = bits_of(chance)
        kept += 1
    rings[node, NEWEST] = kept
    return True


@part
def any_open(node, number, shape, outcomes, events):
    """How likely it is that a way to an outcome is open; below 0: there is no room to find out.

    By cases, one event after the other: it has not happened, or it has and closes the ways that it is
    against. The cases are gone through depth first, behind the sets that are in use.
    """
    sets = outcomes.sets
    ways = place_of_set(outcomes.state[SETS_END], outcomes)
    count, most = note_ways(node, number, shape, outcomes)
    if count < 0:
        return -1.0
    cases = ways + WAY_CELLS * count
    if not has_room(WAY_CELLS * count + EVENT_CELLS * (most + 1), outcomes):
        return -1.0
    note_events(ways, count, cases, outcomes)
    total, depth = 0.0, 0
    enter(cases, 1.0, sets)
    while depth >= 0:
        case = cases + EVENT_CELLS * depth
        weight = from_bits(sets[case + 2])
        if sets[case + 1] == UNDECIDED:
            still = openness(ways, count, depth, sets)
            if still != UNDECIDED:
                total += weight if still == ABSENT else 0.0
                depth -= 1
                continue
            sets[case + 1] = ABSENT
            depth += 1
            enter(case + EVENT_CELLS, weight * (1.0 - happens(sets[case], events, shape.likelihood)), sets)
        elif sets[case + 1] == ABSENT:
            sets[case + 1] = PRESENT
            close_ways(ways, count, sets[case], depth, outcomes)
            depth += 1
            enter(case + EVENT_CELLS, weight * happens(sets[case], events, shape.likelihood), sets)
        else:
            reopen(ways, count, depth, sets)
            depth -= 1
    return total


@inlined
def enter(case, weight, sets):
    sets[case + 1] = UNDECIDED
    sets[case + 2] = bits_of(weight)


@inlined
def note_ways(node, number, shape, outcomes):
    """Write down the sets of an outcome's ways; how many, -1 for want of room, and their events together."""
    sets, wide = outcomes.sets, shape.nodes[node, WIDE]
    begin, count, most = place_of_set(outcomes.state[SETS_END], outcomes), 0, 0
    while number != NOBODY:
        if not has_room((count + 1) * WAY_CELLS, outcomes):
            return -1, 0
        at = place_of(node, number, shape, outcomes)
        opposed = set_of(node, at, shape, outcomes)
        sets[begin + count * WAY_CELLS] = opposed
        most += 0 if opposed == NO_SET else sets[place_of_set(opposed, outcomes)]
        count += 1
        number = outcomes.pool[at + wide + FELLOW]
    return count, most


@part
def note_events(ways, count, cases, outcomes):
    """Write down every event that closes a way once, and where in this order each way's last one stands."""
    sets, known = outcomes.sets, 0
    for way in range(ways, ways + count * WAY_CELLS, WAY_CELLS):
        sets[way + 1], sets[way + 2] = NOBODY, OPEN
        if sets[way] == NO_SET:
            continue
        begin = place_of_set(sets[way], outcomes)
        for i in range(begin + 1, begin + 1 + sets[begin]):
            place = 0
            while place < known and sets[cases + place * EVENT_CELLS] != sets[i]:
                place += 1
            sets[cases + place * EVENT_CELLS] = sets[i]
            known = max(known, place + 1)
            sets[way + 1] = max(sets[way + 1], place)


@inlined
def openness(ways, count, depth, sets):
    """ABSENT: all that could close some open way is known not to have happened; PRESENT: all are closed."""
    closed = True
    for way in range(ways, ways + count * WAY_CELLS, WAY_CELLS):
        if sets[way + 2] == OPEN:
            closed = False
            if sets[way + 1] < depth:
                return ABSENT
    return PRESENT if closed else UNDECIDED


@inlined
def close_ways(ways, count, event, depth, outcomes):
    for way in range(ways, ways + count * WAY_CELLS, WAY_CELLS):
        if outcomes.sets[way + 2] == OPEN and contains(outcomes.sets[way], event, outcomes):
            outcomes.sets[way + 2] = depth


@inlined
def reopen(ways, count, depth, sets):
    for way in range(ways, ways + count * WAY_CELLS, WAY_CELLS):
        if sets[way + 2] == depth:
            sets[way + 2] = OPEN

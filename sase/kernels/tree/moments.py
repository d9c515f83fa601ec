"""One moment of a tree of operators: begun, settled, and over; or begun again where room was lacking."""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    ALL_DOUBTED,
    ALL_DROPPED,
    ATTEMPTS,
    BOUND,
    CHAIN,
    CHANCE,
    COMPONENT_BITS,
    DOUBTED,
    DROPPED,
    DUE,
    EARLIEST,
    FRESH,
    GROUP,
    JOINED,
    JOINED_END,
    KEPT_FOR,
    LEFT,
    MATCHES,
    MOMENT,
    MOMENTS,
    NEWEST,
    NOTHING,
    OLDEST,
    ORIGIN,
    OUTPUT,
    ROWS,
    SAME,
    SETS,
    SETS_BEFORE,
    SETS_END,
    SHORT,
    SPAN,
    TIME,
    TURN,
    TWINS_NOW,
    USED,
    WIDE,
)
from sase.kernels.jit import inlined
from sase.kernels.likelihood import from_bits
from sase.kernels.output import has_place, note_span
from sase.kernels.tree.join import NOWHERE
from sase.kernels.tree.nodes import wake
from sase.kernels.tree.rings import link, place_of
from sase.kernels.tree.ways import unite

NO_DEADLINE = 2**63 - 1


@inlined
def live_through(now, tables, conditions, emission):
    """All that happens at one moment; returns what there is too little of, and then nothing has happened."""
    shape, outcomes, _ = tables
    begin(shape, outcomes)
    for node in range(shape.nodes.shape[0]):
        if not wake(node, now, tables, conditions):
            give_up(outcomes)
            return lack(outcomes.state[SHORT])
    if shape.likelihood.united and not unite(root_of(shape), tables, conditions.events):
        give_up(outcomes)
        return SETS
    lacking = settle(now, shape, outcomes, conditions.events, emission)
    if lacking != NOTHING:
        give_up(outcomes)
        return lacking
    end(now, shape, outcomes)
    return NOTHING


@inlined
def lack(short):
    """What there is too little of, by what a node has noted."""
    if short >= 0:
        return ROWS
    return SAME if short == NOWHERE else SETS


@inlined
def root_of(shape):
    return shape.nodes.shape[0] - 1


@inlined
def begin(shape, outcomes):
    outcomes.state[ATTEMPTS] += 1
    outcomes.state[TWINS_NOW] = 0
    outcomes.state[DROPPED] = 0
    outcomes.state[DOUBTED] = 0
    outcomes.state[SETS_BEFORE] = outcomes.state[SETS_END]
    for node in range(shape.nodes.shape[0]):
        newest = outcomes.rings[node, NEWEST]
        outcomes.rings[node, FRESH] = newest
        if shape.nodes[node, KEPT_FOR] == 0:
            outcomes.rings[node, OLDEST] = newest


@inlined
def give_up(outcomes):
    """Take back what was made of the moment so far: nothing can have found it yet."""
    for node in range(outcomes.rings.shape[0]):
        outcomes.rings[node, NEWEST] = outcomes.rings[node, FRESH]
    outcomes.state[SETS_END] = outcomes.state[SETS_BEFORE]


@inlined
def settle(now, shape, outcomes, events, emission):
    """Put out the outcomes of the root; returns what there is too little of."""
    root = root_of(shape)
    first, newest = outcomes.rings[root, FRESH], outcomes.rings[root, NEWEST]
    if first == newest:
        return NOTHING
    output = emission.output
    width = shape.nodes[root, JOINED_END] - shape.nodes[root, JOINED]
    if emission.once:
        first = youngest(root, shape, outcomes)
        newest = first + 1
    if not has_place(output.size[USED] + (newest - first) * width, newest - first, output):
        return OUTPUT
    if emission.once:
        origin = outcomes.pool[place_of(root, first, shape, outcomes) + ORIGIN]
        group = events.rows[origin - events.base, GROUP]
        if emission.turns[0] == 0:
            output.path[output.size[USED]] = origin << COMPONENT_BITS
            return TURN
        emission.turns[0] -= 1
        emission.spent[group] = now.last
    for number in range(first, newest):
        at = place_of(root, number, shape, outcomes)
        if shape.likelihood.asked:
            output.probability[output.size[MATCHES]] = from_bits(
                outcomes.pool[at + shape.nodes[root, WIDE] + CHANCE]
            )
        put_out(at, width, now.clock, outcomes.pool, output)
    return NOTHING


@inlined
def youngest(root, shape, outcomes):
    """Of the outcomes of the moment the one whose first event came last."""
    found = outcomes.rings[root, FRESH]
    for number in range(found + 1, outcomes.rings[root, NEWEST]):
        begun = outcomes.pool[place_of(root, number, shape, outcomes) + ORIGIN]
        if begun > outcomes.pool[place_of(root, found, shape, outcomes) + ORIGIN]:
            found = number
    return found


@inlined
def put_out(at, width, clock, pool, output):
    """Write a match: its steps in the order of their events. Aliases that happen are numbered from 0."""
    begin = output.size[USED]
    end = begin
    for alias in range(width):
        event = pool[at + BOUND + alias]
        if event < 0:
            continue
        step = event << COMPONENT_BITS | alias
        place = end
        while place > begin and output.path[place - 1] > step:
            output.path[place] = output.path[place - 1]
            place -= 1
        output.path[place] = step
        end += 1
    match = output.size[MATCHES]
    note_span(match, begin, end - 1, output.path[end - 1], output)
    if output.late:
        output.detected[match] = clock
    output.size[MATCHES] = match + 1
    output.size[USED] = end


@inlined
def end(now, shape, outcomes):
    """The moment is over: its outcomes can be found from now on, and windows that it opened wait."""
    state, rings = outcomes.state, outcomes.rings
    for node in range(shape.nodes.shape[0]):
        if shape.nodes[node, CHAIN] >= 0:
            link(node, now.key, shape, outcomes)
    state[MOMENTS] += 1
    state[ALL_DROPPED] += state[DROPPED]
    state[ALL_DOUBTED] += state[DOUBTED]
    if shape.waits.size == 0:
        return
    earliest = np.int64(NO_DEADLINE)
    for i in range(shape.waits.size):
        node = shape.waits[i]
        left = shape.nodes[node, LEFT]
        while now.event < 0 and rings[node, DUE] < rings[left, FRESH]:
            at = place_of(left, rings[node, DUE], shape, outcomes)
            ends = outcomes.pool[at + TIME] + shape.nodes[node, SPAN] == now.clock
            if not ends or outcomes.pool[at + MOMENT] != now.opened:
                break
            rings[node, DUE] += 1
        if rings[node, DUE] < rings[left, NEWEST]:
            at = place_of(left, rings[node, DUE], shape, outcomes)
            earliest = min(earliest, outcomes.pool[at + TIME] + shape.nodes[node, SPAN])
    state[EARLIEST] = earliest

"""What becomes of the matches that a machine has just written: kept, or one of them, or all wait and fire."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import Negatives, ruled_out
from sase.kernels.cells import (
    BEYOND,
    CLOCK,
    COMPONENT_BITS,
    COMPONENTS,
    CUT,
    DEADLINE,
    FIELDS,
    FIRST_EVENT,
    GROUP,
    KEY,
    LAST_EVENT,
    LENGTH,
    MATCHES,
    NEW,
    NEW_END,
    NOTHING,
    OUTPUT,
    PATH,
    TURN,
    USED,
    WAITING,
)
from sase.kernels.jit import inlined, part
from sase.kernels.move import move
from sase.kernels.output import Output, begin_of, has_place, length_of, note_span
from sase.kernels.running import EVERY, add_to_scalars, clear_scalars
from sase.kernels.waiting import Waiting, enter, is_due, leave, may_enter

MOST = 2**62  # what the limits cut off is counted up to here


class Binding(NamedTuple):
    """Where a finished match stands while negation looks at it."""

    columns: NDArray[np.int64]  # per component the columns of its first and last event
    registers: NDArray[np.int64]  # one row
    path: NDArray[np.int64]  # steps


class Emission(NamedTuple):
    once: bool  # NON-OVERLAP
    limit: int  # matches per event
    at_once: int  # matches of one call, or that wait
    spent: NDArray[np.int64]  # per group: the event up to which NON-OVERLAP has used everything up
    turns: NDArray[np.int64]  # one number: how many matches NON-OVERLAP may complete before others have a say
    negatives: Negatives
    waiting: Waiting
    output: Output
    binding: Binding


@inlined
def spent_until(event, events, emission):
    """The event up to which nothing may take part in a match any more."""
    return emission.spent[events.rows[event - events.base, GROUP]] if emission.once else np.int64(-1)


@inlined
def allowed(emission):
    """How many matches of the event at hand may come out."""
    counted = emission.waiting.size if emission.output.late else emission.output.size
    return max(min(emission.limit, emission.at_once - counted[MATCHES]), 0)


@inlined
def settle(event, events, emission):
    """Count the matches that `event` completed, or let them wait; returns what there is too little of."""
    output = emission.output
    if output.late:
        if postpone(events, emission.negatives.window, emission.waiting, output) == WAITING:
            return WAITING
    else:
        if emission.once and output.size[NEW] > 0:
            keep_youngest(output)
            group = events.rows[event - events.base, GROUP]
            if output.path[output.size[USED]] >> COMPONENT_BITS <= emission.spent[group]:
                return NOTHING  # another disjunct was first, after this event had been looked at
            if emission.turns[0] == 0:
                return TURN
            emission.turns[0] -= 1
            emission.spent[group] = event
        output.size[MATCHES] += output.size[NEW]
        output.size[USED] = output.size[NEW_END]
    output.size[CUT] += min(output.size[BEYOND], MOST - output.size[CUT])
    return NOTHING


@part
def postpone(events, window, waiting, output):
    """Let the matches just written wait for their deadlines; they are counted when they fire."""
    count = output.size[NEW]
    if not may_enter(count, output.size[NEW_END] - output.size[USED], waiting):
        return WAITING
    for match in range(output.size[MATCHES], output.size[MATCHES] + count):
        begin = begin_of(match, output)
        length = length_of(match, output)
        end = waiting.size[USED]
        for i in range(length):
            waiting.path[end + i] = output.path[begin + i]
        first = output.path[begin] >> COMPONENT_BITS
        enter(events.rows[first - events.base, CLOCK] + window, length, waiting)
    return NOTHING


@part
def keep_youngest(output):
    """Of the matches just written keep the one that started last."""
    first = output.size[MATCHES]
    best = first
    for match in range(first + 1, first + output.size[NEW]):
        start = output.path[begin_of(match, output)] >> COMPONENT_BITS
        if start > output.path[begin_of(best, output)] >> COMPONENT_BITS:
            best = match
    begin = output.size[USED]
    end = begin + length_of(best, output)
    move(output.path, begin, begin_of(best, output), end - begin)
    note_span(first, begin, end - 1, output.path[end - 1], output)
    output.size[NEW] = 1
    output.size[NEW_END] = end


@part
def fire(clock, event, conditions, emission):
    """Emit what has reached its deadline by `clock`, before `event`, unless negation removes it.

    Returns what there is too little of.
    """
    events = conditions.events
    waiting = emission.waiting
    output = emission.output
    while is_due(clock, waiting):
        deadline = waiting.heap[0, DEADLINE]
        start = waiting.heap[0, PATH]
        length = waiting.heap[0, LENGTH]
        begin = output.size[USED]
        end = begin + length
        if not has_place(end, 1, output):
            return OUTPUT
        first = waiting.path[start] >> COMPONENT_BITS
        group = events.rows[first - events.base, GROUP]
        if emission.once and first <= emission.spent[group]:
            leave(waiting)
            continue
        for i in range(length):
            output.path[begin + i] = waiting.path[start + i]
        key = events.rows[first - events.base, KEY]
        if denied(True, key, begin, length, output.path, emission.binding, emission.negatives, conditions):
            leave(waiting)
            continue
        if emission.once and emission.turns[0] == 0:
            return TURN
        leave(waiting)
        match = output.size[MATCHES]
        note_span(match, begin, end - 1, output.path[end - 1], output)
        output.detected[match] = deadline
        output.size[MATCHES] = match + 1
        output.size[USED] = end
        if emission.once:
            emission.turns[0] -= 1
            emission.spent[group] = event - 1
    return NOTHING


@part
def denied(trailing, key, begin, length, written, binding, negatives, conditions):
    """Whether negation removes the match that is written from `begin` on; binds what its conditions read.

    Takes single arrays where it could take their tuples: a call copies all that it is given.
    """
    row = binding.registers[0]
    row[FIELDS:] = -1
    clear_scalars(EVERY, row, FIELDS, conditions.program.scalars)
    for i in range(length):
        step = written[begin + i]
        event = step >> COMPONENT_BITS
        component = step & COMPONENTS
        binding.path[i] = step
        first = binding.columns[component, FIRST_EVENT]
        if first >= 0 and row[first] < 0:
            row[first] = event
        last = binding.columns[component, LAST_EVENT]
        if last >= 0:
            row[last] = event
        if conditions.program.scalars.shape[0] > 0:
            add_to_scalars(component, event, row, FIELDS, conditions.program, conditions.events)
    return ruled_out(trailing, key, binding.path, length, binding.registers, negatives, conditions)

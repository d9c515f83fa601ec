"""What becomes of the matches that a machine has just written: kept, or one of them, or all wait and fire."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import Negatives, has_checks, remaining, ruled_out
from sase.kernels.cells import (
    ALL_DISMISSED,
    BEYOND,
    CLOCK,
    COMPONENT_BITS,
    COMPONENTS,
    CUT,
    DEADLINE,
    DISMISSED,
    FIELDS,
    FIRST_EVENT,
    GROUP,
    KEY,
    LAST_EVENT,
    LENGTH,
    LIKELY,
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
from sase.kernels.likelihood import NOT_HAPPENED, Likelihood, bits_of, from_bits, suffices
from sase.kernels.move import move
from sase.kernels.output import Output, begin_of, has_place, length_of, note_span
from sase.kernels.pruning import NOBODY, RELEASE_CASE, RELEASE_CLOCK, RELEASED, Pruned, release
from sase.kernels.running import EVERY, add_to_scalars, clear_scalars
from sase.kernels.waiting import Waiting, enter, is_due, leave, may_enter

MOST = 2**62  # what the limits cut off is counted up to here


class Binding(NamedTuple):
    """Where a finished match stands while negation looks at it."""

    columns: NDArray[np.int64]  # per component the columns of its first and last event
    registers: NDArray[np.int64]  # one row
    path: NDArray[np.int64]  # steps
    noted: NDArray[np.int64]  # events that must not have happened, where there are several ways to a match


class Emission(NamedTuple):
    once: bool  # NON-OVERLAP
    barred: bool  # what it has used up takes part in nothing, whoever tells which match has completed
    limit: int  # matches per event
    at_once: int  # matches of one call, or that wait
    spent: NDArray[np.int64]  # per group: the event up to which NON-OVERLAP has used everything up
    turns: NDArray[np.int64]  # one number: how many matches NON-OVERLAP may complete before others have a say
    negatives: Negatives
    waiting: Waiting
    output: Output
    binding: Binding
    likelihood: Likelihood
    pruned: Pruned


@inlined
def spent_until(event, events, emission):
    """The event up to which nothing may take part in a match any more."""
    return emission.spent[events.rows[event - events.base, GROUP]] if emission.barred else np.int64(-1)


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
        return count_new(output)
    return count_others(output)


@inlined
def count_new(output):
    output.size[MATCHES] += output.size[NEW]
    output.size[USED] = output.size[NEW_END]
    return count_others(output)


@inlined
def count_others(output):
    """Those beyond the limit, and those that are not likely enough."""
    output.size[CUT] += min(output.size[BEYOND], MOST - output.size[CUT])
    output.size[ALL_DISMISSED] += output.size[DISMISSED]
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
        likely = bits_of(output.probability[match]) if output.likely else np.int64(0)
        enter(events.rows[first - events.base, CLOCK] + window, length, likely, waiting)
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
    if output.likely:
        output.probability[first] = output.probability[best]
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
        likely = waiting.heap[0, LIKELY]
        begin = output.size[USED]
        end = begin + length
        # Where the ways to a match are kept, every event may be one more that must not have happened.
        more = emission.binding.noted.size if emission.likelihood.united else 0
        if not has_place(end + more, 1, output):
            return OUTPUT
        first = waiting.path[start] >> COMPONENT_BITS
        group = events.rows[first - events.base, GROUP]
        if emission.barred and first <= emission.spent[group]:
            leave(waiting)
            continue
        for i in range(length):
            output.path[begin + i] = waiting.path[start + i]
        key = events.rows[first - events.base, KEY]
        match = output.size[MATCHES]
        if emission.likelihood.asked:
            stands, length = weighed(True, from_bits(likely), key, begin, length, match, conditions, emission)
            end = begin + length
            output.size[ALL_DISMISSED] += np.int64(not stands)
        else:
            stands = not denied(
                True, key, begin, length, output.path, emission.binding, emission.negatives, conditions
            )
        if not stands:
            leave(waiting)
            continue
        if emission.once and emission.turns[0] == 0:
            return TURN
        leave(waiting)
        note_span(match, begin, end - 1, output.path[end - 1], output)
        output.detected[match] = deadline if deadline > RELEASED else emission.pruned.release[RELEASE_CLOCK]
        output.size[MATCHES] = match + 1
        output.size[USED] = end
        if emission.once:
            emission.turns[0] -= 1
            emission.spent[group] = event - 1
    return NOTHING


@part
def let_out(event, conditions, emission):
    """Emit the waiting matches of the case that the event before has settled; what there is too little of."""
    pruned = emission.pruned
    release(pruned.column, pruned.release, emission.waiting, conditions.events)
    lacking = fire(RELEASED, event, conditions, emission)
    if lacking == NOTHING:
        pruned.release[RELEASE_CASE] = NOBODY
    return lacking


@part
def denied(trailing, key, begin, length, written, binding, negatives, conditions):
    """Whether negation removes the match that is written from `begin` on; binds what its conditions read.

    Takes single arrays where it could take their tuples: a call copies all that it is given.
    """
    if has_checks(negatives):
        bind_match(begin, length, written, binding, conditions)
    else:
        for i in range(length):
            binding.path[i] = written[begin + i]
    return ruled_out(trailing, key, binding.path, length, binding.registers, negatives, conditions)


@part
def weighed(trailing, probability, key, begin, length, match, conditions, emission):
    """Note how likely the match is that is written from `begin` on; whether that is enough, and its length.

    It becomes longer where the ways to it are kept, by the events that must not have happened: they stand
    before its last event.
    """
    output, binding, likelihood = emission.output, emission.binding, emission.likelihood
    if emission.negatives.plan.shape[0] > 0:
        bind_match(begin, length, output.path, binding, conditions)
        probability, count = remaining(
            trailing,
            probability,
            key,
            binding.path,
            length,
            binding.registers,
            emission.negatives,
            conditions,
            likelihood,
            binding.noted,
        )
        last = output.path[begin + length - 1]
        for i in range(count):
            output.path[begin + length - 1 + i] = binding.noted[i] << COMPONENT_BITS | NOT_HAPPENED
        length += count
        output.path[begin + length - 1] = last
    output.probability[match] = probability
    return suffices(probability, likelihood), length


@inlined
def bind_match(begin, length, written, binding, conditions):
    """Put a match's events and running values where conditions find them."""
    row = binding.registers[0]
    for field in range(FIELDS, row.size):
        row[field] = -1
    clear_scalars(EVERY, row, FIELDS, conditions.program.scalars)
    for i in range(length):
        step = written[begin + i]
        event = step >> COMPONENT_BITS
        component = step & COMPONENTS
        binding.path[i] = step
        if component == NOT_HAPPENED:
            continue
        first = binding.columns[component, FIRST_EVENT]
        if first >= 0 and row[first] < 0:
            row[first] = event
        last = binding.columns[component, LAST_EVENT]
        if last >= 0:
            row[last] = event
        if conditions.program.scalars.shape[0] > 0:
            add_to_scalars(component, event, row, FIELDS, conditions.program, conditions.events)

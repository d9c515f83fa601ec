"""Sequence scan and construction over active instance stacks (SASE section 4.1 and 4.2).

An event that can be component j is pushed onto stack j of its partition with a pointer to what was then the
top of stack j-1; nothing else happens until an event of the last component comes. Then the matches that end
on it are built by walking the pointers back, newest first, and stopping at the window's edge. Where a
probability is asked for, each instance knows the likeliest way to it or to one below it: a walk ends where no
way from there on is likely enough, with all that it would have come to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import insert, remaining, remember, ruled_out
from sase.kernels.cells import (
    ALL_DISMISSED,
    BEGIN,
    BEST,
    BEYOND,
    BITS,
    CLOCK,
    COMPONENT_BITS,
    DISMISSED,
    EVENT,
    EVER,
    FIELDS,
    FIRST,
    KEY,
    MATCHES,
    NEW,
    NEW_END,
    NOTHING,
    OUTPUT,
    POINTER,
    PREVIOUS,
    STOP,
    USED,
)
from sase.kernels.emission import allowed, fire, let_out, settle, spent_until
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.likelihood import Likelihood, bits_of, from_bits, happens, may_suffice, suffices
from sase.kernels.output import has_place
from sase.kernels.program import holds
from sase.kernels.pruning import NOBODY, RELEASE_CASE, note_release, verdict_before
from sase.kernels.waiting import is_due

COUNTED = 1_000_000  # matches beyond the limit that are still looked for, in order to count them


class StackPlan(NamedTuple):
    length: int
    window: int
    pointers: bool  # follow instance pointers; otherwise search every stack from its top
    prune: bool  # stop at the window's edge; otherwise test the window at the end
    likelihood: Likelihood


class Stacks(NamedTuple):
    """Instances of all stacks in the order in which they came; stacks are chains through them."""

    instances: NDArray[np.int64]
    heads: NDArray[np.int64]  # (partition, component): the top instance
    base: NDArray[np.int64]
    joins: NDArray[np.int64]  # per component: range of the checks to make once it is bound


class StackWork(NamedTuple):
    """The match being built, from its last component to its first."""

    registers: NDArray[np.int64]  # one row: the event of each component
    path: NDArray[np.int64]  # steps
    cursor: NDArray[np.int64]  # per component the instance to try next
    likely: NDArray[np.float64]  # per component how likely it is with all after it; last, that of the match


class StackTables(NamedTuple):
    plan: StackPlan
    stacks: Stacks
    work: StackWork


@kernel
def advance(first, last, now, tables, conditions, emission):
    """Process events first..last-1, then let the clock reach `now`.

    Stops where there is too little room, for the caller to make some and call again. Returns the first event
    that is not done and what is lacking.
    """
    return advance_on(first, last, now, tables, conditions, emission)


@part
def advance_on(first, last, now, tables, conditions, emission):
    events = conditions.events
    negatives = emission.negatives
    negation = negatives.plan.shape[0] > 0
    final = tables.plan.length - 1
    pruned = emission.pruned
    prunes = pruned.column >= 0
    for event in range(first, last):
        clock = events.rows[event - events.base, CLOCK]
        key = events.rows[event - events.base, KEY]
        bits = events.rows[event - events.base, BITS]
        if prunes:
            if pruned.release[RELEASE_CASE] != NOBODY:
                lacking = let_out(event, conditions, emission)
                if lacking != NOTHING:
                    return event, lacking
            clear(verdict_before(event, events, pruned), key, tables.stacks.heads, final, pruned.dead)
        if negation:
            if is_due(clock, emission.waiting):
                lacking = fire(clock, event, conditions, emission)
                if lacking != NOTHING:
                    return event, lacking
            remember(event, key, negatives, events)
        if bits >> final & 1 and may_complete(key, tables):
            if not construct(event, tables, conditions, emission):
                return event, OUTPUT
            lacking = settle(event, events, emission)
            if lacking != NOTHING:
                return event, lacking
        push(event, clock, key, bits, tables, events, emission.output)
        if negation:
            insert(event, key, bits, negatives)
        if prunes:
            note_release(event, clock, events, pruned)
    if prunes and pruned.release[RELEASE_CASE] != NOBODY:
        lacking = let_out(last, conditions, emission)
        if lacking != NOTHING:
            return last, lacking
    if is_due(now, emission.waiting):
        return last, fire(now, last, conditions, emission)
    return last, NOTHING


@inlined
def clear(verdict, key, heads, final, dead):
    """Take the tops off the stacks of a partition whose partial matches cannot complete.

    While constraints hold, events are kept from them: only the first verdict after a breach is one to act on.
    What higher instances point to stays: their matches have gone on. What is dead after an event is so before
    the next one of its partition.
    """
    if verdict == 0:
        return
    for component in range(final):
        heads[key, component] = -1 if dead[verdict, component + 1] else heads[key, component]


@inlined
def may_complete(key, tables):
    """Whether there is an instance of the last component but one."""
    before = tables.plan.length - 2
    return before < 0 or tables.stacks.heads[key, before] >= tables.stacks.base[FIRST]


@inlined
def push(event, clock, key, bits, tables, events, output):
    """Lay the event on the stacks of the components that it can be, where there is one to precede it."""
    stacks, likelihood = tables.stacks, tables.plan.likelihood
    first = stacks.base[FIRST]
    best, unlikely = 1.0, False
    for component in range(tables.plan.length - 2, -1, -1):  # last stack first: no event precedes itself
        if not bits >> component & 1:
            continue
        below = np.int64(-1)
        if component > 0:
            below = stacks.heads[key, component - 1]
            if below < first:
                continue
            before = stacks.instances[below - first, EVENT]
            if tables.plan.prune and clock - events.rows[before - events.base, CLOCK] >= tables.plan.window:
                continue
        if likelihood.asked:
            best = happens(event, events, likelihood)
            if component > 0:
                best *= from_bits(stacks.instances[below - first, BEST])
            if not may_suffice(best, likelihood):
                unlikely = True
                continue
        instance = stacks.base[EVER]
        stacks.instances[instance - first, EVENT] = event
        stacks.instances[instance - first, PREVIOUS] = stacks.heads[key, component]
        stacks.instances[instance - first, POINTER] = below
        if likelihood.asked:
            best = max(best, best_below(stacks.heads[key, component], clock, tables, events))
            stacks.instances[instance - first, BEST] = bits_of(best)
        stacks.heads[key, component] = instance
        stacks.base[EVER] = instance + 1
    output.size[ALL_DISMISSED] += np.int64(unlikely)


@inlined
def best_below(top, clock, tables, events):
    """How likely the likeliest sequence is up to an instance of a stack, from its top down."""
    instances, first = tables.stacks.instances, tables.stacks.base[FIRST]
    if top < first:
        return 0.0
    event = instances[top - first, EVENT]
    if tables.plan.prune and clock - events.rows[event - events.base, CLOCK] >= tables.plan.window:
        return 0.0  # and so are all below it: no event to come can be matched with them
    return from_bits(instances[top - first, BEST])


@inlined
def construct(event, tables, conditions, emission):
    """Write the matches that end on an event behind the used part of the output, to be settled.

    Depth first from the last component to the first; returns whether there was room. One flat loop: with the
    search along a stack in a loop of its own, matches took a seventh longer to write.
    """
    plan, stacks, work = tables
    events, output = conditions.events, emission.output
    key = events.rows[event - events.base, KEY]
    clock = events.rows[event - events.base, CLOCK]
    barrier = spent_until(event, events, emission)
    found, end = 0, output.size[USED]
    output.size[BEYOND] = 0
    output.size[DISMISSED] = 0
    limit = allowed(emission)
    front, last = stacks.base[FIRST], plan.length - 1
    component = last  # all after it are bound
    if event > barrier and bind(last, event, tables, conditions, output):
        component = descend(last, key, np.int64(-1), tables)
    while component < last:
        if component < 0:
            component = 0
            if not stands(clock, key, tables, conditions, emission):
                continue
            if plan.likelihood.asked and not is_likely(key, tables, conditions, emission):
                output.size[DISMISSED] += 1
                continue
            if found == limit:
                output.size[BEYOND] += 1
                if output.size[BEYOND] == COUNTED:
                    break
                continue
            crowded = end + plan.length > output.path.size or plan.likelihood.asked
            if crowded and not has_place(end + plan.length, found + 1, output):
                return False
            if plan.likelihood.asked:
                output.probability[output.size[MATCHES] + found] = work.likely[plan.length + 1]
            for i in range(plan.length):
                output.path[end + i] = work.path[i]
            end += plan.length
            found += 1
            continue
        row = work.cursor[component] - front
        earlier = stacks.instances[row, EVENT] if row >= 0 else np.int64(-1)
        if earlier <= barrier or is_too_old(earlier, clock, plan, events):
            component += 1
            continue
        if plan.likelihood.asked and not may_suffice(
            work.likely[component + 1] * from_bits(stacks.instances[row, BEST]), plan.likelihood
        ):
            output.size[DISMISSED] += 1
            component += 1
            continue
        work.cursor[component] = stacks.instances[row, PREVIOUS]
        if earlier < work.registers[0, FIELDS + component + 1] and bind(
            component, earlier, tables, conditions, output
        ):
            component = descend(component, key, row, tables)
    output.size[NEW], output.size[NEW_END] = found, end
    return True


@inlined
def descend(component, key, row, tables):
    """Go on with the component before, from where the instance in `row` points, or from its stack's top."""
    plan, stacks, work = tables
    if component > 0:
        pointed = plan.pointers and row >= 0
        top = stacks.instances[row, POINTER] if pointed else stacks.heads[key, component - 1]
        work.cursor[component - 1] = top
    return component - 1


@inlined
def is_too_old(earlier, clock, plan, events):
    return plan.prune and clock - events.rows[earlier - events.base, CLOCK] >= plan.window


@inlined
def stands(clock, key, tables, conditions, emission):
    """Whether the sequence that is bound is a match: inside the window, with no negative event against it."""
    events = conditions.events
    work = tables.work
    plan = tables.plan
    first = work.registers[0, FIELDS]
    if not plan.prune and clock - events.rows[first - events.base, CLOCK] >= plan.window:
        return False
    return (
        plan.likelihood.asked
        or emission.negatives.plan.shape[0] == 0
        or not ruled_out(False, key, work.path, plan.length, work.registers, emission.negatives, conditions)
    )


@inlined
def is_likely(key, tables, conditions, emission):
    """Note how likely the sequence that is bound is to be a match; whether that is enough."""
    plan, work = tables.plan, tables.work
    work.likely[plan.length + 1], _ = remaining(
        False,
        work.likely[0],
        key,
        work.path,
        plan.length,
        work.registers,
        emission.negatives,
        conditions,
        emission.likelihood,
        emission.binding.noted,
    )
    return suffices(work.likely[plan.length + 1], plan.likelihood)


@inlined
def bind(component, event, tables, conditions, output):
    """Bind a component to an event; whether its conditions with those after it hold."""
    joins = tables.stacks.joins
    registers = tables.work.registers
    registers[0, FIELDS + component] = event
    tables.work.path[component] = event << COMPONENT_BITS | component
    if tables.plan.likelihood.asked:
        likely = tables.work.likely
        likely[component] = likely[component + 1] * happens(event, conditions.events, tables.plan.likelihood)
        if not suffices(likely[component], tables.plan.likelihood):
            output.size[DISMISSED] += 1
            return False
    check = joins[component, BEGIN]
    while check < joins[component, STOP]:
        if not holds(check, event, registers, 0, conditions):
            return False
        check += 1
    return True

"""Runs of the NFA^b with one shared match buffer (SASE+ sections 5.1 and 5.2).

A run is a state, the values that later conditions need, and a node of the buffer: its last event, linked to
the node before. Runs that split share their past. Runs that select the same event, reach the same state and
agree on all values still needed are merged (5.2.2): their nodes become alternatives of one another, which
takes the place of the paper's version numbers, because alternatives are equivalent from there on.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.absence import insert, remember
from sase.kernels.borrowed import borrowed
from sase.kernels.cells import (
    ALIVE,
    BEGUN,
    BITS,
    CLOCK,
    COMPLETE_NODES,
    EVER,
    FINALS,
    FIRST,
    FREE,
    GROUP,
    HEAD,
    KEY,
    NEED,
    NEXT,
    NODE,
    NODES,
    NOTHING,
    ORDER,
    ROWS,
    RULED_OUT_BY,
    RUNS,
    SINCE,
    STATE,
    WANTED,
    WANTS,
)
from sase.kernels.emission import fire, let_out, spent_until
from sase.kernels.fetch import fetch
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.likelihood import happens
from sase.kernels.pruning import NOBODY, RELEASE_CASE, note_release, verdict_after, verdict_before
from sase.kernels.runs.facts import has_negatives, has_waiting, is_constrained, is_strict
from sase.kernels.runs.form import asks, bare, copies
from sase.kernels.runs.step import offer
from sase.kernels.runs.tables import NONE, START_STATE, Arrival
from sase.kernels.runs.ways import emit
from sase.kernels.waiting import is_due

CACHED = 4096  # partitions whose state is near the processor anyway
AHEAD = 8


@kernel
def advance(first, last, now, tables, conditions, emission):
    """Process events first..last-1, then let the clock reach `now`.

    Stops where there is too little room, for the caller to make some and call again. Returns the first event
    that is not done and what is lacking.
    """
    return advance_on(first, last, now, borrowed(tables), borrowed(conditions), borrowed(emission))


@part
def advance_on(first, last, now, tables, conditions, emission):
    events = conditions.events
    counts = tables.runs.counts
    negation = has_negatives(tables.plan, emission)
    waits = has_waiting(tables.plan)
    scattered = tables.runs.heads.shape[0] > CACHED
    pruned = emission.pruned
    prunes = is_constrained(tables.plan, emission)
    for event in range(first, last):
        fetch(events.rows, event - events.base + 4 * AHEAD)  # rows are too many to be near the processor
        if scattered and event + 2 * AHEAD < last:
            look_ahead(event - events.base, tables.runs, tables.buffer, events)
        arrival = arrive(event, tables, events, emission)
        if counts[COMPLETE_NODES] == 0:  # else a call before this one had no room for the event's matches
            if prunes:
                if pruned.release[RELEASE_CASE] != NOBODY:
                    lacking = let_out(event, conditions, emission)
                    if lacking != NOTHING:
                        return event, lacking
                drop_dead(verdict_before(event, events, pruned), arrival.key, tables.runs, pruned.dead)
            if negation:
                if waits and is_due(arrival.clock, emission.waiting):
                    lacking = fire(arrival.clock, event, conditions, emission)
                    if lacking != NOTHING:
                        return event, lacking
                remember(event, arrival.key, emission.negatives, events)
            if is_wanted(arrival, tables):
                lacking = lacks(arrival.key, tables)
                if lacking != NOTHING:
                    return event, lacking
                offer_to_all(arrival, tables, conditions)
        if counts[COMPLETE_NODES] > 0:
            lacking = emit(arrival, tables, conditions, emission)
            if lacking != NOTHING:
                return event, lacking
            counts[COMPLETE_NODES] = 0
        if negation:
            insert(event, arrival.key, arrival.bits, emission.negatives)
            if is_only_negative(arrival, tables.plan, emission.negatives):
                drop_ruled_out(arrival.bits, arrival.key, tables.runs, tables.automaton.states)
        if prunes:
            drop_dead(verdict_after(event, events, pruned), arrival.key, tables.runs, pruned.dead)
            note_release(event, arrival.clock, events, pruned)
    if prunes and pruned.release[RELEASE_CASE] != NOBODY:
        lacking = let_out(last, conditions, emission)
        if lacking != NOTHING:
            return last, lacking
    if waits and is_due(now, emission.waiting):
        return last, fire(now, last, conditions, emission)
    return last, NOTHING


@inlined
def look_ahead(row, runs, buffer, events):
    """Fetch what events to come will read: their partition first, then its latest run and that run's node."""
    fetch(runs.heads, events.rows[row + 2 * AHEAD, KEY])
    run = runs.heads[events.rows[row + AHEAD, KEY], HEAD]
    if run >= 0:
        fetch(runs.rows, run)
    run = runs.heads[events.rows[row + AHEAD // 2, KEY], HEAD]
    if run >= 0:
        fetch(buffer.nodes, runs.rows[run, NODE] - buffer.base[FIRST])


@inlined
def arrive(event, tables, events, emission):
    row = event - events.base
    key = events.rows[row, KEY]
    bits = events.rows[row, BITS]
    return Arrival(
        event,
        events.rows[row, CLOCK],
        key,
        events.rows[row, GROUP],
        bits,
        events.rows[row, ORDER],
        np.int64(-1) if bare(tables.plan.form) else spent_until(event, events, emission),
        tables.plan.merge  # without a branch: which it is nobody could foresee
        & (bits & tables.runs.heads[key, WANTS] != 0)
        & ((tables.runs.heads[key, RUNS] > 1) | (bits & tables.automaton.states[START_STATE, WANTED] != 0)),
        happens(event, events, tables.plan.likelihood) if asks(tables.plan.form) else 1.0,
    )


@inlined
def is_wanted(arrival, tables):
    """Whether a run of the partition or the start state may use the event, or be broken by it."""
    wanted = tables.runs.heads[arrival.key, WANTS] | tables.automaton.states[START_STATE, WANTED]
    return is_strict(tables.plan) or arrival.bits & wanted != 0


@inlined
def lacks(key, tables):
    """What there might be too little of if every run of the partition made every move, or passed it over."""
    counts = tables.runs.counts
    buffer = tables.buffer
    ways = tables.automaton.moves.shape[0] + asks(tables.plan.form)
    need = (tables.runs.heads[key, RUNS] + 1) * ways + 1
    nodes = need * tables.work.path.size if copies(tables.plan.form) else need
    counts[NEED] = need
    if tables.runs.rows.shape[0] - counts[ALIVE] < need:
        return ROWS
    if tables.work.final.size < need:
        return FINALS
    if buffer.base[EVER] - buffer.base[FIRST] + nodes > buffer.nodes.shape[0]:
        counts[NEED] = nodes
        return NODES
    return NOTHING


@inlined
def offer_to_all(arrival, tables, conditions):
    """Offer the event to every run of its partition, and last of all to the start state.

    Runs stand in a list. Those that the event begins are put at its front only when all have had their turn:
    they must not be offered the event that they come from. Every other one goes on in its row or is dropped.
    """
    runs = tables.runs
    head = runs.heads[arrival.key]
    wants = np.int64(0)
    before = np.int64(NONE)
    run = head[HEAD]
    runs.counts[BEGUN] = NONE
    if not is_strict(tables.plan) and arrival.bits & head[WANTS] == 0:
        run = np.int64(NONE)  # no run here can use it
        wants = head[WANTS]
    begins = arrival.bits & tables.automaton.states[START_STATE, WANTED] != 0
    while run != NONE or begins:
        stays = offer(run, arrival, tables, conditions)
        if run == NONE:  # that was the start state
            break
        after = runs.rows[run, NEXT]
        if stays:
            before = run
            wants |= tables.automaton.states[runs.rows[run, STATE], WANTED]
        else:
            drop(run, before, arrival.key, runs)
        run = after
    run = runs.counts[BEGUN]
    while run != NONE:
        after = runs.rows[run, NEXT]
        wants |= tables.automaton.states[runs.rows[run, STATE], WANTED]
        runs.rows[run, NEXT] = head[HEAD]
        head[HEAD] = run
        run = after
    head[WANTS] = wants


@inlined
def drop(run, before, key, runs):
    """Take a run out of its partition's list; its row is the next free one."""
    if before != NONE:
        runs.rows[before, NEXT] = runs.rows[run, NEXT]
    else:
        runs.heads[key, HEAD] = runs.rows[run, NEXT]
    runs.rows[run, NEXT] = runs.counts[FREE]
    runs.counts[FREE] = run
    runs.counts[ALIVE] -= 1
    runs.heads[key, RUNS] -= 1


@part
def drop_dead(verdict, key, runs, dead):
    """Drop the runs of a partition that cannot complete, says a verdict; the first verdict spares all."""
    if verdict == 0:
        return
    before = np.int64(NONE)
    run = runs.heads[key, HEAD]
    while run != NONE:
        after = runs.rows[run, NEXT]
        if dead[verdict, runs.rows[run, STATE]]:
            drop(run, before, key, runs)
        else:
            before = run
        run = after


@inlined
def is_only_negative(arrival, plan, negatives):
    """Whether an event surely stands against matches, and none of the runs that are there has taken it."""
    return not asks(plan.form) and arrival.bits > 0 and arrival.bits & ((1 << negatives.bit) - 1) == 0


@inlined
def drop_ruled_out(bits, key, runs, states):
    """Drop the runs between whose past and future a negative event has come: all that they may become is
    ruled out, so that looking once at the runs saves looking at each of their matches."""
    run = runs.heads[key, HEAD]
    before = np.int64(NONE)
    wants = np.int64(0)
    while run != NONE:
        after = runs.rows[run, NEXT]
        state = runs.rows[run, STATE]
        if bits & states[state, RULED_OUT_BY]:
            drop(run, before, key, runs)
        else:
            before = run
            wants |= states[state, WANTED]
        run = after
    runs.heads[key, WANTS] = wants


@kernel
def alive(runs, rows):
    """Write down the rows of all runs; there are as many as are alive."""
    count = 0
    for key in range(runs.heads.shape[0]):
        run = runs.heads[key, HEAD]
        while run != NONE:
            rows[count] = run
            count += 1
            run = runs.rows[run, NEXT]


@kernel
def sweep(clock, runs, window):
    """Drop the expired runs of partitions that nobody visits any more."""
    for key in range(runs.heads.shape[0]):
        before = np.int64(NONE)
        run = runs.heads[key, HEAD]
        while run != NONE:
            after = runs.rows[run, NEXT]
            if clock - runs.rows[run, SINCE] < window:
                before = run
            else:
                drop(run, before, key, runs)
            run = after

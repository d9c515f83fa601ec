"""One event and one run: which moves the run can make, and what it becomes by each.

A run that can select an event in several ways splits: every way but one goes on in a row of its own. What
becomes of the run itself depends on the strategy. Under skip-till-any-match it stays as it was, as if it had
not seen the event. Under skip-till-next-match it must follow: it makes one move in its own row, and makes it
last, because the others begin from what it was. (A move that closes a Kleene component is never that one: the
run goes on beside it, with the component open for more events.) Under contiguity it ends, because the next
event must continue what it became.

Where a probability is asked for and the event may not have happened, a run that must follow or end goes on as
it was too: past the event, which then counts among those that must not have happened.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    ALIVE,
    BEGUN,
    BIT_OF,
    CHECKS,
    CHECKS_END,
    COMPLETE,
    COMPLETE_NODES,
    COMPONENT,
    COMPONENT_BITS,
    FIELDS,
    FIRST,
    FIRST_EVENT,
    FREE,
    GOES_ON,
    GROUP,
    IMPROBABLE,
    LAST_EVENT,
    LAST_ORDER,
    LIKELIEST,
    MOVES,
    MOVES_END,
    NEXT,
    NODE,
    PROCEED,
    REFUSED,
    RUNS,
    SINCE,
    START,
    STATE,
    TAKE,
    TARGET,
    UNTOUCHED,
    WANTED,
)
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import NOT_HAPPENED, bits_of, from_bits, suffices
from sase.kernels.program import holds, holds_along
from sase.kernels.running import EVERY, add_to_scalars, clear_scalars
from sase.kernels.runs.buffer import add_node, copied, join, likeliest, trace
from sase.kernels.runs.facts import (
    accepts_at_once,
    has_running,
    is_grouped,
    is_pruned,
    is_strict,
    must_follow,
)
from sase.kernels.runs.form import asks, copies, walks
from sase.kernels.runs.tables import NONE, START_STATE
from sase.kernels.runs.twins import find_twin, follow


@inlined
def offer(run, arrival, tables, conditions):
    """Let a run, or the start state (NONE), select the event in every way; whether it stays in its row."""
    plan = tables.plan
    counts = tables.runs.counts
    state = np.int64(START_STATE)
    grouped = False
    if run != NONE:
        state = tables.runs.rows[run, STATE]
        grouped = is_grouped(plan) and same_group(run, arrival, tables, conditions.events)
        if is_over(run, grouped, arrival, tables):
            return False
    count, own = find_moves(run, state, arrival, tables, conditions)
    if asks(plan.form) and own != NONE and arrival.chance < 1.0:
        pass_over(run, arrival, tables)
    stays = True
    for x in range(count):
        move = tables.work.moves[x]
        new = run if move == own else counts[FREE]
        alive, node = select(move, run, new, arrival, tables, conditions)
        if move == own:
            stays = alive
        if node != NONE and (
            accepts_at_once(plan)
            or all_hold(plan.accept, plan.accept_end, new, arrival.event, tables, conditions)
        ):
            tables.work.final[counts[COMPLETE_NODES]] = node
            counts[COMPLETE_NODES] += 1
    if not is_strict(plan):
        return stays
    if asks(plan.form) and grouped and arrival.chance < 1.0:
        return stays_past(run, arrival, tables)
    return not grouped


@inlined
def stays_apart(run, node, event, tables, events):
    """Merge a run with its twin, if it has one; whether it has none."""
    rows = tables.runs.rows
    twin = find_twin(run, event, tables, events)
    if twin == NONE:
        return True
    join(node, rows[twin, NODE], tables.buffer)
    if rows[run, START] > rows[twin, START]:
        follow(twin, run, rows)
    return False


@part
def pass_over(run, arrival, tables):
    """Skip till next match: a run that must follow goes on without the event as well, in a row of its own."""
    rows, runs = tables.runs.rows, tables.runs
    if runs.heads[arrival.key, RUNS] >= tables.plan.limit:
        runs.counts[REFUSED] += 1
        return
    new = runs.counts[FREE]
    for field in range(rows.shape[1]):
        if field != NEXT:
            rows[new, field] = rows[run, field]
    if stays_past(new, arrival, tables):
        enlist(new, arrival.key, runs)


@part
def weighs_enough(node, past, chance, least, nodes, base):
    """Note how likely a node's likeliest past is; whether that is enough.

    Called, not written out, like all that only HAVING asks: beside it the loop is slower for everybody.
    """
    likely = chance
    if past != NONE:
        likely *= from_bits(nodes[past - base[FIRST], LIKELIEST])
    nodes[node - base[FIRST], LIKELIEST] = bits_of(likely)
    return likely >= least


@part
def stays_past(run, arrival, tables):
    """Let a run go on in its row past the event; whether it is still likely enough."""
    rows, buffer, likelihood = tables.runs.rows, tables.buffer, tables.plan.likelihood
    left = 1.0 if likelihood.united else 1.0 - arrival.chance
    likely = likeliest(rows[run, NODE], buffer) * left
    if not suffices(likely, likelihood):
        tables.runs.counts[IMPROBABLE] += 1
        return False
    step = arrival.event << COMPONENT_BITS | NOT_HAPPENED
    node = add_node(step, rows[run, NODE], rows[run, SINCE], buffer)
    buffer.nodes[node - buffer.base[FIRST], LIKELIEST] = bits_of(likely)
    rows[run, NODE] = node
    rows[run, LAST_ORDER] = arrival.order
    return True


@inlined
def same_group(run, arrival, tables, events):
    return events.rows[tables.runs.rows[run, START] - events.base, GROUP] == arrival.group


@inlined
def is_over(run, grouped, arrival, tables):
    """Whether a run has left the window, or its group has used up its events or interrupted it."""
    plan = tables.plan
    rows = tables.runs.rows
    if is_pruned(plan) and arrival.clock - rows[run, SINCE] >= plan.window:
        return True
    if not grouped:
        return False
    broken = is_strict(plan) and arrival.order != rows[run, LAST_ORDER] + 1
    return broken or rows[run, START] <= arrival.barrier


@inlined
def find_moves(run, state, arrival, tables, conditions):
    """Write down the moves that a run can make; returns how many and the one that it makes in its own row."""
    automaton = tables.automaton
    moves = automaton.moves
    if arrival.bits & automaton.states[state, WANTED] == 0:
        return 0, np.int64(NONE)
    follows = must_follow(tables.plan) and run != NONE
    own = np.int64(NONE)
    count = 0
    for move in range(automaton.states[state, MOVES], automaton.states[state, MOVES_END]):
        if arrival.bits >> moves[move, BIT_OF] & 1 == 0:
            continue
        if not all_hold(moves[move, CHECKS], moves[move, CHECKS_END], run, arrival.event, tables, conditions):
            continue
        if follows and moves[move, PROCEED] == 0 and own == NONE:
            own = np.int64(move)
            continue
        tables.work.moves[count] = move
        count += 1
    if own != NONE:
        tables.work.moves[count] = own
        count += 1
    return count, own


@inlined
def all_hold(first, last, run, event, tables, conditions):
    """Whether a range of checks holds for a run and an event."""
    rows = tables.runs.rows
    row = max(run, 0)
    if first >= last:
        return True
    if not walks(tables.plan.form):
        for check in range(first, last):
            if not holds(check, event, rows, row, conditions):
                return False
        return True
    path = tables.work.path
    length = trace(rows[run, NODE], tables.buffer, path) if run != NONE else 0
    for check in range(first, last):
        if not holds_along(check, event, rows, row, path, length, conditions):
            return False
    return True


@inlined
def select(move, run, new, arrival, tables, conditions):
    """A run selects the event by a move and goes on in row `new`: the next free one, or its own.

    It becomes a run, or an alternative of an equivalent one, or a finished match. Returns whether there is a
    run in the row, and its node if it is complete.
    """
    plan, rows, moves = tables.plan, tables.runs.rows, tables.automaton.moves
    goes_on = moves[move, GOES_ON] == 1
    splits = new != run
    past, since = np.int64(NONE), arrival.clock
    if run != NONE:
        past, since = rows[run, NODE], rows[run, SINCE]
    if goes_on and splits and tables.runs.heads[arrival.key, RUNS] >= plan.limit:
        tables.runs.counts[REFUSED] += 1
        return False, np.int64(NONE)
    if copies(plan.form):
        past = copied(past, tables.buffer)
    step = arrival.event << COMPONENT_BITS | moves[move, COMPONENT]
    node = add_node(step, past, since, tables.buffer)
    if asks(plan.form) and not weighs_enough(
        node, past, arrival.chance, plan.likelihood.least, tables.buffer.nodes, tables.buffer.base
    ):
        tables.runs.counts[IMPROBABLE] += 1
        return False, np.int64(NONE)
    if not goes_on and accepts_at_once(plan):  # it is finished: nobody will look at its row
        return False, node
    fill(new, move, run, arrival, tables, conditions)
    rows[new, NODE] = node
    if goes_on and arrival.merges and not stays_apart(new, node, arrival.event, tables, conditions.events):
        return False, np.int64(NONE)
    if goes_on and splits:
        enlist(new, arrival.key, tables.runs)
    complete = tables.automaton.states[moves[move, TARGET], COMPLETE] == 1
    return goes_on, node if complete else np.int64(NONE)


@inlined
def fill(new, move, run, arrival, tables, conditions):
    """What the run knows after the move: where it began, its state, and the events and values it keeps."""
    rows, automaton = tables.runs.rows, tables.automaton
    running = has_running(tables.plan, conditions.program)
    component = automaton.moves[move, COMPONENT]
    if run == NONE:
        rows[new, START] = arrival.event
        rows[new, SINCE] = arrival.clock
        if running:
            clear_scalars(EVERY, rows[new], FIELDS, conditions.program.scalars)
    elif new != run:
        rows[new, START] = rows[run, START]
        rows[new, SINCE] = rows[run, SINCE]
        for field in range(FIELDS, rows.shape[1]):
            rows[new, field] = rows[run, field]
    rows[new, STATE] = automaton.moves[move, TARGET]
    rows[new, LAST_ORDER] = arrival.order
    if automaton.moves[move, TAKE] == 0 and automaton.registers[component, FIRST_EVENT] >= 0:
        rows[new, automaton.registers[component, FIRST_EVENT]] = arrival.event
    if automaton.registers[component, LAST_EVENT] >= 0:
        rows[new, automaton.registers[component, LAST_EVENT]] = arrival.event
    if running:
        add_to_scalars(component, arrival.event, rows[new], FIELDS, conditions.program, conditions.events)


@inlined
def enlist(new, key, runs):
    """A free row has become a run: it joins its partition when the event has been offered to all."""
    if new == runs.counts[UNTOUCHED]:
        runs.counts[FREE] = runs.counts[UNTOUCHED] = new + 1
    else:
        runs.counts[FREE] = runs.rows[new, NEXT]
    runs.counts[ALIVE] += 1
    runs.heads[key, RUNS] += 1
    runs.rows[new, NEXT] = runs.counts[BEGUN]
    runs.counts[BEGUN] = new

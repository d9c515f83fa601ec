"""Runs of the NFA^b with one shared match buffer (SASE+ sections 5.1 and 5.2).

A run is a state, the values that later conditions need, and a node of the buffer: its last event, linked to
the node before. Runs that split share their past. Runs that select the same event, reach the same state and
agree on all values still needed are merged (5.2.2): their nodes become alternatives of one another, which
takes the place of the paper's version numbers, because alternatives are equivalent from there on.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.absence import insert, remember
from sase.kernels.buffer import add_node, copied, join, trace
from sase.kernels.emission import emit, fire
from sase.kernels.fetch import fetch
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.layout import (
    BITS,
    CLOCK,
    EVER,
    FIELDS,
    FIRST,
    GROUP,
    KEY,
    NEXT,
    NODE,
    ORDER,
    PLACE,
    SINCE,
    START,
    STATE,
)
from sase.kernels.pending import is_due
from sase.kernels.program import ALL, add_to_scalars, clear_scalars, holds, holds_along
from sase.kernels.run_state import (
    ALIVE,
    CHECKS,
    CHECKS_END,
    COMPLETE,
    COMPONENT,
    COUNT,
    FINALS,
    FREE,
    HEAD,
    MOVES,
    MOVES_END,
    NEXT_MATCH,
    NODES,
    NOTHING,
    OUTPUT,
    PROCEED,
    REFUSED,
    ROWS,
    STRICT,
    TAKE,
    TARGET,
    WANTED,
    WANTS,
)
from sase.kernels.twins import find_twin, follow

CACHED = 4096  # partitions whose state is near the processor anyway
AHEAD = 8


@kernel
def advance(first, last, finals, now, R, B, A, Q, P, E, base, N, D, out, W, w):
    """Process events first..last-1, then let the clock reach `now`; `finals` is left of a call that stopped.

    Stops where there is too little room, for the caller to make some and call again. Returns the first event
    that is not done, its matches that are not written, what is lacking and how much of it.
    """
    return advance_on(first, last, finals, now, R, B, A, Q, P, E, base, N, D, out, W, w)


@part
def advance_on(first, last, finals, now, R, B, A, Q, P, E, base, N, D, out, W, w):
    negation = N.plan.shape[0] > 0
    scattered = R.heads.shape[0] > CACHED
    for e in range(first, last):
        row = e - base
        if scattered and e + 2 * AHEAD < last:
            look_ahead(row, R, B, E)
        key = E[row, KEY]
        if finals == 0:
            if negation:
                clock = E[row, CLOCK]
                if is_due(clock, D) and not fire(clock, e, R, A, Q, P, E, base, N, D, out, W, w):
                    return e, 0, OUTPUT, 0
                remember(row, key, N, E)
            need = (R.heads[key, COUNT] + 1) * A.moves.shape[0] + 1
            nodes = need if Q.share else need * W.path.shape[0]
            if R.table.shape[0] - R.rows[ALIVE] < need:
                return e, 0, ROWS, need
            if B.base[EVER] - B.base[FIRST] + nodes > B.nodes.shape[0]:
                return e, 0, NODES, nodes
            if W.final.size < need:
                return e, 0, FINALS, need
            finals = step(e, key, R, B, A, Q, P, E, base, out, W, w)
        if finals > 0:
            lacking = emit(e, key, finals, R, B, A, Q, P, E, base, N, D, out, W, w)
            if lacking != NOTHING:
                return e, finals, lacking, 0
            finals = 0
        if negation:
            insert(e, key, E[row, BITS], N)
    if is_due(now, D) and not fire(now, last, R, A, Q, P, E, base, N, D, out, W, w):
        return last, 0, OUTPUT, 0
    return last, 0, NOTHING, 0


@inlined
def look_ahead(row, R, B, E):
    """Fetch what events to come will read: their partition first, then its latest run and that run's node."""
    fetch(R.heads, E[row + 2 * AHEAD, KEY])
    r = R.heads[E[row + AHEAD, KEY], HEAD]
    if r >= 0:
        fetch(R.table, r)
    r = R.heads[E[row + AHEAD // 2, KEY], HEAD]
    if r >= 0:
        fetch(B.nodes, R.table[r, NODE] - B.base[FIRST])


@inlined
def step(e, key, R, B, A, Q, P, E, base, out, W, w):
    """Offer the event to every run of its partition and to the start state; returns the number of finals."""
    T = R.table
    row = e - base
    clock = E[row, CLOCK]
    bits = E[row, BITS]
    group = E[row, GROUP]
    barrier = R.barrier[group] if Q.once else np.int64(-1)
    grouped = Q.once or Q.strategy == STRICT
    follows = Q.strategy == NEXT_MATCH  # a run that selects the event is not there without it any more
    # Runs can only become alike if several select the event.
    merge = Q.merge and (R.heads[key, COUNT] > 1 or bits & A.states[0, WANTED] != 0)
    wants = np.int64(0)
    fresh = np.int64(-1)
    finals = 0
    before = np.int64(-1)
    r = R.heads[key, HEAD]
    if Q.strategy != STRICT and bits & R.heads[key, WANTS] == 0:
        r = np.int64(-1)  # no run here can use it
        wants = R.heads[key, WANTS]
    while True:
        starts = r < 0  # last of all, the start state
        follower = np.int64(-1)
        same = False
        stays = True
        state = np.int64(0)
        if not starts:
            follower = T[r, NEXT]
            state = T[r, STATE]
            stays = not Q.prune or clock - T[r, SINCE] < Q.window
            same = grouped and stays and E[T[r, START] - base, GROUP] == group
            broken = Q.strategy == STRICT and E[row, ORDER] != T[r, PLACE] + 1
            if same and (broken or T[r, START] <= barrier):
                stays = False
        if stays:
            own = np.int64(-1)  # the move that the run itself makes, when the others have made theirs from it
            first = A.states[state, MOVES]
            last = A.states[state, MOVES_END]
            for x in range(first, last + 1):
                m = np.int64(x) if x < last else own
                if m < 0:
                    break
                if x < last:
                    if bits >> (A.moves[m, COMPONENT] + Q.length * A.moves[m, TAKE]) & 1 == 0:
                        continue
                    if A.moves[m, CHECKS] < A.moves[m, CHECKS_END] and not all_hold(
                        A.moves[m, CHECKS], A.moves[m, CHECKS_END], e, r, T, B, Q, P, E, base, W, w
                    ):
                        continue
                    if follows and not starts and A.moves[m, PROCEED] == 0 and own < 0:
                        own = m
                        continue
                new = R.rows[FREE] if x < last else r
                fresh, alive, final = select(m, e, r, new, key, fresh, merge, R, B, A, Q, P, E, base, out, W)
                stays = stays and (x < last or alive)
                if final >= 0 and (
                    Q.accept == Q.accept_end
                    or all_hold(Q.accept, Q.accept_end, e, new, T, B, Q, P, E, base, W, w)
                ):
                    W.final[finals] = final
                    finals += 1
            if Q.strategy == STRICT:
                stays = not same
        if starts:
            break
        if stays:
            before = r
            wants |= A.states[T[r, STATE], WANTED]
        else:
            drop(r, before, key, R)
        r = follower
    while fresh >= 0:
        follower = T[fresh, NEXT]
        wants |= A.states[T[fresh, STATE], WANTED]
        T[fresh, NEXT] = R.heads[key, HEAD]
        R.heads[key, HEAD] = fresh
        fresh = follower
    R.heads[key, WANTS] = wants
    return finals


@inlined
def all_hold(first, last, e, r, T, B, Q, P, E, base, W, w):
    """Whether a range of checks holds for run r and event e."""
    if not Q.walks:
        for c in range(first, last):
            if not holds(c, e, T, max(r, 0), P, E, base, w):
                return False
        return True
    length = trace(T[r, NODE], B, W) if r >= 0 else 0
    for c in range(first, last):
        if not holds_along(c, e, T, max(r, 0), W.path, length, P, E, base, w):
            return False
    return True


@inlined
def select(m, e, r, new, key, fresh, merge, R, B, A, Q, P, E, base, out, W):
    """Run r selects e by move m and goes on in row `new`: the next free one, or its own.

    It becomes a run, or an alternative of an equivalent one, or a finished match. Returns the head of the new
    runs, whether there is a run in the row, and its node if it is complete.
    """
    T = R.table
    target = A.moves[m, TARGET]
    more = A.states[target, MOVES] < A.states[target, MOVES_END]
    if more and new != r and R.heads[key, COUNT] >= Q.limit:
        out.size[REFUSED] += 1
        return fresh, False, np.int64(-1)
    fill(new, m, e, r, T, A, P, E, base)
    past = np.int64(-1) if r < 0 else T[r, NODE]
    if not Q.share:
        past = copied(past, B)
    at = add_node(e << 8 | A.moves[m, COMPONENT], past, T[new, SINCE], B)
    T[new, NODE] = at
    if more and merge:
        twin = find_twin(new, e, Q.once or Q.strategy == STRICT, T, A, E, base, W)
        if twin >= 0:
            join(at, T[twin, NODE], B)
            if T[new, START] > T[twin, START]:
                follow(twin, new, T)
            return fresh, False, np.int64(-1)
    if more and new != r:
        R.rows[FREE] = T[new, NEXT]
        R.rows[ALIVE] += 1
        R.heads[key, COUNT] += 1
        T[new, NEXT] = fresh
        fresh = new
    return fresh, more, at if A.states[target, COMPLETE] == 1 else np.int64(-1)


@inlined
def fill(new, m, e, r, T, A, P, E, base):
    component = A.moves[m, COMPONENT]
    if r < 0:
        T[new, START] = e
        T[new, SINCE] = E[e - base, CLOCK]
        clear_scalars(ALL, T[new], FIELDS, P)
    elif new != r:
        T[new, START] = T[r, START]
        T[new, SINCE] = T[r, SINCE]
        for s in range(FIELDS, T.shape[1]):
            T[new, s] = T[r, s]
    T[new, STATE] = A.moves[m, TARGET]
    T[new, PLACE] = E[e - base, ORDER]
    if A.moves[m, TAKE] == 0 and A.registers[component, 0] >= 0:
        T[new, A.registers[component, 0]] = e
    if A.registers[component, 1] >= 0:
        T[new, A.registers[component, 1]] = e
    if P.scalars.shape[0] > 0:
        add_to_scalars(component, e, T[new], FIELDS, P, E, base)


@inlined
def drop(r, before, key, R):
    if before >= 0:
        R.table[before, NEXT] = R.table[r, NEXT]
    else:
        R.heads[key, HEAD] = R.table[r, NEXT]
    R.table[r, NEXT] = R.rows[FREE]
    R.rows[FREE] = r
    R.rows[ALIVE] -= 1
    R.heads[key, COUNT] -= 1


@kernel
def sweep(clock, R, Q):
    """Drop the expired runs of partitions that nobody visits any more."""
    for key in range(R.heads.shape[0]):
        before = np.int64(-1)
        r = R.heads[key, HEAD]
        while r >= 0:
            follower = R.table[r, NEXT]
            if clock - R.table[r, SINCE] < Q.window:
                before = r
            else:
                drop(r, before, key, R)
            r = follower

"""Runs of the NFA^b with one shared match buffer (SASE+ sections 5.1 and 5.2).

A run is a state, the values that later conditions need, and a node of the buffer: its last event, linked to
the node before. Runs that split share their past. Runs that select the same event, reach the same state and
agree on all values still needed are merged (5.2.2): their nodes become alternatives of one another, which
takes the place of the paper's version numbers, because alternatives are equivalent from there on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import insert, remember, ruled_out
from sase.kernels.jit import inlined, kernel, part, room
from sase.kernels.layout import (
    BITS,
    CLOCK,
    EVENT,
    EVER,
    FIELDS,
    FIRST,
    GROUP,
    KEY,
    NEXT,
    NODE,
    ORDER,
    OTHER,
    PART,
    PLACE,
    PREVIOUS,
    SINCE,
    START,
    STATE,
    YOUNGEST,
)
from sase.kernels.pending import has_room, take_due, wait, with_room
from sase.kernels.program import ALL, add_to_scalars, clear_scalars, holds, holds_along

STRICT, NEXT_MATCH, ANY_MATCH = range(3)  # may a run ignore an event: never, if it cannot be selected, always
NOTHING, OUTPUT, WAITING, ROWS, NODES, FINALS = range(6)  # what there may be too little of
COMPONENT, TAKE, TARGET, PROCEED, CHECKS, CHECKS_END = range(6)  # columns of `moves`
MOVES, MOVES_END, COMPLETE, LIVE, LIVE_END, WANTED = range(6)  # columns of `states`
FREE, ALIVE = range(2)  # of `rows`: first free row, runs alive
HEAD, COUNT, WANTS = range(
    3
)  # of `heads`: first run of a partition, how many, bits that some of them may want
MATCHES, USED, CUT, REFUSED = range(4)  # of an output's size
STAMP, RUN = range(2)  # of `table`


class RunPlan(NamedTuple):
    length: int
    window: int
    strategy: int
    accept: int  # checks from here to `accept_end` wait for the end of the match
    accept_end: int
    walks: bool
    prune: bool
    share: bool
    merge: bool
    trailing: bool
    once: bool
    compressed: bool
    limit: int  # partial matches per partition
    match_limit: int  # matches per event


class Automaton(NamedTuple):
    moves: NDArray[np.int64]
    states: NDArray[np.int64]
    live: NDArray[
        np.int64
    ]  # (n, 2): column of a register and of the attribute read from it, or of a running value and -1
    registers: NDArray[
        np.int64
    ]  # (component, 4): columns of its first and last event in a run, and in a finished match


class Runs(NamedTuple):
    table: NDArray[np.int64]
    heads: NDArray[np.int64]
    barrier: NDArray[np.int64]  # per group: the event up to which NON-OVERLAP has used everything up
    rows: NDArray[np.int64]


class Buffer(NamedTuple):
    nodes: NDArray[np.int64]
    base: NDArray[np.int64]


class Output(NamedTuple):
    path: NDArray[np.int64]  # event << 8 | component
    ends: NDArray[np.int64]
    size: NDArray[np.int64]  # [matches, used of path, matches cut off, partial matches cut off]


class Work(NamedTuple):
    path: NDArray[np.int64]  # (n, 2): event and component
    stack: NDArray[np.int64]  # nodes of the path being enumerated, last event first
    final: NDArray[np.int64]  # nodes that complete a match on the current event
    table: NDArray[np.int64]  # to find equivalent runs
    match: NDArray[np.int64]  # one row: registers of a finished match, for negation


@kernel
def advance(first, last, now, R, B, A, Q, P, E, base, N, D, out, W, w):
    """Process events first..last-1, then let the clock reach `now`. Returns what may have been replaced.

    Only this function makes room; `advance_on` stops where there is too little and goes on from there.
    """
    e, finals, lacking, need = advance_on(first, last, 0, R, B, A, Q, P, E, base, N, D, out, W, w)
    while lacking != NOTHING:
        if lacking == OUTPUT:
            out = grown(out)
        elif lacking == WAITING:
            D = with_room(D)
        elif lacking == ROWS:
            R = with_rows(R, need)
        elif lacking == NODES:
            B = Buffer(longer_table(B.nodes, 2 * B.nodes.shape[0] + need), B.base)
        else:
            W = Work(W.path, W.stack, np.empty(2 * need, np.int64), W.table, W.match)
        e, finals, lacking, need = advance_on(e, last, finals, R, B, A, Q, P, E, base, N, D, out, W, w)
    while not fire(now, last, R, A, Q, P, E, base, N, D, out, W, w):
        out = grown(out)
    return R, B, D, out, W


@part
def advance_on(first, last, finals, R, B, A, Q, P, E, base, N, D, out, W, w):
    """Process events; returns the first one not done, its unwritten matches, what is lacking and how much."""
    negation = N.plan.shape[0] > 0
    for e in range(first, last):
        row = e - base
        key = E[row, KEY]
        if finals == 0:
            if negation:
                if not fire(E[row, CLOCK], e, R, A, Q, P, E, base, N, D, out, W, w):
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
    return last, 0, NOTHING, 0


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
            selected = False
            for m in range(A.states[state, MOVES], A.states[state, MOVES_END]):
                if bits >> (A.moves[m, COMPONENT] + Q.length * A.moves[m, TAKE]) & 1 == 0:
                    continue
                if A.moves[m, CHECKS] < A.moves[m, CHECKS_END] and not all_hold(
                    A.moves[m, CHECKS], A.moves[m, CHECKS_END], e, r, T, B, Q, P, E, base, W, w
                ):
                    continue
                selected = selected or A.moves[m, PROCEED] == 0
                fresh, new, final = select(m, e, r, key, fresh, R, B, A, Q, P, E, base, out, W)
                if final >= 0 and (
                    Q.accept == Q.accept_end
                    or all_hold(Q.accept, Q.accept_end, e, new, T, B, Q, P, E, base, W, w)
                ):
                    W.final[finals] = final
                    finals += 1
            if Q.strategy == NEXT_MATCH:
                stays = not selected
            elif Q.strategy == STRICT:
                stays = not same
        if starts:
            break
        if stays:
            before = r
            wants |= A.states[state, WANTED]
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


@part
def trace(node, B, W):
    """The path of a run that is not merged, first event first."""
    length = 0
    at = node
    while at >= 0:
        length += 1
        at = B.nodes[at - B.base[FIRST], PREVIOUS]
    at = node
    for i in range(length - 1, -1, -1):
        W.path[i, 0] = B.nodes[at - B.base[FIRST], EVENT]
        W.path[i, 1] = B.nodes[at - B.base[FIRST], PART]
        at = B.nodes[at - B.base[FIRST], PREVIOUS]
    return length


@inlined
def select(m, e, r, key, fresh, R, B, A, Q, P, E, base, out, W):
    """Run r selects e by move m: a new run, or an alternative of an equivalent one, or a finished match.

    Returns the head of the new runs, the row that holds this one's values, and its node if it is complete.
    """
    T = R.table
    target = A.moves[m, TARGET]
    new = R.rows[FREE]
    more = A.states[target, MOVES] < A.states[target, MOVES_END]
    if more and R.heads[key, COUNT] >= Q.limit:
        out.size[REFUSED] += 1
        return fresh, new, np.int64(-1)
    fill(new, m, e, r, T, A, P, E, base)
    past = np.int64(-1) if r < 0 else T[r, NODE]
    if not Q.share:
        past = copied(past, B)
    at = add_node(e, A.moves[m, COMPONENT], past, T[new, SINCE], B)
    T[new, NODE] = at
    if more and Q.merge:
        twin = find_twin(new, e, Q.once or Q.strategy == STRICT, T, A, E, base, W)
        if twin >= 0:
            join(at, T[twin, NODE], B)
            if T[new, START] > T[twin, START]:
                follow(twin, new, T)
            return fresh, new, np.int64(-1)
    if more:
        R.rows[FREE] = T[new, NEXT]
        R.rows[ALIVE] += 1
        R.heads[key, COUNT] += 1
        T[new, NEXT] = fresh
        fresh = new
    return fresh, new, at if A.states[target, COMPLETE] == 1 else np.int64(-1)


@inlined
def follow(twin, new, T):
    """A merged run holds the youngest one's events: they are there as long as the run is."""
    T[twin, START] = T[new, START]
    T[twin, SINCE] = T[new, SINCE]
    for s in range(FIELDS, T.shape[1]):
        T[twin, s] = T[new, s]


@inlined
def fill(new, m, e, r, T, A, P, E, base):
    component = A.moves[m, COMPONENT]
    if r < 0:
        T[new, START] = e
        T[new, SINCE] = E[e - base, CLOCK]
        clear_scalars(ALL, T[new], FIELDS, P)
    else:
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
def add_node(e, component, previous, since, B):
    at = B.base[EVER]
    i = at - B.base[FIRST]
    B.nodes[i, EVENT] = e
    B.nodes[i, PREVIOUS] = previous
    B.nodes[i, PART] = component
    B.nodes[i, OTHER] = -1
    B.nodes[i, YOUNGEST] = since
    B.base[EVER] = at + 1
    return at


@inlined
def join(at, head, B):
    """Make a node an alternative of another."""
    i = head - B.base[FIRST]
    B.nodes[at - B.base[FIRST], OTHER] = B.nodes[i, OTHER]
    B.nodes[i, OTHER] = at
    B.nodes[i, YOUNGEST] = max(B.nodes[i, YOUNGEST], B.nodes[at - B.base[FIRST], YOUNGEST])


@part
def copied(node, B):
    """A copy of a run's whole past: what splitting costs without a shared buffer."""
    newest = np.int64(-1)
    above = np.int64(-1)
    while node >= B.base[FIRST]:
        old = node - B.base[FIRST]
        at = add_node(B.nodes[old, EVENT], B.nodes[old, PART], -1, B.nodes[old, YOUNGEST], B)
        B.nodes[at - B.base[FIRST], OTHER] = B.nodes[old, OTHER]
        if above >= 0:
            B.nodes[above - B.base[FIRST], PREVIOUS] = at
        else:
            newest = at
        above = at
        node = B.nodes[old, PREVIOUS]
    if node >= 0:  # what was cut off the front stays cut off
        B.nodes[above - B.base[FIRST], PREVIOUS] = node
    return newest


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


@inlined
def find_twin(new, e, grouped, T, A, E, base, W):
    """A run that selected e too and agrees on everything that matters from now on; -1 if there is none.

    Otherwise the new one is entered, to be found by others; where the table is crowded runs stay apart.
    """
    mask = W.table.shape[0] - 1
    h = fingerprint(new, T, A, E, base)
    for probe in range(8):
        slot = (h + probe) & mask
        if W.table[slot, STAMP] != e:
            W.table[slot, STAMP] = e
            W.table[slot, RUN] = new
            return np.int64(-1)
        if agree(new, W.table[slot, RUN], grouped, T, A, E, base):
            return W.table[slot, RUN]
    return np.int64(-1)


@inlined
def fingerprint(r, T, A, E, base):
    """A hash of the state and of all values that it still needs."""
    state = T[r, STATE]
    h = state + 1
    for x in range(A.states[state, LIVE], A.states[state, LIVE_END]):
        value = T[r, A.live[x, 0]]
        if A.live[x, 1] >= 0:
            value = E[value - base, A.live[x, 1]]
        h = (h ^ value) * np.int64(0x1E3779B97F4A7C15)
        h ^= h >> 29
    return h


@inlined
def agree(a, b, grouped, T, A, E, base):
    state = T[a, STATE]
    if T[b, STATE] != state or (grouped and E[T[a, START] - base, GROUP] != E[T[b, START] - base, GROUP]):
        return False
    for x in range(A.states[state, LIVE], A.states[state, LIVE_END]):
        i = T[a, A.live[x, 0]]
        j = T[b, A.live[x, 0]]
        column = A.live[x, 1]
        if column >= 0:
            if (
                E[i - base, column] != E[j - base, column]
                or E[i - base, column + 1] != E[j - base, column + 1]
            ):
                return False
        elif i != j:
            return False
    return True


@part
def emit(e, key, finals, R, B, A, Q, P, E, base, N, D, out, W, w):
    """Write out the matches that end on e, or let them wait. Returns 0, or what there is too little of."""
    if Q.compressed:
        return emit_nodes(e, finals, out, W)
    done, used = expand(e, key, finals, B, A, Q, P, E, base, N, out, W, w)
    if done < 0:
        return OUTPUT
    if Q.trailing:
        return postpone(done, used, Q, E, base, D, out)
    if Q.once and done > 0:
        used = keep_youngest(done, out)
        done = 1
        R.barrier[E[e - base, GROUP]] = e
    out.size[MATCHES] += done
    out.size[USED] += used
    return 0


@part
def postpone(done, used, Q, E, base, D, out):
    """Let the matches just written wait for their deadlines."""
    if not has_room(done, used, D):
        return WAITING
    start = out.size[USED]
    for i in range(done):
        end = out.ends[out.size[MATCHES] + i]
        for x in range(end - start):
            D.path[D.size[1] + x, 0] = out.path[start + x] >> 8
            D.path[D.size[1] + x, 1] = out.path[start + x] & 255
        wait(E[(out.path[start] >> 8) - base, CLOCK] + Q.window, end - start, D)
        start = end
    return 0


@part
def emit_nodes(e, finals, out, W):
    """COMPRESSED: the event and the nodes of the buffer in which its matches end."""
    if out.size[USED] + finals + 1 > out.path.size or out.size[MATCHES] + 1 > out.ends.size:
        return OUTPUT
    at = out.size[USED]
    out.path[at] = e
    for i in range(finals):
        out.path[at + 1 + i] = W.final[i]
    out.size[USED] = at + 1 + finals
    out.ends[out.size[MATCHES]] = out.size[USED]
    out.size[MATCHES] += 1
    return 0


@part
def expand(e, key, finals, B, A, Q, P, E, base, N, out, W, w):
    """Enumerate every path to the final nodes; (-1, 0) if the output is full. Changes no state."""
    clock = E[e - base, CLOCK]
    nodes = B.nodes
    front = B.base[FIRST]
    done = 0
    end = out.size[USED]
    for f in range(finals):
        depth = 0
        W.stack[0] = W.final[f]
        while depth >= 0:
            node = W.stack[depth]
            if node < 0:
                depth -= 1
                if depth >= 0:
                    W.stack[depth] = nodes[W.stack[depth] - front, OTHER]
                continue
            previous = nodes[node - front, PREVIOUS]
            if previous >= 0:
                depth += 1
                alive = previous >= front and clock - nodes[previous - front, YOUNGEST] < Q.window
                W.stack[depth] = previous if alive else -1
                continue
            if clock - nodes[node - front, YOUNGEST] < Q.window:  # of a first event, its own clock
                length = depth + 1
                if done == Q.match_limit:
                    out.size[CUT] += 1
                    return done, end - out.size[USED]
                if end + length > out.path.size or out.size[MATCHES] + done + 1 > out.ends.size:
                    return -1, 0
                for x in range(length):
                    at = W.stack[depth - x] - front
                    out.path[end + x] = nodes[at, EVENT] << 8 | nodes[at, PART]
                if N.plan.shape[0] == 0 or not denied(
                    False, key, end, length, A, Q, P, E, base, N, out, W, w
                ):
                    end += length
                    out.ends[out.size[MATCHES] + done] = end
                    done += 1
            W.stack[depth] = nodes[node - front, OTHER]
    return done, end - out.size[USED]


@part
def denied(trailing, key, at, length, A, Q, P, E, base, N, out, W, w):
    """Whether negation removes the match at `at` in the output; binds the registers that its checks read."""
    row = W.match[0]
    row[FIELDS:] = -1
    clear_scalars(ALL, row, FIELDS, P)
    for i in range(length):
        e = out.path[at + i] >> 8
        component = out.path[at + i] & 255
        W.path[i, 0] = e
        W.path[i, 1] = component
        first = A.registers[component, 2]
        if first >= 0 and row[first] < 0:
            row[first] = e
        if A.registers[component, 3] >= 0:
            row[A.registers[component, 3]] = e
        if P.scalars.shape[0] > 0:
            add_to_scalars(component, e, row, FIELDS, P, E, base)
    return ruled_out(trailing, key, W.path, length, W.match, N, P, E, base, w, Q.window)


@part
def keep_youngest(done, out):
    """Of the matches just written keep the one that started last; returns its length."""
    best = out.size[USED]
    best_end = out.ends[out.size[MATCHES]]
    start = out.size[USED]
    for i in range(done):
        end = out.ends[out.size[MATCHES] + i]
        if out.path[start] >> 8 > out.path[best] >> 8:
            best, best_end = start, end
        start = end
    length = best_end - best
    for x in range(length):
        out.path[out.size[USED] + x] = out.path[best + x]
    out.ends[out.size[MATCHES]] = out.size[USED] + length
    return length


@part
def fire(clock, e, R, A, Q, P, E, base, N, D, out, W, w):
    """Emit what has reached its deadline by `clock` unless negation removes it; False if there is no room."""
    while D.size[0] > 0 and D.heap[0, 0] <= clock:
        length = D.heap[0, 3]
        if out.size[USED] + length > out.path.size or out.size[MATCHES] + 1 > out.ends.size:
            return False
        start, length = take_due(D)
        row = D.path[start, 0] - base
        if Q.once and D.path[start, 0] <= R.barrier[E[row, GROUP]]:
            continue
        at = out.size[USED]
        for i in range(length):
            out.path[at + i] = D.path[start + i, 0] << 8 | D.path[start + i, 1]
        if denied(True, E[row, KEY], at, length, A, Q, P, E, base, N, out, W, w):
            continue
        out.size[USED] = at + length
        out.ends[out.size[MATCHES]] = at + length
        out.size[MATCHES] += 1
        if Q.once:
            R.barrier[E[row, GROUP]] = e - 1
    return True


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


@room
def longer(a, size):
    b = np.empty(size, np.int64)
    b[: a.size] = a
    return b


@room
def longer_table(a, rows):
    b = np.empty((rows, a.shape[1]), np.int64)
    b[: a.shape[0]] = a
    return b


@room
def with_rows(R, need):
    """Room for so many more runs."""
    old = R.table.shape[0]
    size = 2 * old + need
    table = longer_table(R.table, size)
    for i in range(old, size):
        table[i, NEXT] = i + 1
    table[size - 1, NEXT] = R.rows[FREE]
    R.rows[FREE] = old
    return Runs(table, R.heads, R.barrier, R.rows)


@room
def grown(out):
    return Output(longer(out.path, 2 * out.path.size), longer(out.ends, 2 * out.ends.size), out.size)

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
from sase.kernels.jit import kernel
from sase.kernels.pending import has_room, take_due, wait, with_room
from sase.kernels.program import ALL, Scalars, add_to_scalars, clear_scalars, holds_along

STRICT, NEXT, ANY = range(3)  # what a run does with an event: never, if it must, always ignore it
OUTPUT, WAITING = 1, 2  # what `emit` may lack
COMPONENT, TAKE, TARGET, PROCEED, CHECKS, CHECKS_END = range(6)


class RunPlan(NamedTuple):
    length: int
    window: int
    strategy: int
    moves: NDArray[np.int32]  # (move, 6)
    states: NDArray[np.int32]  # (state, 3): range in `moves`, 1 if complete
    checks: NDArray[np.int32]
    accept: int  # from here on in `checks`: what waits for the end of the match
    first: NDArray[np.int32]  # per component: register of its first event, -1 if nobody reads it
    last: NDArray[np.int32]
    live: NDArray[np.int32]  # (n, 2): register and attribute; ranges per state in `live_range`
    live_scalars: NDArray[np.int32]
    live_range: NDArray[np.int32]  # (state, 4): range in `live`, range in `live_scalars`
    negative_first: NDArray[np.int32]  # registers of the programs of negative components
    negative_last: NDArray[np.int32]
    walks: bool
    prune: bool
    share: bool
    merge: bool
    trailing: bool
    once: bool
    compressed: bool
    limit: int  # partial matches per partition
    match_limit: int  # matches per event


class Runs(NamedTuple):
    state: NDArray[np.int64]
    node: NDArray[np.int64]
    start: NDArray[np.int64]  # first event; of merged runs the youngest one's
    order: NDArray[np.int64]  # place of the last selected event, for contiguity
    next: NDArray[np.int64]  # in its partition, or in the list of free rows
    register: NDArray[np.int64]  # (run, slot): events
    scalars: Scalars
    heads: NDArray[np.int64]  # per partition
    count: NDArray[np.int64]  # per partition
    barrier: NDArray[np.int64]  # per group
    free: NDArray[np.int64]  # [first free row, runs alive]


class Buffer(NamedTuple):
    event: NDArray[np.int64]
    part: NDArray[np.int64]
    previous: NDArray[np.int64]  # -1: the match begins here
    other: NDArray[np.int64]  # an alternative: same event, same future, another past; -1 if none
    start: NDArray[np.int64]  # the youngest first event among all pasts
    base: NDArray[np.int64]  # [first node still there, number of nodes ever]


class Output(NamedTuple):
    path: NDArray[np.int64]
    parts: NDArray[np.int8]
    ends: NDArray[np.int64]
    size: NDArray[np.int64]  # [matches, used of path, matches cut off, partial matches cut off]


class Work(NamedTuple):
    path: NDArray[np.int64]
    parts: NDArray[np.int64]
    stack: NDArray[np.int64]  # nodes of the path being enumerated, last event first
    final: NDArray[np.int64]  # nodes that complete a match on the current event
    table: NDArray[np.int64]  # (hash, 2): stamp and run, to find equivalent runs
    register: NDArray[np.int64]  # one row: registers of a finished match, for negation
    scalars: Scalars


@kernel
def advance(first, last, now, R, B, Q, P, E, base, N, X, D, out, W, w):
    """Process events first..last-1, then let the clock reach `now`. Returns what may have been replaced.

    Only this function makes room; the ones it calls find enough or say that there was none.
    """
    for e in range(first, last):
        row = e - base
        key = E.key[row]
        while not fire(E.clock[row], e, R, Q, P, E, base, N, X, D, out, W, w):
            out = grown(out)
        remember(row, key, N, X)
        need = (R.count[key] + 1) * Q.moves.shape[0] + 1
        if R.state.size - R.free[1] < need:
            R = with_rows(R, need)
        if B.base[1] - B.base[0] + need * (1 if Q.share else len(W.path)) > B.event.size:
            B = with_nodes(B, need * (1 if Q.share else len(W.path)))
        if W.final.size < need:
            W = Work(W.path, W.parts, W.stack, np.empty(2 * need, np.int64), W.table, W.register, W.scalars)
        finals = step(e, key, R, B, Q, P, E, base, out, W, w)
        if finals > 0:
            lacking = emit(e, key, finals, R, B, Q, P, E, base, N, X, D, out, W, w)
            while lacking > 0:
                if lacking == OUTPUT:
                    out = grown(out)
                else:
                    D = with_room(D)
                lacking = emit(e, key, finals, R, B, Q, P, E, base, N, X, D, out, W, w)
        insert(e, key, E.bits[row], N, X)
    while not fire(now, last, R, Q, P, E, base, N, X, D, out, W, w):
        out = grown(out)
    return R, B, D, out, W


@kernel
def step(e, key, R, B, Q, P, E, base, out, W, w):
    """Offer the event to every run of its partition and to the start state; returns the number of finals."""
    row = e - base
    clock = E.clock[row]
    bits = E.bits[row]
    group = E.group[row]
    barrier = R.barrier[group] if Q.once else np.int64(-1)
    fresh = np.int64(-1)
    finals = 0
    before = np.int64(-1)
    r = R.heads[key]
    while True:
        starts = r < 0  # last of all, the start state
        follower = np.int64(-1) if starts else R.next[r]
        stays = starts or recent(R.start[r], clock, Q, E, base)
        same = not starts and stays and E.group[R.start[r] - base] == group
        stays = stays and not (same and R.start[r] <= barrier)
        if stays and Q.strategy == STRICT and same and E.order[row] != R.order[r] + 1:
            stays = False
        elif stays:
            selected = False
            state = 0 if starts else R.state[r]
            for m in range(Q.states[state, 0], Q.states[state, 1]):
                if bits >> (Q.moves[m, COMPONENT] + Q.length * Q.moves[m, TAKE]) & 1 == 0:
                    continue
                if not all_hold(Q.moves[m, CHECKS], Q.moves[m, CHECKS_END], e, r, R, B, Q, P, E, base, W, w):
                    continue
                selected = selected or Q.moves[m, PROCEED] == 0
                fresh, new, final = select(m, e, r, key, fresh, R, B, Q, P, E, base, out, W)
                if final >= 0 and all_hold(Q.accept, Q.checks.size, e, new, R, B, Q, P, E, base, W, w):
                    W.final[finals] = final
                    finals += 1
            if Q.strategy == NEXT:
                stays = not selected
            elif Q.strategy == STRICT:
                stays = not same
        if starts:
            break
        if stays:
            before = r
        else:
            drop(r, before, key, R)
        r = follower
    while fresh >= 0:
        follower = R.next[fresh]
        R.next[fresh] = R.heads[key]
        R.heads[key] = fresh
        fresh = follower
    return finals


@kernel
def recent(start, clock, Q, E, base):
    """Whether a match that began with this event may still go on; without pruning the end decides."""
    return not Q.prune or within(start, clock, Q, E, base)


@kernel
def within(start, clock, Q, E, base):
    """Whether the event is still there and inside the window."""
    return start >= base and clock - E.clock[start - base] < Q.window


@kernel
def all_hold(first, last, e, r, R, B, Q, P, E, base, W, w):
    """Whether a range of conditions holds for run r and event e."""
    if first == last:
        return True
    length = trace(R.node[r], B, W) if Q.walks and r >= 0 else 0
    for c in range(first, last):
        if not holds_along(
            Q.checks[c], e, R.register, max(r, 0), R.scalars, W.path, W.parts, length, w, P, E, base
        ):
            return False
    return True


@kernel
def trace(node, B, W):
    """The path of a run that is not merged, first event first."""
    length = 0
    at = node
    while at >= 0:
        length += 1
        at = B.previous[at - B.base[0]]
    at = node
    for i in range(length - 1, -1, -1):
        W.path[i] = B.event[at - B.base[0]]
        W.parts[i] = B.part[at - B.base[0]]
        at = B.previous[at - B.base[0]]
    return length


@kernel
def select(m, e, r, key, fresh, R, B, Q, P, E, base, out, W):
    """Run r selects e by move m: a new run, or an alternative of an equivalent one, or a finished match.

    Returns the head of the new runs, the row that holds this one's values, and its node if it is complete.
    """
    target = Q.moves[m, TARGET]
    new = R.free[0]
    more = Q.states[target, 0] < Q.states[target, 1]
    if more and R.count[key] >= Q.limit:
        out.size[3] += 1
        return fresh, new, np.int64(-1)
    fill(new, m, e, r, R, Q, P, E, base)
    past = np.int64(-1) if r < 0 else R.node[r]
    if not Q.share:
        past = copied(past, B)
    at = add_node(e, Q.moves[m, COMPONENT], past, R.start[new], B)
    R.node[new] = at
    if more and Q.merge:
        twin = find_twin(new, e, R, Q, E, base, W)
        if twin >= 0:
            join(at, R.node[twin], B)
            if R.start[new] > R.start[twin]:
                follow(twin, new, R)
            return fresh, new, np.int64(-1)
    if more:
        R.free[0] = R.next[new]
        R.free[1] += 1
        R.count[key] += 1
        R.next[new] = fresh
        fresh = new
        if Q.merge:
            enter(new, e, R, Q, E, base, W)
    return fresh, new, at if Q.states[target, 2] == 1 else np.int64(-1)


@kernel
def follow(twin, new, R):
    """A merged run holds the youngest one's events: they are there as long as the run is."""
    R.start[twin] = R.start[new]
    for s in range(R.register.shape[1]):
        R.register[twin, s] = R.register[new, s]


@kernel
def fill(new, m, e, r, R, Q, P, E, base):
    component = Q.moves[m, COMPONENT]
    R.state[new] = Q.moves[m, TARGET]
    R.order[new] = E.order[e - base]
    R.start[new] = e if r < 0 else R.start[r]
    for s in range(R.register.shape[1]):
        R.register[new, s] = -1 if r < 0 else R.register[r, s]
    if r < 0:
        clear_scalars(ALL, R.scalars, new, P)
    else:
        for s in range(P.scalars.shape[0]):
            R.scalars.kind[new, s] = R.scalars.kind[r, s]
            R.scalars.value[new, s] = R.scalars.value[r, s]
    if Q.moves[m, TAKE] == 0 and Q.first[component] >= 0:
        R.register[new, Q.first[component]] = e
    if Q.last[component] >= 0:
        R.register[new, Q.last[component]] = e
    if P.scalars.shape[0] > 0:
        add_to_scalars(component, e, R.scalars, new, P, E, base)


@kernel
def add_node(e, part, previous, start, B):
    at = B.base[1]
    i = at - B.base[0]
    B.event[i] = e
    B.part[i] = part
    B.previous[i] = previous
    B.other[i] = -1
    B.start[i] = start
    B.base[1] = at + 1
    return at


@kernel
def join(at, head, B):
    """Make a node an alternative of another."""
    i = head - B.base[0]
    B.other[at - B.base[0]] = B.other[i]
    B.other[i] = at
    B.start[i] = max(B.start[i], B.start[at - B.base[0]])


@kernel
def copied(node, B):
    """A copy of a run's whole past: what splitting costs without a shared buffer."""
    newest = np.int64(-1)
    above = np.int64(-1)
    while node >= 0:
        old = node - B.base[0]
        at = add_node(B.event[old], B.part[old], -1, B.start[old], B)
        B.other[at - B.base[0]] = B.other[old]
        if above >= 0:
            B.previous[above - B.base[0]] = at
        else:
            newest = at
        above = at
        node = B.previous[old]
        if 0 <= node < B.base[0]:
            node = np.int64(-1)
            B.previous[at - B.base[0]] = 0
    return newest


@kernel
def drop(r, before, key, R):
    if before >= 0:
        R.next[before] = R.next[r]
    else:
        R.heads[key] = R.next[r]
    R.next[r] = R.free[0]
    R.free[0] = r
    R.free[1] -= 1
    R.count[key] -= 1


@kernel
def fingerprint(r, R, Q, E, base):
    """A hash of the state and of all values that it still needs."""
    state = R.state[r]
    h = np.uint64(state + 1)
    for x in range(Q.live_range[state, 0], Q.live_range[state, 1]):
        row = R.register[r, Q.live[x, 0]] - base
        h = mixed(h, E.value[row, Q.live[x, 1]] + E.kind[row, Q.live[x, 1]])
    for x in range(Q.live_range[state, 2], Q.live_range[state, 3]):
        slot = Q.live_scalars[x]
        h = mixed(h, R.scalars.value[r, slot] + R.scalars.kind[r, slot])
    return h


@kernel
def mixed(h, value):
    h = (h ^ np.uint64(value)) * np.uint64(0x9E3779B97F4A7C15)
    return h ^ (h >> np.uint64(29))


@kernel
def find_twin(new, e, R, Q, E, base, W):
    """A run that selected e too and agrees on everything that matters from now on; -1 if there is none."""
    mask = np.uint64(W.table.shape[0] - 1)
    h = fingerprint(new, R, Q, E, base)
    for probe in range(8):
        slot = np.int64((h + np.uint64(probe)) & mask)
        if W.table[slot, 0] != e:
            return np.int64(-1)
        if agree(new, W.table[slot, 1], R, Q, E, base):
            return W.table[slot, 1]
    return np.int64(-1)


@kernel
def enter(new, e, R, Q, E, base, W):
    """Let later runs of this event find the new one; where the table is crowded they stay apart."""
    mask = np.uint64(W.table.shape[0] - 1)
    h = fingerprint(new, R, Q, E, base)
    for probe in range(8):
        slot = np.int64((h + np.uint64(probe)) & mask)
        if W.table[slot, 0] != e:
            W.table[slot, 0] = e
            W.table[slot, 1] = new
            return


@kernel
def agree(a, b, R, Q, E, base):
    state = R.state[a]
    if R.state[b] != state or E.group[R.start[a] - base] != E.group[R.start[b] - base]:
        return False
    for x in range(Q.live_range[state, 0], Q.live_range[state, 1]):
        i = R.register[a, Q.live[x, 0]] - base
        j = R.register[b, Q.live[x, 0]] - base
        attribute = Q.live[x, 1]
        if E.kind[i, attribute] != E.kind[j, attribute] or E.value[i, attribute] != E.value[j, attribute]:
            return False
    for x in range(Q.live_range[state, 2], Q.live_range[state, 3]):
        slot = Q.live_scalars[x]
        if R.scalars.kind[a, slot] != R.scalars.kind[b, slot]:
            return False
        if R.scalars.value[a, slot] != R.scalars.value[b, slot]:
            return False
    return True


@kernel
def emit(e, key, finals, R, B, Q, P, E, base, N, X, D, out, W, w):
    """Write out the matches that end on e, or let them wait. Returns 0, or what there is too little of."""
    if Q.compressed:
        return emit_nodes(e, finals, out, W)
    done, used = expand(e, key, finals, B, Q, P, E, base, N, X, out, W, w)
    if done < 0:
        return OUTPUT
    if Q.trailing:
        return postpone(done, Q, E, base, D, out)
    if Q.once and done > 0:
        used = keep_youngest(done, out)
        done = 1
        R.barrier[E.group[e - base]] = e
    out.size[0] += done
    out.size[1] += used
    return 0


@kernel
def postpone(done, Q, E, base, D, out):
    """Let the matches just written wait for their deadlines."""
    start = out.size[1]
    end = out.ends[out.size[0] + done - 1] if done > 0 else start
    if not has_room(done, end - start, D):
        return WAITING
    for i in range(done):
        end = out.ends[out.size[0] + i]
        deadline = E.clock[out.path[start] - base] + Q.window
        wait(deadline, out.path[start:end], out.parts[start:end], end - start, D)
        start = end
    return 0


@kernel
def emit_nodes(e, finals, out, W):
    """COMPRESSED: the event and the nodes of the buffer in which its matches end."""
    if out.size[1] + finals + 1 > out.path.size or out.size[0] + 1 > out.ends.size:
        return OUTPUT
    at = out.size[1]
    out.path[at] = e
    for i in range(finals):
        out.path[at + 1 + i] = W.final[i]
    out.size[1] = at + 1 + finals
    out.ends[out.size[0]] = out.size[1]
    out.size[0] += 1
    return 0


@kernel
def expand(e, key, finals, B, Q, P, E, base, N, X, out, W, w):
    """Enumerate every path to the final nodes; (-1, 0) if the output is full. Changes no state."""
    clock = E.clock[e - base]
    done = 0
    end = out.size[1]
    for f in range(finals):
        depth = 0
        W.stack[0] = W.final[f]
        while depth >= 0:
            node = W.stack[depth]
            if node < 0:
                depth -= 1
                if depth >= 0:
                    W.stack[depth] = B.other[W.stack[depth] - B.base[0]]
                continue
            i = node - B.base[0]
            previous = B.previous[i]
            if previous >= 0:
                depth += 1
                alive = previous >= B.base[0]
                if alive:
                    alive = within(B.start[previous - B.base[0]], clock, Q, E, base)
                W.stack[depth] = previous if alive else -1
                continue
            if within(B.event[i], clock, Q, E, base):
                length = depth + 1
                if done == Q.match_limit:
                    out.size[2] += 1
                    return done, end - out.size[1]
                if end + length > out.path.size or out.size[0] + done + 1 > out.ends.size:
                    return -1, 0
                for x in range(length):
                    at = W.stack[depth - x] - B.base[0]
                    out.path[end + x] = B.event[at]
                    out.parts[end + x] = B.part[at]
                if N.low.size == 0 or not denied(False, key, end, length, Q, P, E, base, N, X, out, W, w):
                    end += length
                    out.ends[out.size[0] + done] = end
                    done += 1
            W.stack[depth] = B.other[i]
    return done, end - out.size[1]


@kernel
def denied(trailing, key, at, length, Q, P, E, base, N, X, out, W, w):
    """Whether negation removes the match at `at` in the output; binds the registers that its programs read."""
    clear_scalars(ALL, W.scalars, 0, P)
    for s in range(W.register.shape[1]):
        W.register[0, s] = -1
    for i in range(length):
        e = out.path[at + i]
        component = out.parts[at + i]
        W.path[i] = e
        W.parts[i] = component
        first = Q.negative_first[component]
        if first >= 0 and W.register[0, first] < 0:
            W.register[0, first] = e
        if Q.negative_last[component] >= 0:
            W.register[0, Q.negative_last[component]] = e
        if P.scalars.shape[0] > 0:
            add_to_scalars(component, e, W.scalars, 0, P, E, base)
    return ruled_out(
        trailing, key, W.path, W.parts, length, W.register, W.scalars, w, P, E, base, N, X, Q.window
    )


@kernel
def keep_youngest(done, out):
    """Of the matches just written keep the one that started last; returns its length."""
    best = out.size[1]
    best_end = out.ends[out.size[0]]
    start = out.size[1]
    for i in range(done):
        end = out.ends[out.size[0] + i]
        if out.path[start] > out.path[best]:
            best, best_end = start, end
        start = end
    length = best_end - best
    for x in range(length):
        out.path[out.size[1] + x] = out.path[best + x]
        out.parts[out.size[1] + x] = out.parts[best + x]
    out.ends[out.size[0]] = out.size[1] + length
    return length


@kernel
def fire(clock, e, R, Q, P, E, base, N, X, D, out, W, w):
    """Emit what has reached its deadline by `clock` unless negation removes it; False if there is no room."""
    while D.size[0] > 0 and D.heap[0, 0] <= clock:
        length = D.heap[0, 3]
        if out.size[1] + length > out.path.size or out.size[0] + 1 > out.ends.size:
            return False
        start, length = take_due(D)
        row = D.path[start] - base
        if Q.once and D.path[start] <= R.barrier[E.group[row]]:
            continue
        at = out.size[1]
        for i in range(length):
            out.path[at + i] = D.path[start + i]
            out.parts[at + i] = D.parts[start + i]
        if denied(True, E.key[row], at, length, Q, P, E, base, N, X, out, W, w):
            continue
        out.size[1] = at + length
        out.ends[out.size[0]] = at + length
        out.size[0] += 1
        if Q.once:
            R.barrier[E.group[row]] = e - 1
    return True


@kernel
def sweep(clock, R, Q, E, base):
    """Drop the expired runs of partitions that nobody visits any more."""
    for key in range(R.heads.size):
        before = np.int64(-1)
        r = R.heads[key]
        while r >= 0:
            follower = R.next[r]
            if not within(R.start[r], clock, Q, E, base):
                drop(r, before, key, R)
            else:
                before = r
            r = follower


@kernel
def longer(a, size):
    b = np.empty(size, a.dtype)
    b[: a.size] = a
    return b


@kernel
def longer_table(a, rows):
    b = np.empty((rows, a.shape[1]), a.dtype)
    b[: a.shape[0]] = a
    return b


@kernel
def with_rows(R, need):
    """Room for so many more runs."""
    old = R.state.size
    size = 2 * old + need
    follower = longer(R.next, size)
    for i in range(old, size):
        follower[i] = i + 1
    follower[size - 1] = R.free[0]
    R.free[0] = old
    value = longer_table(R.scalars.value, size)
    return Runs(
        longer(R.state, size),
        longer(R.node, size),
        longer(R.start, size),
        longer(R.order, size),
        follower,
        longer_table(R.register, size),
        Scalars(longer_table(R.scalars.kind, size), value, value.view(np.float64)),
        R.heads,
        R.count,
        R.barrier,
        R.free,
    )


@kernel
def with_nodes(B, need):
    """Room for so many more nodes."""
    size = 2 * B.event.size + need
    return Buffer(
        longer(B.event, size),
        longer(B.part, size),
        longer(B.previous, size),
        longer(B.other, size),
        longer(B.start, size),
        B.base,
    )


@kernel
def grown(out):
    return Output(
        longer(out.path, 2 * out.path.size),
        longer(out.parts, 2 * out.parts.size),
        longer(out.ends, 2 * out.ends.size),
        out.size,
    )

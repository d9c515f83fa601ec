"""Sequence scan and construction over active instance stacks (SASE section 4.1 and 4.2).

An event that can be component j is pushed onto stack j of its partition with a pointer to what was then the
top of stack j-1; nothing else happens until an event of the last component comes. Then the matches that end
on it are built by walking the pointers back, newest first, and stopping at the window's edge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.absence import insert, remember, ruled_out
from sase.kernels.jit import kernel
from sase.kernels.pending import take_due, wait, with_room
from sase.kernels.program import holds


class Stacks(NamedTuple):
    """Instances of all stacks in the order in which they came; stacks are chains through them."""

    event: NDArray[np.int64]
    previous: NDArray[np.int64]  # the instance below in the same stack
    pointer: NDArray[np.int64]  # the top of the stack before it, when it came
    heads: NDArray[np.int64]  # (partition, component): the top instance
    barrier: NDArray[np.int64]  # per group: the event up to which NON-OVERLAP has used everything up
    base: NDArray[np.int64]  # [first instance still there, number of instances ever]


class StackPlan(NamedTuple):
    length: int
    window: int
    joins: NDArray[np.int32]  # (component, 2): range in `checks` of what to test once it is bound
    checks: NDArray[np.int32]
    pointers: bool  # follow instance pointers; otherwise search every stack from its top
    prune: bool  # stop at the window's edge; otherwise test the window at the end
    trailing: bool
    once: bool  # NON-OVERLAP
    limit: int  # matches per event


class Output(NamedTuple):
    """Matches found: `path` are their events one after the other."""

    path: NDArray[np.int64]
    size: NDArray[np.int64]  # [matches, used of path, matches cut off by the limit]


@kernel
def scan(first, last, now, S, Q, P, E, base, N, X, D, O, w, scalars):
    """Process events first..last-1, then let the clock reach `now`. Returns what may have been replaced."""
    n = Q.length
    bound = np.zeros((1, n), np.int64)
    parts = np.arange(n)
    cursor = np.zeros(n, np.int64)
    for e in range(first, last):
        row = e - base
        clock = E.clock[row]
        if D.size[0] > 0 and D.heap[0, 0] <= clock:
            O = fire(clock, e, S, Q, P, E, base, N, X, D, O, bound, scalars, w)
        key = E.key[row]
        bits = E.bits[row]
        remember(row, key, N, X)
        if bits >> (n - 1) & 1:
            if Q.trailing:
                D, O = construct_pending(e, S, Q, P, E, base, N, X, D, O, bound, parts, cursor, scalars, w)
            else:
                O = construct_now(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w)
        push(e, clock, key, bits, S, Q, E, base)
        insert(e, key, bits, N, X)
    if D.size[0] > 0 and D.heap[0, 0] <= now:
        O = fire(now, last, S, Q, P, E, base, N, X, D, O, bound, scalars, w)
    return D, O


@kernel
def push(e, clock, key, bits, S, Q, E, base):
    """Add the event to every stack it fits, last stack first so that it never precedes itself."""
    for j in range(Q.length - 2, -1, -1):
        if not bits >> j & 1:
            continue
        below = np.int64(-1)
        if j > 0:
            below = S.heads[key, j - 1]
            if below < S.base[0]:
                continue
            if Q.prune and clock - E.clock[S.event[below - S.base[0]] - base] >= Q.window:
                continue
        at = S.base[1]
        i = at - S.base[0]
        S.event[i] = e
        S.previous[i] = S.heads[key, j]
        S.pointer[i] = below
        S.heads[key, j] = at
        S.base[1] = at + 1


@kernel
def construct_now(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w):
    """All matches that end on e, written to the output; under NON-OVERLAP the one that started last."""
    done = construct(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w)
    while done < 0:
        O = grown(O)
        done = construct(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w)
    if Q.once and done > 0:
        keep_youngest(done, O, Q.length)
        S.barrier[E.group[e - base]] = e
        done = 1
    O.size[0] += done
    O.size[1] += done * Q.length
    return O


@kernel
def keep_youngest(done, O, n):
    at = O.size[1]
    best = at
    for i in range(1, done):
        if O.path[at + i * n] > O.path[best]:
            best = at + i * n
    for j in range(n):
        O.path[at + j] = O.path[best + j]


@kernel
def construct(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w):
    """Depth first from the last component to the first; -1 if the output is full. Changes no state."""
    n = Q.length
    key = E.key[e - base]
    clock = E.clock[e - base]
    barrier = S.barrier[E.group[e - base]] if Q.once else np.int64(-1)
    if e <= barrier:
        return 0
    found = 0
    out = O.size[1]
    bound[0, n - 1] = e
    if not joins_hold(n - 1, Q, P, E, base, bound, scalars, w):
        return 0
    j = n - 2
    if j >= 0:
        cursor[j] = S.heads[key, j]
    else:
        j = -1
    while j < n - 1:
        if j < 0:
            if (Q.prune or clock - E.clock[bound[0, 0] - base] < Q.window) and not ruled_out(
                False, key, bound[0], parts, n, bound, scalars, w, P, E, base, N, X, Q.window
            ):
                if found == Q.limit:
                    O.size[2] += 1
                    return found
                if out + n > O.path.size:
                    return -1
                for x in range(n):
                    O.path[out + x] = bound[0, x]
                out += n
                found += 1
            j = 0
            if n == 1:
                return found
            continue
        at = cursor[j]
        if at < S.base[0]:
            j += 1
            continue
        i = at - S.base[0]
        x = S.event[i]
        if x <= barrier or (Q.prune and clock - E.clock[x - base] >= Q.window):
            j += 1
            continue
        cursor[j] = S.previous[i]
        if x >= bound[0, j + 1]:
            continue
        bound[0, j] = x
        if not joins_hold(j, Q, P, E, base, bound, scalars, w):
            continue
        j -= 1
        if j >= 0:
            cursor[j] = S.pointer[i] if Q.pointers else S.heads[key, j]
    return found


@kernel
def joins_hold(j, Q, P, E, base, bound, scalars, w):
    for c in range(Q.joins[j, 0], Q.joins[j, 1]):
        if not holds(Q.checks[c], bound[0, j], bound, 0, scalars, w, P, E, base):
            return False
    return True


@kernel
def construct_pending(e, S, Q, P, E, base, N, X, D, O, bound, parts, cursor, scalars, w):
    """Build the matches in the free part of the output, then let them wait for their deadline."""
    done = construct(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w)
    while done < 0:
        O = grown(O)
        done = construct(e, S, Q, P, E, base, N, X, O, bound, parts, cursor, scalars, w)
    for i in range(done):
        D = with_room(D, Q.length)
        path = O.path[O.size[1] + i * Q.length : O.size[1] + (i + 1) * Q.length]
        wait(E.clock[path[0] - base] + Q.window, path, parts, Q.length, D)
    return D, O


@kernel
def fire(clock, e, S, Q, P, E, base, N, X, D, O, bound, scalars, w):
    """Emit what has reached its deadline by `clock` unless a negative event stands against it."""
    n = Q.length
    while D.size[0] > 0 and D.heap[0, 0] <= clock:
        start, _ = take_due(D)
        path = D.path[start : start + n]
        parts = D.parts[start : start + n]
        row = path[0] - base
        if Q.once and path[0] <= S.barrier[E.group[row]]:
            continue
        for i in range(n):
            bound[0, i] = path[i]
        if ruled_out(True, E.key[row], path, parts, n, bound, scalars, w, P, E, base, N, X, Q.window):
            continue
        if O.size[1] + n > O.path.size:
            O = grown(O)
        O.path[O.size[1] : O.size[1] + n] = path
        O.size[0] += 1
        O.size[1] += n
        if Q.once:
            S.barrier[E.group[row]] = e - 1
    return O


@kernel
def grown(O):
    path = np.empty(2 * O.path.size, np.int64)
    path[: O.size[1]] = O.path[: O.size[1]]
    return Output(path, O.size)

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
from sase.kernels.pending import has_room, take_due, wait, with_room
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
def scan(first, last, now, S, Q, P, E, base, N, X, D, out, w, scalars):
    """Process events first..last-1, then let the clock reach `now`. Returns what may have been replaced.

    Only this function makes room; the ones it calls find enough or say that there was none.
    """
    n = Q.length
    bound = np.zeros((1, n), np.int64)
    parts = np.arange(n)
    cursor = np.zeros(n, np.int64)
    for e in range(first, last):
        row = e - base
        clock = E.clock[row]
        while not fire(clock, e, S, Q, P, E, base, N, X, D, out, bound, parts, scalars, w):
            out = grown(out)
        key = E.key[row]
        bits = E.bits[row]
        remember(row, key, N, X)
        if bits >> (n - 1) & 1:
            done = construct(e, S, Q, P, E, base, N, X, out, bound, parts, cursor, scalars, w)
            while done < 0:
                out = grown(out)
                done = construct(e, S, Q, P, E, base, N, X, out, bound, parts, cursor, scalars, w)
            if Q.trailing:
                if not has_room(done, done * n, D):
                    D = with_room(D)
                postpone(done, Q, E, base, D, out, parts)
            elif done > 0:
                keep(done, e, S, Q, E, base, out)
        push(e, clock, key, bits, S, Q, E, base)
        insert(e, key, bits, N, X)
    while not fire(now, last, S, Q, P, E, base, N, X, D, out, bound, parts, scalars, w):
        out = grown(out)
    return D, out


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
def keep(done, e, S, Q, E, base, out):
    """Keep the matches just written; under NON-OVERLAP only the one that started last."""
    n = Q.length
    if Q.once:
        at = out.size[1]
        best = at
        for i in range(1, done):
            if out.path[at + i * n] > out.path[best]:
                best = at + i * n
        for j in range(n):
            out.path[at + j] = out.path[best + j]
        S.barrier[E.group[e - base]] = e
        done = 1
    out.size[0] += done
    out.size[1] += done * n


@kernel
def postpone(done, Q, E, base, D, out, parts):
    """Let the matches just written wait for their deadlines."""
    n = Q.length
    for i in range(done):
        path = out.path[out.size[1] + i * n : out.size[1] + (i + 1) * n]
        wait(E.clock[path[0] - base] + Q.window, path, parts, n, D)


@kernel
def construct(e, S, Q, P, E, base, N, X, out, bound, parts, cursor, scalars, w):
    """Depth first from the last component to the first; -1 if the output is full. Changes no state."""
    n = Q.length
    key = E.key[e - base]
    clock = E.clock[e - base]
    barrier = S.barrier[E.group[e - base]] if Q.once else np.int64(-1)
    if e <= barrier:
        return 0
    found = 0
    end = out.size[1]
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
                    out.size[2] += 1
                    return found
                if end + n > out.path.size:
                    return -1
                for x in range(n):
                    out.path[end + x] = bound[0, x]
                end += n
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
def fire(clock, e, S, Q, P, E, base, N, X, D, out, bound, parts, scalars, w):
    """Emit what has reached its deadline by `clock` unless negation removes it; False if there is no room."""
    n = Q.length
    while D.size[0] > 0 and D.heap[0, 0] <= clock:
        at = out.size[1]
        if at + n > out.path.size:
            return False
        start, _ = take_due(D)
        row = D.path[start] - base
        if Q.once and D.path[start] <= S.barrier[E.group[row]]:
            continue
        for i in range(n):
            bound[0, i] = D.path[start + i]
            out.path[at + i] = bound[0, i]
        if ruled_out(True, E.key[row], bound[0], parts, n, bound, scalars, w, P, E, base, N, X, Q.window):
            continue
        out.size[0] += 1
        out.size[1] += n
        if Q.once:
            S.barrier[E.group[row]] = e - 1
    return True


@kernel
def grown(out):
    path = np.empty(2 * out.path.size, np.int64)
    path[: out.size[1]] = out.path[: out.size[1]]
    return Output(path, out.size)

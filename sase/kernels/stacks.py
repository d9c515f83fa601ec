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
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.layout import BITS, CLOCK, EVENT, EVER, FIELDS, FIRST, GROUP, KEY, POINTER, PREVIOUS
from sase.kernels.pending import has_room, is_due, take_due, wait
from sase.kernels.program import holds

NOTHING, OUTPUT, WAITING = range(3)  # what there may be too little of


class StackPlan(NamedTuple):
    length: int
    window: int
    pointers: bool  # follow instance pointers; otherwise search every stack from its top
    prune: bool  # stop at the window's edge; otherwise test the window at the end
    trailing: bool
    once: bool  # NON-OVERLAP
    limit: int  # matches per event


class Stacks(NamedTuple):
    """Instances of all stacks in the order in which they came; stacks are chains through them."""

    instances: NDArray[np.int64]
    heads: NDArray[np.int64]  # (partition, component): the top instance
    barrier: NDArray[np.int64]  # per group: the event up to which NON-OVERLAP has used everything up
    base: NDArray[np.int64]
    joins: NDArray[np.int64]  # (component, 2): range of the checks to make once it is bound


class Output(NamedTuple):
    """Matches found: `path` are their events one after the other."""

    path: NDArray[np.int64]
    size: NDArray[np.int64]  # [matches, used of path, matches cut off by the limit]


class Work(NamedTuple):
    """The match being built."""

    bound: NDArray[np.int64]  # one row of registers: the event of each component
    path: NDArray[np.int64]  # (n, 2): event and component
    cursor: NDArray[np.int64]  # per component the instance to try next


@kernel
def scan(first, last, now, S, Q, P, E, base, N, D, out, W, w):
    """Process events first..last-1, then let the clock reach `now`.

    Stops where there is too little room, for the caller to make some and call again. Returns the first event
    that is not done and what is lacking.
    """
    return scan_on(first, last, now, S, Q, P, E, base, N, D, out, W.bound, W.path, W.cursor, w)


@part
def scan_on(first, last, now, S, Q, P, E, base, N, D, out, bound, path, cursor, w):
    n = Q.length
    negation = N.plan.shape[0] > 0
    for e in range(first, last):
        row = e - base
        clock = E[row, CLOCK]
        key = E[row, KEY]
        bits = E[row, BITS]
        if negation:
            if is_due(clock, D) and not fire(clock, e, S, Q, P, E, base, N, D, out, bound, path, w):
                return e, OUTPUT
            remember(row, key, N, E)
        if bits >> (n - 1) & 1 and (n == 1 or S.heads[key, n - 2] >= S.base[FIRST]):
            done = construct(e, S, Q, P, E, base, N, out, bound, path, cursor, w)
            if done < 0:
                return e, OUTPUT
            if Q.trailing:
                if not has_room(done, done * n, D):
                    return e, WAITING
                postpone(done, Q, E, base, D, out)
            elif done > 0:
                keep(done, e, S, Q, E, base, out)
        for j in range(n - 2, -1, -1):  # last stack first, so that an event never precedes itself
            if not bits >> j & 1:
                continue
            below = np.int64(-1)
            if j > 0:
                below = S.heads[key, j - 1]
                if below < S.base[FIRST]:
                    continue
                if Q.prune and clock - E[S.instances[below - S.base[FIRST], EVENT] - base, CLOCK] >= Q.window:
                    continue
            at = S.base[EVER]
            i = at - S.base[FIRST]
            S.instances[i, EVENT] = e
            S.instances[i, PREVIOUS] = S.heads[key, j]
            S.instances[i, POINTER] = below
            S.heads[key, j] = at
            S.base[EVER] = at + 1
        if negation:
            insert(e, key, bits, N)
    if is_due(now, D) and not fire(now, last, S, Q, P, E, base, N, D, out, bound, path, w):
        return last, OUTPUT
    return last, NOTHING


@inlined
def construct(e, S, Q, P, E, base, N, out, bound, path, cursor, w):
    """Depth first from the last component to the first; -1 if the output is full. Changes no state."""
    n = Q.length
    key = E[e - base, KEY]
    clock = E[e - base, CLOCK]
    barrier = S.barrier[E[e - base, GROUP]] if Q.once else np.int64(-1)
    if e <= barrier:
        return 0
    found = 0
    end = out.size[1]
    bound[0, FIELDS + n - 1] = e
    path[n - 1, 0] = e
    if not joins_hold(n - 1, e, S, P, E, base, bound, w):
        return 0
    j = n - 2
    if j >= 0:
        cursor[j] = S.heads[key, j]
    while j < n - 1:
        if j < 0:
            x = bound[0, FIELDS]
            if (Q.prune or clock - E[x - base, CLOCK] < Q.window) and not (
                N.plan.shape[0] > 0 and ruled_out(False, key, path, n, bound, N, P, E, base, w, Q.window)
            ):
                if found == Q.limit:
                    out.size[2] += 1
                    return found
                if end + n > out.path.size:
                    return -1
                for i in range(n):
                    out.path[end + i] = bound[0, FIELDS + i]
                end += n
                found += 1
            if n == 1:
                return found
            j = 0
            continue
        at = cursor[j]
        if at < S.base[FIRST]:
            j += 1
            continue
        i = at - S.base[FIRST]
        x = S.instances[i, EVENT]
        if x <= barrier or (Q.prune and clock - E[x - base, CLOCK] >= Q.window):
            j += 1
            continue
        cursor[j] = S.instances[i, PREVIOUS]
        if x >= bound[0, FIELDS + j + 1]:
            continue
        bound[0, FIELDS + j] = x
        path[j, 0] = x
        if S.joins[j, 0] < S.joins[j, 1] and not joins_hold(j, x, S, P, E, base, bound, w):
            continue
        j -= 1
        if j >= 0:
            cursor[j] = S.instances[i, POINTER] if Q.pointers else S.heads[key, j]
    return found


@inlined
def joins_hold(j, x, S, P, E, base, bound, w):
    for c in range(S.joins[j, 0], S.joins[j, 1]):
        if not holds(c, x, bound, 0, P, E, base, w):
            return False
    return True


@inlined
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
        S.barrier[E[e - base, GROUP]] = e
        done = 1
    out.size[0] += done
    out.size[1] += done * n


@part
def postpone(done, Q, E, base, D, out):
    """Let the matches just written wait for their deadlines."""
    n = Q.length
    for i in range(done):
        at = out.size[1] + i * n
        for j in range(n):
            D.path[D.size[1] + j, 0] = out.path[at + j]
            D.path[D.size[1] + j, 1] = j
        wait(E[out.path[at] - base, CLOCK] + Q.window, n, D)


@part
def fire(clock, e, S, Q, P, E, base, N, D, out, bound, path, w):
    """Emit what has reached its deadline by `clock` unless negation removes it; False if there is no room."""
    n = Q.length
    while D.size[0] > 0 and D.heap[0, 0] <= clock:
        at = out.size[1]
        if at + n > out.path.size:
            return False
        start, _ = take_due(D)
        row = D.path[start, 0] - base
        if Q.once and D.path[start, 0] <= S.barrier[E[row, GROUP]]:
            continue
        for i in range(n):
            path[i, 0] = D.path[start + i, 0]
            bound[0, FIELDS + i] = path[i, 0]
            out.path[at + i] = path[i, 0]
        if ruled_out(True, E[row, KEY], path, n, bound, N, P, E, base, w, Q.window):
            continue
        out.size[0] += 1
        out.size[1] += n
        if Q.once:
            S.barrier[E[row, GROUP]] = e - 1
    return True

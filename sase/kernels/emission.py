"""From final nodes to matches: enumerate paths, let negation remove some, write the rest or let them wait."""

from __future__ import annotations

import numpy as np

from sase.kernels.absence import ruled_out
from sase.kernels.jit import inlined, part
from sase.kernels.layout import (
    CLOCK,
    FIELDS,
    FIRST,
    GROUP,
    KEY,
    OTHER,
    PREVIOUS,
    STEP,
    WAYS,
    WRITTEN,
    YOUNGEST,
)
from sase.kernels.move import move
from sase.kernels.pending import has_room, take_due, wait
from sase.kernels.program import ALL, add_to_scalars, clear_scalars
from sase.kernels.run_state import (
    BEFORE,
    BEGIN,
    CAPACITY,
    CUT,
    FILLED,
    HEADER,
    LAST,
    MATCHES,
    NEED_PATH,
    NEED_SPANS,
    OUTPUT,
    STOP,
    USED,
    WAITING,
)


@inlined
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
    for i in range(done):
        start = out.spans[out.size[MATCHES] + i, BEGIN]
        length = out.spans[out.size[MATCHES] + i, STOP] + 1 - start
        for x in range(length):
            D.path[D.size[1] + x, 0] = out.path[start + x] >> 8
            D.path[D.size[1] + x, 1] = out.path[start + x] & 255
        wait(E[(out.path[start] >> 8) - base, CLOCK] + Q.window, length, D)
    return 0


@part
def emit_nodes(e, finals, out, W):
    """COMPRESSED: the event and the nodes of the buffer in which its matches end."""
    if not has_place(out.size[USED] + finals + 1, 1, out):
        return OUTPUT
    at = out.size[USED]
    out.path[at] = e
    for i in range(finals):
        out.path[at + 1 + i] = W.final[i]
    out.size[USED] = at + 1 + finals
    note_span(out.size[MATCHES], at, out.size[USED], e, out)
    out.size[MATCHES] += 1
    return 0


@inlined
def has_place(end, more, out):
    """Whether there is room for events up to `end` and so many more matches; if not, notes the need."""
    matches = out.size[MATCHES] + more
    if end <= out.path.size and matches <= out.spans.shape[0]:
        return True
    out.size[NEED_PATH] = end
    out.size[NEED_SPANS] = matches
    return False


@inlined
def note_span(match, begin, stop, last, out):
    out.spans[match, BEGIN] = begin
    out.spans[match, STOP] = stop
    out.spans[match, LAST] = last


@inlined
def expand(e, key, finals, B, A, Q, P, E, base, N, out, W, w):
    """Write every path to the final nodes; (-1, 0) if the output is full, to start over with more room."""
    clock = E[e - base, CLOCK]
    # Negation looks at each match, and NON-OVERLAP and deadlines write it again elsewhere.
    again = N.plan.shape[0] == 0 and not Q.once
    done = 0
    end = out.size[USED]
    for f in range(finals):
        final = W.final[f]
        before = done
        known, depth = way_back(final, again, B, out, W)
        if known >= 0:
            done, end = write_known(known, depth, clock, done, end, B, Q, E, base, out, W)
        else:
            done, end = write_ways(final, clock, key, done, end, B, A, Q, P, E, base, N, out, W, w)
        if done < 0:
            return -1, 0
        if again and done < Q.match_limit:
            note_written(final, out.size[MATCHES] + before, done - before, B, out)
    return done, end - out.size[USED]


@inlined
def way_back(node, again, B, out, W):
    """Collect the nodes back to one whose ways all stand in the output already, and return it; else -1."""
    front = B.base[FIRST]
    oldest = out.size[BEFORE]
    newest = oldest + out.size[MATCHES]  # those of an event that did not fit do not count
    depth = 0
    while again and B.nodes[node - front, OTHER] < 0:
        W.stack[depth] = node
        depth += 1
        node = B.nodes[node - front, PREVIOUS]
        if node < front:
            break
        if oldest <= B.nodes[node - front, WRITTEN] < newest:
            return node, depth
    return np.int64(-1), depth


@inlined
def write_known(known, depth, clock, done, end, B, Q, E, base, out, W):
    """Matches that begin like others, as far as a node, and go on with the nodes collected.

    They share what they have in common: it is written once, with room for the next match to go on behind it.
    """
    front = B.base[FIRST]
    first = B.nodes[known - front, WRITTEN] - out.size[BEFORE]
    for m in range(first, first + B.nodes[known - front, WAYS]):
        begin = out.spans[m, BEGIN]
        stop = out.spans[m, STOP]
        if clock - E[(out.path[begin] >> 8) - base, CLOCK] >= Q.window:
            continue
        if done == Q.match_limit:
            out.size[CUT] += 1
            break
        length = stop - begin
        more = depth - 1  # without the event that completes it
        moves = out.path[begin - FILLED] != stop or stop + more > out.path[begin - CAPACITY]
        if not has_place(end + HEADER + 2 * (length + more) if moves else end, done + 1, out):
            return -1, 0
        if moves:  # another match went on from there, or it has become too long
            move(out.path, end + HEADER, begin, length)
            begin = end + HEADER
            stop = begin + length
            end = begin + 2 * (length + more)
            out.path[begin - CAPACITY] = end
        for x in range(depth - 1, 0, -1):
            out.path[stop] = B.nodes[W.stack[x] - front, STEP]
            stop += 1
        out.path[begin - FILLED] = stop
        note_span(out.size[MATCHES] + done, begin, stop, B.nodes[W.stack[0] - front, STEP], out)
        done += 1
    return done, end


@inlined
def note_written(final, first, ways, B, out):
    """Later matches of the same run begin like these, up to the event that completed them."""
    front = B.base[FIRST]
    node = B.nodes[final - front, PREVIOUS]
    if B.nodes[final - front, OTHER] < 0 and node >= front:
        B.nodes[node - front, WRITTEN] = out.size[BEFORE] + first
        B.nodes[node - front, WAYS] = ways


@inlined
def write_ways(final, clock, key, done, end, B, A, Q, P, E, base, N, out, W, w):
    """Enumerate every path to a final node through merged runs, depth first; (-1, 0) if there is no room."""
    nodes = B.nodes
    front = B.base[FIRST]
    depth = 0
    W.stack[0] = final
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
                return done, end
            begin = end + HEADER
            if not has_place(begin + length, done + 1, out):
                return -1, 0
            for x in range(length):
                out.path[begin + x] = nodes[W.stack[depth - x] - front, STEP]
            if N.plan.shape[0] == 0 or not denied(
                False, key, begin, length, A.registers, P, E, base, N, out.path, W.path, W.match, w, Q.window
            ):
                end = begin + length
                out.path[begin - CAPACITY] = end
                out.path[begin - FILLED] = end - 1
                note_span(out.size[MATCHES] + done, begin, end - 1, out.path[end - 1], out)
                done += 1
        W.stack[depth] = nodes[node - front, OTHER]
    return done, end


@part
def denied(trailing, key, at, length, registers, P, E, base, N, written, path, match, w, window):
    """Whether negation removes the match at `at` in the output; binds the registers that its checks read.

    Takes single arrays where it could take their tuples: a call copies all that it is given.
    """
    row = match[0]
    row[FIELDS:] = -1
    clear_scalars(ALL, row, FIELDS, P)
    for i in range(length):
        e = written[at + i] >> 8
        component = written[at + i] & 255
        path[i, 0] = e
        path[i, 1] = component
        first = registers[component, 2]
        if first >= 0 and row[first] < 0:
            row[first] = e
        if registers[component, 3] >= 0:
            row[registers[component, 3]] = e
        if P.scalars.shape[0] > 0:
            add_to_scalars(component, e, row, FIELDS, P, E, base)
    return ruled_out(trailing, key, path, length, match, N, P, E, base, w, window)


@part
def keep_youngest(done, out):
    """Of the matches just written keep the one that started last; returns its length."""
    best = out.size[MATCHES]
    for m in range(best + 1, best + done):
        if out.path[out.spans[m, BEGIN]] >> 8 > out.path[out.spans[best, BEGIN]] >> 8:
            best = m
    begin, stop = out.spans[best, BEGIN], out.spans[best, STOP]
    length = stop + 1 - begin
    move(out.path, out.size[USED], begin, length)
    note_span(out.size[MATCHES], out.size[USED], out.size[USED] + length - 1, out.path[stop], out)
    return length


@part
def fire(clock, e, R, A, Q, P, E, base, N, D, out, W, w):
    """Emit what has reached its deadline by `clock` unless negation removes it; False if there is no room."""
    while D.size[0] > 0 and D.heap[0, 0] <= clock:
        length = D.heap[0, 3]
        if not has_place(out.size[USED] + length, 1, out):
            return False
        start, length = take_due(D)
        row = D.path[start, 0] - base
        if Q.once and D.path[start, 0] <= R.barrier[E[row, GROUP]]:
            continue
        at = out.size[USED]
        for i in range(length):
            out.path[at + i] = D.path[start + i, 0] << 8 | D.path[start + i, 1]
        if denied(
            True, E[row, KEY], at, length, A.registers, P, E, base, N, out.path, W.path, W.match, w, Q.window
        ):
            continue
        out.size[USED] = at + length
        note_span(out.size[MATCHES], at, at + length - 1, out.path[at + length - 1], out)
        out.size[MATCHES] += 1
        if Q.once:
            R.barrier[E[row, GROUP]] = e - 1
    return True

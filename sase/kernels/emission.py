"""From final nodes to matches: enumerate paths, let negation remove some, write the rest or let them wait."""

from __future__ import annotations

from sase.kernels.absence import ruled_out
from sase.kernels.jit import part
from sase.kernels.layout import CLOCK, EVENT, FIELDS, FIRST, GROUP, KEY, OTHER, PART, PREVIOUS, YOUNGEST
from sase.kernels.pending import has_room, take_due, wait
from sase.kernels.program import ALL, add_to_scalars, clear_scalars
from sase.kernels.run_state import CUT, MATCHES, OUTPUT, USED, WAITING


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

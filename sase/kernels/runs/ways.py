"""From final nodes to matches: every way back through the buffer is one, unless negation removes it.

Matches of one run begin alike: where a Kleene component takes one event after the other, each may complete a
match that is the one before and one step more. They share a stretch of the output: a match is a span of it
and a last step of its own, and before each stretch stands how far it is written and how far it has room.

    room ends at 9 | written to 6 | a1 a2 a3 . . .    match 1: span a1 a2,    last b4
                                                      match 2: span a1 a2 a3, last b5
"""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    BEFORE,
    BEGIN,
    BEYOND,
    CAPACITY,
    CLOCK,
    COMPLETE_NODES,
    COMPONENT_BITS,
    DISMISSED,
    DONE,
    EVER,
    FILLED,
    FIRST,
    HEADER,
    MATCHES,
    NEED,
    NEW,
    NEW_END,
    NOTHING,
    OTHER,
    OUTPUT,
    PREFIX,
    PREVIOUS,
    STEP,
    STOP,
    SUMS,
    TOTAL,
    UNLIKELY,
    USED,
    WAYS,
    WRITTEN,
    YOUNGEST,
)
from sase.kernels.emission import MOST, allowed, count_new, denied, settle, weighed
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import bits_of, factor, from_bits, may_suffice, suffices
from sase.kernels.move import move
from sase.kernels.output import has_place, note_span
from sase.kernels.runs.buffer import likeliest
from sase.kernels.runs.facts import has_negatives, is_compressed, is_pruned, is_united, uses_up
from sase.kernels.runs.form import asks, bare
from sase.kernels.runs.tables import NONE


@inlined
def emit(arrival, tables, conditions, emission):
    """Write out the matches that end on an event, or let them wait; returns what there is too little of."""
    if is_compressed(tables.plan):
        count = tables.runs.counts[COMPLETE_NODES]
        return emit_nodes(arrival.event, count, tables.work.final, emission.output)
    if not write_all(arrival, tables, conditions, emission):
        return OUTPUT
    if emission.output.size[BEYOND] > 0:
        nodes = tables.buffer.base[EVER] - tables.buffer.base[FIRST]
        if nodes > tables.work.sums.shape[0]:
            tables.runs.counts[NEED] = nodes
            return SUMS
        count = all_ways(arrival.clock - tables.plan.window, tables)
        emission.output.size[BEYOND] = count - allowed(emission)
    if bare(tables.plan.form):
        return count_new(emission.output)
    return settle(arrival.event, conditions.events, emission)


@part
def emit_nodes(event, count, final, output):
    """COMPRESSED: the event and the nodes of the buffer in which its matches end."""
    begin = output.size[USED]
    end = begin + 1 + count
    if not has_place(end, 1, output):
        return OUTPUT
    output.path[begin] = event
    for i in range(count):
        output.path[begin + 1 + i] = final[i]
    note_span(output.size[MATCHES], begin, end, event, output)
    output.size[USED] = end
    output.size[MATCHES] += 1
    return NOTHING


@inlined
def write_all(arrival, tables, conditions, emission):
    """Write every path to the final nodes; False if the output is full, to start over with more room."""
    output = emission.output
    # Negation looks at each match, and NON-OVERLAP, deadlines and OR under HAVING write it again elsewhere.
    rewritten = has_negatives(tables.plan, emission) or uses_up(tables.plan, emission)
    shared = not rewritten and not is_united(tables.plan)
    output.size[NEW] = 0
    output.size[BEYOND] = 0
    output.size[DISMISSED] = 0
    output.size[NEW_END] = output.size[USED]
    for x in range(tables.runs.counts[COMPLETE_NODES]):
        final = tables.work.final[x]
        before = output.size[NEW]
        unlikely = tables.runs.counts[UNLIKELY]
        known, depth = NONE, 0
        if shared:
            known, depth = way_back(final, tables, output)
        if known != NONE:
            enough = write_known(known, depth, arrival.clock, tables, conditions.events, emission)
        else:
            enough = write_ways(final, arrival, tables, conditions, emission)
        if not enough:
            return False
        complete = not asks(tables.plan.form) or tables.runs.counts[UNLIKELY] == unlikely
        if shared and complete and output.size[NEW] < allowed(emission):
            note_written(final, before, tables.buffer, output)
    return True


@inlined
def way_back(final, tables, output):
    """Collect the nodes back to one whose ways all stand in the output already; that one, and how many.

    A node with alternatives is the end of it: (NONE, ...).
    """
    nodes = tables.buffer.nodes
    front = tables.buffer.base[FIRST]
    oldest = output.size[BEFORE]
    newest = oldest + output.size[MATCHES]  # those of an event that did not fit do not count
    depth = 0
    node = final
    while nodes[node - front, OTHER] < 0:
        tables.work.stack[depth] = node
        depth += 1
        node = nodes[node - front, PREVIOUS]
        if node < front:
            break
        written = nodes[node - front, WRITTEN]
        if (oldest <= written) & (written < newest):
            return node, depth
    return np.int64(NONE), depth


@inlined
def note_written(final, before, buffer, output):
    """Later matches of the same run begin like those just written, but for the event that completed them."""
    front = buffer.base[FIRST]
    node = buffer.nodes[final - front, PREVIOUS]
    if buffer.nodes[final - front, OTHER] < 0 and node >= front:
        buffer.nodes[node - front, WRITTEN] = output.size[BEFORE] + output.size[MATCHES] + before
        buffer.nodes[node - front, WAYS] = output.size[NEW] - before


@inlined
def write_known(known, depth, clock, tables, events, emission):
    """Matches that begin like others, as far as node `known`, and go on with the nodes collected.

    For every match that was written when `known` was the last node but one: its span holds the way to
    `known`. The new match goes on behind that span, where there is still room and no other match has gone on
    before; otherwise the span is copied to the end of the output, with room to become twice as long: so a
    step is written about twice, however many matches there are. The event at hand, first on the stack, goes
    into the match's own row, so that the next match can go on without it.
    """
    nodes = tables.buffer.nodes
    stack = tables.work.stack
    front = tables.buffer.base[FIRST]
    output = emission.output
    path = output.path
    done = output.size[NEW]
    end = output.size[NEW_END]
    more = depth - 1  # without the event that completes it
    prefix, likely = 1.0, 1.0
    limit = allowed(emission)
    first = nodes[known - front, WRITTEN] - output.size[BEFORE]
    ways = nodes[known - front, WAYS]
    may_expire = ways > 1 or not is_pruned(tables.plan)  # a run of one way is over with its first event
    for match in range(first, first + ways):
        begin = output.spans[match, BEGIN]
        stop = output.spans[match, STOP]
        if may_expire and is_expired(path[begin] >> COMPONENT_BITS, clock, tables.plan, events):
            continue
        if asks(tables.plan.form):
            prefix, likely = goes_on_likely(match, more, tables, events, output)
            if not suffices(likely, tables.plan.likelihood):
                tables.runs.counts[UNLIKELY] += 1
                output.size[DISMISSED] += 1
                continue
        if done == limit:
            output.size[BEYOND] = 1
            break
        length = stop - begin
        moves = path[begin - FILLED] != stop or stop + more > path[begin - CAPACITY]
        if not has_place(end + HEADER + 2 * (length + more) if moves else end, done + 1, output):
            return False
        if moves:
            move(path, end + HEADER, begin, length)
            begin = end + HEADER
            stop = begin + length
            end = begin + 2 * (length + more)
            path[begin - CAPACITY] = end
        for x in range(more, 0, -1):
            path[stop] = nodes[stack[x] - front, STEP]
            stop += 1
        path[begin - FILLED] = stop
        note_span(output.size[MATCHES] + done, begin, stop, nodes[stack[0] - front, STEP], output)
        if asks(tables.plan.form):
            output.spans[output.size[MATCHES] + done, PREFIX] = bits_of(prefix)
            output.probability[output.size[MATCHES] + done] = likely
        done += 1
    output.size[NEW] = done
    output.size[NEW_END] = end
    return True


@inlined
def is_expired(first, clock, plan, events):
    return clock - events.rows[first - events.base, CLOCK] >= plan.window


@inlined
def goes_on_likely(match, more, tables, events, output):
    """How likely a match is that begins like another one, and all of it but its last event."""
    nodes, stack, likelihood = tables.buffer.nodes, tables.work.stack, tables.plan.likelihood
    front = tables.buffer.base[FIRST]
    prefix = from_bits(output.spans[match, PREFIX])
    for x in range(more, 0, -1):
        prefix *= factor(nodes[stack[x] - front, STEP], events, likelihood)
    return prefix, prefix * factor(nodes[stack[0] - front, STEP], events, likelihood)


@inlined
def write_ways(final, arrival, tables, conditions, emission):
    """Enumerate every path to a final node through merged runs, depth first; False if there is no room."""
    nodes = tables.buffer.nodes
    stack = tables.work.stack
    front = tables.buffer.base[FIRST]
    oldest = arrival.clock - tables.plan.window
    limit = allowed(emission)
    depth = 0
    stack[0] = final
    while depth >= 0:
        node = stack[depth]
        if node == NONE:  # all alternatives are done: go on with those of the step after
            depth -= 1
            if depth >= 0:
                stack[depth] = nodes[stack[depth] - front, OTHER]
            continue
        previous = nodes[node - front, PREVIOUS]
        if asks(tables.plan.form) and not may_be_likely(node, depth, tables, conditions.events):
            tables.runs.counts[UNLIKELY] += 1
            stack[depth] = nodes[node - front, OTHER]
            continue
        if previous != NONE:
            alive = previous >= front and nodes[previous - front, YOUNGEST] > oldest
            depth += 1
            stack[depth] = previous if alive else NONE
            continue
        if nodes[node - front, YOUNGEST] > oldest:  # of a first event, its own clock
            if emission.output.size[NEW] == limit:
                emission.output.size[BEYOND] = 1
                return True
            if not write_way(depth + 1, arrival.key, tables, conditions, emission):
                return False
        stack[depth] = nodes[node - front, OTHER]
    return True


@inlined
def may_be_likely(node, depth, tables, events):
    """Whether the likeliest way to a node and the way from it to the end may together be likely enough.

    Multiplied in another order than in the end, so with some tolerance.
    """
    likely, likelihood = tables.work.likely, tables.plan.likelihood
    after = likely[depth - 1] if depth > 0 else 1.0
    step = tables.buffer.nodes[node - tables.buffer.base[FIRST], STEP]
    likely[depth] = after * factor(step, events, likelihood)
    return may_suffice(after * likeliest(node, tables.buffer), likelihood)


@inlined
def write_way(length, key, tables, conditions, emission):
    """Write the path that stands on the stack, unless negation removes it; False if there is no room."""
    nodes = tables.buffer.nodes
    front = tables.buffer.base[FIRST]
    output = emission.output
    begin = output.size[NEW_END] + HEADER
    end = begin + length
    more = np.int64(0)
    if is_united(tables.plan):
        more = emission.binding.noted.size
    if not has_place(end + more, output.size[NEW] + 1, output):
        return False
    for x in range(length):
        output.path[begin + x] = nodes[tables.work.stack[length - 1 - x] - front, STEP]
    if asks(tables.plan.form):
        enough, length = weighed_way(begin, length, key, tables, conditions, emission)
        if not enough:
            tables.runs.counts[UNLIKELY] += 1
            output.size[DISMISSED] += 1
            return True
        end = begin + length
    elif has_negatives(tables.plan, emission) and denied(
        False, key, begin, length, output.path, emission.binding, emission.negatives, conditions
    ):
        return True
    output.path[begin - CAPACITY] = end
    output.path[begin - FILLED] = end - 1
    note_span(output.size[MATCHES] + output.size[NEW], begin, end - 1, output.path[end - 1], output)
    output.size[NEW] += 1
    output.size[NEW_END] = end
    return True


@inlined
def weighed_way(begin, length, key, tables, conditions, emission):
    """How likely the path is that was written from `begin` on: whether enough, and how long it has become."""
    output = emission.output
    prefix = 1.0
    for x in range(begin, begin + length - 1):
        prefix *= factor(output.path[x], conditions.events, tables.plan.likelihood)
    match = output.size[MATCHES] + output.size[NEW]
    output.spans[match, PREFIX] = bits_of(prefix)
    probability = prefix * factor(output.path[begin + length - 1], conditions.events, tables.plan.likelihood)
    return weighed(False, probability, key, begin, length, match, conditions, emission)


@part
def all_ways(oldest, tables):
    """How many ways lead to the final nodes, those that negation removes too: counted, not walked."""
    for row in range(tables.buffer.base[EVER] - tables.buffer.base[FIRST]):
        tables.work.sums[row, DONE] = 0
    total = np.int64(0)
    for x in range(tables.runs.counts[COMPLETE_NODES]):
        total += min(ways_to(tables.work.final[x], oldest, tables.buffer, tables.work), MOST - total)
    return total


@part
def ways_to(final, oldest, buffer, work):
    """The ways to a node and its alternatives; each node is looked at once, however many lead through it.

    Depth first: `stack` holds where the alternatives of a step begin, `path` the one at hand.
    """
    nodes, sums = buffer.nodes, work.sums
    front = buffer.base[FIRST]
    depth = 0
    work.stack[0] = work.path[0] = final
    sums[final - front, TOTAL] = 0
    while depth >= 0:
        node = work.path[depth]
        head = work.stack[depth] - front
        if node == NONE:
            sums[head, DONE] = 1
            depth -= 1
            continue
        previous = nodes[node - front, PREVIOUS]
        found = np.int64(previous == NONE and nodes[node - front, YOUNGEST] > oldest)
        if previous >= front and nodes[previous - front, YOUNGEST] > oldest:
            if sums[previous - front, DONE] == 0:
                depth += 1
                work.stack[depth] = work.path[depth] = previous
                sums[previous - front, TOTAL] = 0
                continue
            found = sums[previous - front, TOTAL]
        sums[head, TOTAL] += min(found, MOST - sums[head, TOTAL])
        work.path[depth] = nodes[node - front, OTHER]
    return sums[final - front, TOTAL]

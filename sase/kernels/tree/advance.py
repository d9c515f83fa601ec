"""Takes a tree of operators through a stream: events and ends of windows in the order of their moments.

Moments are numbered as they come. That is their order: windows that are over come before the events of their
millisecond, and of two that end together the one that was opened by the earlier moment.
"""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    BITS,
    CLOCK,
    DUE,
    EARLIEST,
    KEY,
    LEFT,
    MOMENT,
    NEWEST,
    NOTHING,
    ORIGIN,
    PARTITION,
    SPAN,
    TIME,
)
from sase.kernels.emission import spent_until
from sase.kernels.fetch import fetch
from sase.kernels.jit import inlined, kernel, part
from sase.kernels.keys import AHEAD, CACHED
from sase.kernels.tree.moments import NO_DEADLINE, live_through
from sase.kernels.tree.rings import place_of
from sase.kernels.tree.tables import Now


@kernel
def advance(first, last, now, tables, conditions, emission):
    """Process events first..last-1, then let the clock reach `now`.

    Stops where there is too little room, for the caller to make some and call again. Returns the first event
    that is not done and what is lacking.
    """
    return advance_on(first, last, now, tables, conditions, emission)


@part
def advance_on(first, last, clock, tables, conditions, emission):
    events, state = conditions.events, tables.outcomes.state
    scattered = tables.outcomes.chains.shape[0] > CACHED
    event = first
    while True:
        coming = events.rows[event - events.base, CLOCK] if event < last else clock
        if state[EARLIEST] <= coming and state[EARLIEST] < NO_DEADLINE:
            now = closing(event, tables, events, emission)
        elif event < last:
            if scattered and event + AHEAD < last:
                fetch(tables.outcomes.chains, events.rows[event + AHEAD - events.base, KEY])
            now = happening(event, events, emission)
        else:
            return event, NOTHING
        lacking = live_through(now, tables, conditions, emission)
        if lacking != NOTHING:
            return event, lacking
        if now.event >= 0:
            event += 1


@inlined
def happening(event, events, emission):
    """The moment of an event."""
    row = event - events.base
    return Now(
        events.rows[row, CLOCK],
        events.rows[row, KEY],
        event,
        event,
        events.rows[row, BITS],
        np.int64(-1),
        spent_until(event, events, emission),
    )


@inlined
def closing(event, tables, events, emission):
    """The next end of a window, before `event`: of those that end together the one opened first."""
    shape, outcomes, _ = tables
    opener = np.int64(-1)
    for i in range(shape.waits.size):
        node = shape.waits[i]
        left = shape.nodes[node, LEFT]
        if outcomes.rings[node, DUE] == outcomes.rings[left, NEWEST]:
            continue
        at = place_of(left, outcomes.rings[node, DUE], shape, outcomes)
        ends = outcomes.pool[at + TIME] + shape.nodes[node, SPAN] == outcomes.state[EARLIEST]
        if ends and (opener < 0 or outcomes.pool[at + MOMENT] < outcomes.pool[opener + MOMENT]):
            opener = at
    origin = outcomes.pool[opener + ORIGIN]
    return Now(
        outcomes.state[EARLIEST],
        outcomes.pool[opener + PARTITION],
        np.int64(-1),
        event - 1,
        np.int64(0),
        outcomes.pool[opener + MOMENT],
        spent_until(origin, events, emission),
    )

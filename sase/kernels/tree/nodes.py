"""What each operator makes of the outcomes below it at one moment (TelegraphCQ/HiFi 3.3.1, its Figure 5)."""

from __future__ import annotations

import numpy as np

from sase.kernels.cells import (
    BOTH,
    BOUND,
    FOLLOWS,
    FORM,
    FRESH,
    HAPPENS,
    LEAF,
    LEAF_BIT,
    LEFT,
    MOMENT,
    MOMENTS,
    NEWEST,
    NOTFOLLOWS,
    NOTPRECEDES,
    OLDER,
    OLDEST,
    ORIGIN,
    PARTITION,
    RIGHT,
    SPAN,
    TIME,
)
from sase.kernels.jit import inlined
from sase.kernels.tree.absent import close, look_back
from sase.kernels.tree.join import NOWHERE, add, admit, agree, fits, write
from sase.kernels.tree.opposition import CROWDED, NO_SET, both_sets, set_of
from sase.kernels.tree.rings import has_slot, is_empty_since, is_fresh, newest_of, place_of


@inlined
def wake(node, now, tables, conditions):
    """Make a node's outcomes of this moment from those below it; whether room sufficed."""
    shape, outcomes, _ = tables
    form = shape.nodes[node, FORM]
    left, right = shape.nodes[node, LEFT], shape.nodes[node, RIGHT]
    if form == LEAF:
        return now.bits >> shape.nodes[node, LEAF_BIT] & 1 == 0 or happen(node, now, tables, conditions)
    if form == FOLLOWS:
        return not is_fresh(right, outcomes) or join(node, 1, now, tables, conditions)
    if form == BOTH:
        fresh = is_fresh(left, outcomes) or is_fresh(right, outcomes)
        return not fresh or join(node, 2, now, tables, conditions)
    if form == NOTFOLLOWS:
        return now.event >= 0 or close(node, now, tables, conditions)
    if form == NOTPRECEDES:
        return not is_fresh(left, outcomes) or look_back(node, now, tables, conditions)
    return pass_on(node, now, shape, outcomes, conditions.events)


@inlined
def happen(node, now, tables, conditions):
    """An event comes."""
    shape, outcomes, _ = tables
    if not has_slot(node, now.clock, shape, outcomes):
        return False
    at = place_of(node, outcomes.rings[node, NEWEST], shape, outcomes)
    outcomes.pool[at + MOMENT] = outcomes.state[MOMENTS]
    outcomes.pool[at + TIME] = now.clock
    outcomes.pool[at + PARTITION] = now.key
    outcomes.pool[at + ORIGIN] = now.event
    outcomes.pool[at + BOUND] = now.event
    if not fits(node, at, tables, conditions):
        return True
    return admit(node, at, np.int64(NO_SET), now.key, shape, outcomes, conditions.events)


@inlined
def join(node, turns, now, tables, conditions):
    """FOLLOWS: what is new on the right with what is kept on the left; BOTH: the other way round as well.

    What is new on both sides at once is at the same moment: for BOTH that is near enough, for FOLLOWS not.
    """
    shape, outcomes, _ = tables
    nodes, rings, pool = shape.nodes, outcomes.rings, outcomes.pool
    since = now.clock - nodes[node, SPAN]
    for turn in range(turns):
        waking = nodes[node, RIGHT] if turn == 0 else nodes[node, LEFT]
        kept = nodes[node, LEFT] if turn == 0 else nodes[node, RIGHT]
        together = turns == 2 and turn == 0 and is_fresh(kept, outcomes)
        if not together and is_empty_since(kept, now.key, since, shape, outcomes):
            continue
        newest = newest_of(kept, now.key, shape, outcomes)
        for number in range(rings[waking, FRESH], rings[waking, NEWEST]):
            here = place_of(waking, number, shape, outcomes)
            other = rings[kept, NEWEST] - 1 if together else newest
            while other >= rings[kept, OLDEST]:
                there = place_of(kept, other, shape, outcomes)
                if other >= rings[kept, FRESH]:
                    other = other - 1 if other > rings[kept, FRESH] else newest
                else:
                    other = pool[there + OLDER]
                if pool[there + TIME] <= since:
                    if shape.prune:
                        break
                    continue
                if nodes[node, HAPPENS] and pool[there + ORIGIN] <= now.barrier:
                    continue
                on_left, on_right = (there, here) if turn == 0 else (here, there)
                if not agree(node, on_left, on_right, shape, outcomes):
                    continue
                if not has_slot(node, now.clock, shape, outcomes):
                    return False
                at = write(node, on_left, on_right, now, shape, outcomes)
                if not fits(node, at, tables, conditions):
                    continue
                opposed = np.int64(NO_SET)
                if shape.likelihood.asked and nodes[node, HAPPENS]:
                    opposed = both_sets(
                        set_of(nodes[node, LEFT], on_left, shape, outcomes),
                        set_of(nodes[node, RIGHT], on_right, shape, outcomes),
                        outcomes,
                    )
                    if opposed == CROWDED:
                        return False
                if not admit(node, at, opposed, now.key, shape, outcomes, conditions.events):
                    return False
    return True


@inlined
def pass_on(node, now, shape, outcomes, events):
    """ANYONE: what is new on either side."""
    for side in range(LEFT, RIGHT + 1):
        child = shape.nodes[node, side]
        for number in range(outcomes.rings[child, FRESH], outcomes.rings[child, NEWEST]):
            at = place_of(child, number, shape, outcomes)
            left, right = (at, NOWHERE) if side == LEFT else (NOWHERE, at)
            asked = shape.likelihood.asked and shape.nodes[node, HAPPENS]
            opposed = set_of(child, at, shape, outcomes) if asked else np.int64(NO_SET)
            if not add(node, left, right, opposed, now, shape, outcomes, events):
                return False
    return True

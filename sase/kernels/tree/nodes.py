"""What each operator makes of the outcomes below it at one moment (TelegraphCQ/HiFi 3.3.1, its Figure 5)."""

from __future__ import annotations

from sase.kernels.cells import (
    APART,
    APART_END,
    BOTH,
    BOUND,
    DUE,
    FOLLOWS,
    FORM,
    FRESH,
    HAPPENS,
    LATEST,
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
    TESTS,
    TESTS_END,
    TIME,
)
from sase.kernels.jit import inlined
from sase.kernels.tree.join import NOWHERE, add, admit, agree, bind, fits, passes, write
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
    return pass_on(node, now, shape, outcomes)


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
    return not fits(node, at, tables, conditions) or admit(node, at, now.key, shape, outcomes)


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
                if fits(node, at, tables, conditions) and not admit(node, at, now.key, shape, outcomes):
                    return False
    return True


@inlined
def look_back(node, now, tables, conditions):
    """NOTPRECEDES: what is new on the left, unless something kept on the right rules it out."""
    shape, outcomes, _ = tables
    left = shape.nodes[node, LEFT]
    for number in range(outcomes.rings[left, FRESH], outcomes.rings[left, NEWEST]):
        at = place_of(left, number, shape, outcomes)
        since = now.clock - shape.nodes[node, SPAN]
        if ruled_out(node, at, -1, since, now.clock, now.key, tables, conditions):
            continue
        if not add(node, at, NOWHERE, now, shape, outcomes):
            return False
    return True


@inlined
def close(node, now, tables, conditions):
    """NOTFOLLOWS: the windows that end now, unless something kept on the right came in one."""
    shape, outcomes, _ = tables
    left = shape.nodes[node, LEFT]
    rings, pool = outcomes.rings, outcomes.pool
    opened = now.clock - shape.nodes[node, SPAN]
    for number in range(rings[node, DUE], rings[left, FRESH]):
        at = place_of(left, number, shape, outcomes)
        if pool[at + TIME] != opened or pool[at + MOMENT] != now.opened:
            break
        if shape.nodes[node, HAPPENS] and pool[at + ORIGIN] <= now.barrier:
            continue
        if ruled_out(node, at, pool[at + MOMENT], opened - 1, now.clock - 1, now.key, tables, conditions):
            continue
        if not add(node, at, NOWHERE, now, shape, outcomes):
            return False
    return True


@inlined
def ruled_out(node, left, after, since, until, key, tables, conditions):
    """Whether an outcome kept on the right stands against one on the left.

    It must come after the moment `after`, later than the time `since` and not later than `until`.
    """
    shape, outcomes, registers = tables
    nodes, pool = shape.nodes, outcomes.pool
    right = nodes[node, RIGHT]
    if is_empty_since(right, key, since, shape, outcomes):
        return False
    if nodes[right, LATEST]:
        return True
    bound = False
    number = newest_of(right, key, shape, outcomes)
    while number >= outcomes.rings[right, OLDEST]:
        at = place_of(right, number, shape, outcomes)
        number = pool[at + OLDER]
        if pool[at + MOMENT] <= after:
            return False
        if pool[at + TIME] <= since:
            if shape.prune:
                return False
            continue
        if pool[at + TIME] > until:
            continue
        if nodes[node, APART] < nodes[node, APART_END] and not agree(node, left, at, shape, outcomes):
            continue
        if nodes[node, TESTS] == nodes[node, TESTS_END]:
            return True
        if not bound:
            bind(nodes[node, LEFT], left, shape, pool, registers)
            bound = True
        bind(right, at, shape, pool, registers)
        if passes(nodes[node, TESTS], nodes[node, TESTS_END], shape.needs, registers, conditions):
            return True
    return False


@inlined
def pass_on(node, now, shape, outcomes):
    """ANYONE: what is new on either side."""
    for side in range(LEFT, RIGHT + 1):
        child = shape.nodes[node, side]
        for number in range(outcomes.rings[child, FRESH], outcomes.rings[child, NEWEST]):
            at = place_of(child, number, shape, outcomes)
            left, right = (at, NOWHERE) if side == LEFT else (NOWHERE, at)
            if not add(node, left, right, now, shape, outcomes):
                return False
    return True

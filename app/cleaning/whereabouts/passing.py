"""Doors that one may pass either way: told as they are read, because nothing lies there."""

from __future__ import annotations

import numpy as np

from app.cleaning.doors import go_with_the_others, has_just_ended, is_under_way
from app.cleaning.stays import has_left, leave
from app.cleaning.tables import (
    AREA,
    ARRIVED,
    CLAIM_SEEN,
    CLAIM_STRENGTH,
    CLAIMANT,
    CLAIMS,
    CONFIRM_WITHIN,
    COUNT,
    FORGET,
    NEITHER,
    NOWHERE,
    OUTSIDE,
    PASSED,
    READER,
    SEEN,
    SINCE,
    STRENGTH,
    TICK_MS,
    TOLD,
    tell,
)
from app.cleaning.whereabouts.kinds import PASSAGE
from app.cleaning.whereabouts.tables import APART, BELIEVED_AT, CARRIED, GONE
from sase.kernels.jit import part

_BACK = np.float32(1e-5)  # that who was seen going out is still there


@part
def pass_door(read, floor, here):
    """Which way it goes is told by those who see it move; from now on it is carried."""
    state = floor.tags[read.tag]
    if state[AREA] != read.area:
        confirmed = _is_confirmed(read, state, floor) and _is_strong_enough(read, state, floor)
        if not confirmed or _lies_still(read, state, floor, here):
            return
        _arrive(read, state, floor)
    state[SEEN] = read.ts
    state[READER] = read.reader
    state[STRENGTH] = read.strength
    _believe_carried(read.tag, read.ts, np.float32(1.0), here)


@part
def is_in_door(state, here):
    return state[AREA] >= 0 and here.rules.pace[state[AREA]] == PASSAGE


@part
def leave_door(tag, ts, floor, here):
    """Who has not been read there for long enough."""
    state = floor.tags[tag]
    if has_left(state, floor):
        out = state[PASSED] == OUTSIDE
        leave(ts, tag, state, floor)
        _believe_carried(tag, ts, _BACK if out else np.float32(1.0), here)


@part
def _is_confirmed(read, state, floor):
    """Read there more than once within a short time: once is a ghost."""
    again = state[CLAIMS + CLAIMANT] == read.area
    within = read.ts - state[CLAIMS + CLAIM_SEEN] <= floor.areas[read.area, CONFIRM_WITHIN]
    if not (again and within):
        state[CLAIMS + CLAIMANT] = read.area
        state[CLAIMS + COUNT] = 0
        state[CLAIMS + CLAIM_STRENGTH] = read.strength
    state[CLAIMS + COUNT] += 1
    state[CLAIMS + CLAIM_SEEN] = read.ts
    state[CLAIMS + CLAIM_STRENGTH] = max(state[CLAIMS + CLAIM_STRENGTH], read.strength)
    return state[CLAIMS + COUNT] >= floor.confirm


@part
def _is_strong_enough(read, state, floor):
    """What was heard on its shelf just now may be heard through the door: more weakly."""
    if state[AREA] == NOWHERE or read.ts - state[SEEN] > floor.areas[state[AREA], FORGET]:
        return True
    return state[CLAIMS + CLAIM_STRENGTH] >= state[STRENGTH] - floor.margin


@part
def _lies_still(read, state, floor, here):
    """What lies somewhere does not go through a door in which nobody moves: the gate hears a shelf."""
    if state[AREA] == NOWHERE or not here.rules.watched[read.area]:
        return False
    return not is_under_way(read, floor) and not has_just_ended(read, floor)


@part
def _arrive(read, state, floor):
    if state[AREA] != NOWHERE:
        leave(read.ts, read.tag, state, floor)
    state[AREA] = read.area
    state[SINCE] = read.ts
    state[TOLD] = read.ts
    state[READER] = read.reader
    state[CLAIMS + CLAIMANT] = NOWHERE
    state[PASSED] = NEITHER
    tell(ARRIVED, read, 0, floor)
    go_with_the_others(read, floor)


@part
def _believe_carried(tag, ts, carried, here):
    """The rest has gone."""
    known, belief = here.known[tag], here.belief[tag]
    for place in range(len(belief)):
        belief[place] = 0.0
    belief[CARRIED] = carried
    belief[GONE] = np.float32(1.0) - carried
    known[BELIEVED_AT] = ts // TICK_MS
    known[APART] = 0

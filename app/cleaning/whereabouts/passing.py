"""Doors that one may pass either way: told as they are read, because nothing lies there."""

from __future__ import annotations

import numpy as np

from app.cleaning.doors import go_through, go_with_the_others, has_just_ended, is_under_way
from app.cleaning.stays import has_left, leave
from app.cleaning.tables import (
    AREA,
    ARRIVED,
    BEGAN,
    CLAIM_SEEN,
    CLAIM_STRENGTH,
    CLAIMANT,
    CLAIMS,
    CONFIRM_WITHIN,
    COUNT,
    ENDED,
    ENDED_AT,
    FORGET,
    FROM,
    HEARD,
    INSIDE,
    JUST_ENDED_MS,
    NEITHER,
    NOWHERE,
    OUTSIDE,
    PASSED,
    READER,
    SEEN,
    SINCE,
    STILL_NEAR_MS,
    STRENGTH,
    TICK_MS,
    TOLD,
    Read,
    tell,
)
from app.cleaning.whereabouts.kinds import PASSAGE, SLOW
from app.cleaning.whereabouts.tables import APART, BELIEVED_AT, CARRIED, GONE, HITS, SETTLED, UNSETTLED
from app.cleaning.whereabouts.wheel import put
from sase.kernels.jit import part

_BACK = np.float32(1e-5)  # that who was seen going out is still there
_TOGETHER_MS, _CARRIED_BY_ONE = 2500, 6
_GOES_ON = 4  # reads
_EARLY_MS, _LATE_MS = 2000, 700  # before a gate's first read, and before its last one


@part
def pass_door(read, floor, here):
    """Which way it goes is told by those who see it move; from now on it is carried."""
    state = floor.tags[read.tag]
    if state[AREA] != read.area:
        confirmed = _is_confirmed(read, state, floor) and _is_strong_enough(read, state, floor)
        if _is_heard_with_its_shelf(read, state, floor, here):
            return
        if not (confirmed or _is_somebody_inside(read.tag, here)) or _lies_still(read, state, floor, here):
            return
        _arrive(read, state, floor)
    state[SEEN] = read.ts
    state[READER] = read.reader
    state[STRENGTH] = read.strength
    _believe_carried(read.tag, read.ts, np.float32(1.0), here)


@part
def pass_door_late(read, read_at, floor, here):
    """A read that its gate held back: whose passage was the last one that ended has gone that way."""
    state, door = floor.tags[read.tag], floor.doors[read.area]
    ended = door[ENDED_AT]
    within = ended - floor.passage <= read_at <= ended + JUST_ENDED_MS
    if not within or state[AREA] == read.area or state[SINCE] >= ended - floor.passage:
        return
    if _is_confirmed(read, state, floor) and not _is_heard_with_its_shelf(read, state, floor, here):
        _arrive(read, state, floor)
        if state[PASSED] == NEITHER:
            go_through(read.ts, read.tag, door[ENDED], floor)
        state[SEEN] = read.ts
        state[READER] = read.reader
        _believe_carried(read.tag, read.ts, np.float32(1.0), here)


@part
def _is_heard_with_its_shelf(read, state, floor, here):
    """What lies somewhere is not carried out while the gate hears many things that lie there with it; before
    that is known it must be read once more than others."""
    area = state[AREA]
    if area == NOWHERE or here.rules.pace[area] != SLOW or here.rules.person[read.tag]:
        return False
    if state[CLAIMS + CLAIMANT] != read.area or state[CLAIMS + COUNT] <= floor.confirm:
        return True
    others = 0
    for tag in range(floor.tags.shape[0]):
        other = floor.tags[tag]
        lately = read.ts - other[CLAIMS + CLAIM_SEEN] <= _TOGETHER_MS
        if other[AREA] == area and other[CLAIMS + CLAIMANT] == read.area and lately:
            others += 1
    return others > _CARRIED_BY_ONE


@part
def end_passage(read, floor, here):
    """Somebody who has just gone through was read once at the gate: perhaps a body stood in the way."""
    if floor.doors[read.area][ENDED_AT] != read.ts:
        return
    for tag in range(floor.tags.shape[0]):
        state, settled = floor.tags[tag], here.known[tag, SETTLED] != UNSETTLED
        lately = read.ts - state[CLAIMS + CLAIM_SEEN] <= STILL_NEAR_MS
        claimed = state[CLAIMS + CLAIMANT] == read.area and state[AREA] != read.area and lately
        if claimed and not settled and _is_somebody_inside(tag, here):
            gate = _gate_of(read.area, floor)
            _arrive(Read(read.ts, gate, tag, read.area, state[CLAIMS + CLAIM_STRENGTH]), state, floor)
            state[SEEN] = state[CLAIMS + CLAIM_SEEN]
            state[READER] = gate
            _believe_carried(tag, read.ts, np.float32(1.0), here)
            put(tag, read.ts // TICK_MS + 1, here)


@part
def _is_somebody_inside(tag, here):
    """A person does not lie on a shelf that a gate hears; ghosts of the few who are in are rare."""
    heard = here.known[tag, HITS] > 0  # more than a ghost of its own, too
    return here.rules.person[tag] and heard and here.belief[tag, GONE] < np.float32(0.5)


@part
def _gate_of(area, floor):
    for reader in range(len(floor.reader_area)):
        if floor.reader_area[reader] == area and floor.reader_side[reader] == NEITHER:
            return reader
    return 0


@part
def is_in_door(state, here):
    return state[AREA] >= 0 and here.rules.pace[state[AREA]] == PASSAGE


@part
def leave_door(tag, ts, floor, here):
    """Who has not been read there for long enough."""
    state = floor.tags[tag]
    if has_left(state, floor):
        side = _seen_on_one_side(state, floor, here)
        if state[PASSED] == NEITHER and side != NEITHER:
            go_through(ts, tag, side, floor)
        out = state[PASSED] == OUTSIDE
        leave(ts, tag, state, floor)
        _believe_carried(tag, ts, _BACK if out else np.float32(1.0), here)


@part
def _seen_on_one_side(state, floor, here):
    """Where the way must have ended, if the sensor on one side only has spoken: late in the gate's visit,
    its own side; early, the other one."""
    area = state[AREA]
    door = floor.doors[area]
    other = INSIDE if door[FROM] == OUTSIDE else OUTSIDE
    if door[FROM] == NEITHER or not _is_silent(area, other, door[BEGAN] - TICK_MS, floor, here):
        return NEITHER
    if state[SINCE] - _EARLY_MS <= door[BEGAN] <= (state[SINCE] + state[SEEN]) // 2:
        return other
    return door[FROM] if state[SEEN] - _LATE_MS <= door[BEGAN] <= state[SEEN] + _EARLY_MS else NEITHER


@part
def _is_silent(area, side, since, floor, here):
    """Whether the sensors of that side, which else say that they are there, have been silent from then on."""
    for reader in range(len(floor.reader_area)):
        mine = floor.reader_area[reader] == area and floor.reader_side[reader] == side
        if mine and (not here.rules.signs[reader] or floor.readers[reader, HEARD] >= since):
            return False
    return True


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
    """What was heard on its shelf just now may be heard through the door: more weakly. Strengths have heavy
    tails, so reads that go on outweigh them."""
    if state[CLAIMS + COUNT] >= _GOES_ON:
        return True
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

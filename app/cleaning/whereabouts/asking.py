"""What is believed of every tag now: also of those that are not due, and with a lone stray read."""

from __future__ import annotations

import numpy as np

from app.cleaning.tables import AREA, FORGET, LAST_TICK, READER, SEEN, TICK_MS, UP_SINCE, Floor
from app.cleaning.whereabouts.belief import let_pass, nearest_second, weigh_read
from app.cleaning.whereabouts.passing import is_in_door
from app.cleaning.whereabouts.tables import (
    BELIEVED_AT,
    CARRIED,
    FIRST,
    SETTLED,
    STRAY_AT,
    STRAY_READER,
    STRAY_STRENGTH,
    UNSETTLED,
    Shares,
    Whereabouts,
)
from sase.kernels.jit import kernel, part

_TINY = np.float32(1e-30)
_QUIET = 2  # periods of silence, up to which a settled tag is where it was


@kernel
def ask(floor: Floor, here: Whereabouts, row: Shares, found: Shares) -> None:
    """Into the row of each tag that was heard: that it is in each area, on its way, lost, out, at the last
    second that has passed. `row` is room for the states of one tag; nothing else changes."""
    _ask(floor, here, row, found)


@part
def _ask(floor, here, row, found):
    now = floor.clock[LAST_TICK] // TICK_MS
    for tag in range(found.shape[0]):
        if is_in_door(floor.tags[tag], here) and _is_read_there(floor.tags[tag], now, floor):
            found[tag, floor.tags[tag, AREA]] = np.float32(1.0)
        elif here.known[tag, FIRST] > 0:
            if _is_as_it_was(tag, now, floor, here):
                _sum_up(here.belief[tag], here.rules, found[tag])
            else:
                for state in range(len(row)):
                    row[state] = here.belief[tag, state]
                _bring(tag, now, row, floor, here)
                _sum_up(row, here.rules, found[tag])


@part
def _is_read_there(state, now, floor):
    return now * TICK_MS - state[SEEN] <= floor.areas[state[AREA], FORGET]


@part
def _is_as_it_was(tag, now, floor, here):
    known, state = here.known[tag], floor.tags[tag]
    if known[SETTLED] == UNSETTLED:
        return known[BELIEVED_AT] >= now
    silent = now * TICK_MS - _since(state, floor)
    return known[STRAY_AT] == 0 and silent <= _QUIET * here.rules.period[state[READER]]


@part
def _since(state, floor):
    """From when on silence counts: its last read, or when its reader came back."""
    return max(state[SEEN], floor.readers[state[READER], UP_SINCE])


@part
def _bring(tag, now, belief, floor, here):
    """As unsettling and looking at the tag would."""
    known = here.known[tag]
    at = known[BELIEVED_AT]
    if known[SETTLED] != UNSETTLED:
        at = max(at, nearest_second(_since(floor.tags[tag], floor)))
        heard = nearest_second(known[STRAY_AT])
        if heard >= at:
            reader = known[STRAY_READER]
            let_pass(belief, tag, at, heard, here)
            weigh_read(belief, tag, reader, floor.reader_area[reader], known[STRAY_STRENGTH], here)
            at = heard
    let_pass(belief, tag, at, now, here)


@part
def _sum_up(belief, rules, found):
    areas, total = len(rules.start), np.float32(0.0)
    for area in range(areas):
        chance = np.float32(0.0)
        for state in range(rules.start[area], rules.start_after[area]):
            chance += belief[state]
        found[area] = chance
        total += chance
    for state in range(CARRIED, 0):
        found[areas - CARRIED + state] = belief[state]
        total += belief[state]
    for place in range(len(found)):
        found[place] /= max(total, _TINY)

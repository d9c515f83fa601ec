"""What the log teaches of a place as it goes: strays, racks heard through a gate, how often readers speak."""

from __future__ import annotations

import numpy as np

from app.cleaning.tables import HEARD, Floor
from app.cleaning.whereabouts.company import join, learn_company
from app.cleaning.whereabouts.kinds import GHOST, SHORT, SLOW, WAY_OUT
from app.cleaning.whereabouts.tables import (
    FIRST,
    HITS,
    LAST,
    LAST_READER,
    POLLS,
    TRIP_AREA,
    TRIP_AT,
    TRIP_READS,
)
from sase.kernels.jit import inlined, part

STRAY_SECONDS = 20_000.0  # of one tag lying there: what the guess of a stray rate is worth
NEAR_TRIPS, TRIP_HOURS = 10.0, 20.0  # guessed round trips of a shelf's tags, in how many hours of one tag
OWN_TRIPS = 0.3  # what the shelf's rate is worth of a tag's own round trips
TRIP_MS = 60_000  # to a gate and back to the same shelf
MANY_POLLS = 400
GAP_PERIODS = 6  # between two reads of one reader: a longer gap is a journey
_HITS_AT_FIRST, _POLLS_AT_FIRST = 7.5, 10.0
_LOWEST, _HIGHEST = 0.25, 0.97
_QUIET_MS, _QUIETEST_MS, _LONGEST_MS = 3000, 40_000, 20_000.0
_FADING = 0.999


@inlined
def count_read(known, ts, reader, here):
    """A tag's read rate from the gaps between reads of one reader, never from where it is believed to be."""
    period = here.rules.period[reader]
    gap = ts - known[LAST]
    if known[LAST_READER] == reader and gap < GAP_PERIODS * period:
        known[HITS] += 1
        known[POLLS] += max(1, (gap + period // 2) // period)
        if known[POLLS] > MANY_POLLS:
            known[HITS] //= 2
            known[POLLS] //= 2
    known[LAST] = ts
    known[LAST_READER] = reader


@inlined
def polls_to_reads(known):
    """Minus the log of missing the tag at a poll."""
    rate = (_HITS_AT_FIRST + known[HITS]) / (_POLLS_AT_FIRST + known[POLLS])
    return np.float32(-np.log(1.0 - min(max(rate, _LOWEST), _HIGHEST)))


@part
def burst_rates(tag, area, now, here):
    """How often this tag is heard through each gate while it lies there, a second."""
    hours = here.learned.exposed[area] / 3600.0
    own = (now - here.known[tag, FIRST]) / 3_600_000.0
    for gate in range(here.trips.shape[1]):
        shelf = here.learned.round_trips[area, gate] / (TRIP_HOURS + hours)
        rate = (OWN_TRIPS + here.trips[tag, gate]) / (OWN_TRIPS / shelf + own)
        here.senses.bursts[gate] = np.float32(rate / 3600.0)


@part
def note_trip(tag, ts, area, told, here):
    """A tag of a slow area is heard at a gate and then again where it lay: it was never away.

    Once is no burst: that is a ghost."""
    known, rules = here.known[tag], here.rules
    gate = rules.gate[area]
    if gate >= 0:
        if ts - known[TRIP_AT] <= TRIP_MS:
            known[TRIP_READS] += 1
        elif told >= 0 and rules.pace[told] == SLOW:
            known[TRIP_AT] = ts
            known[TRIP_READS] = 1
            known[TRIP_AREA] = told * here.trips.shape[1] + gate
            join(tag, ts, gate, told, here)
        return
    if known[TRIP_AT] > 0:
        lay, gate = known[TRIP_AREA] // here.trips.shape[1], known[TRIP_AREA] % here.trips.shape[1]
        if area == lay and ts - known[TRIP_AT] <= TRIP_MS and known[TRIP_READS] > 1:
            here.learned.round_trips[lay, gate] += 1.0
            here.trips[tag, gate] = min(here.trips[tag, gate] + 1, 255)
            learn_company(tag, gate, here)
        if area == lay or ts - known[TRIP_AT] > TRIP_MS:
            known[TRIP_AT] = 0


@inlined
def note_sign(reader, ts, floor, here):
    """A sign of life: how long this reader may be silent and still be there; a longer gap is no habit."""
    heard = floor.readers[reader, HEARD]
    gap = float(ts - heard) if heard > 0 and ts - heard <= _LONGEST_MS else 0.0
    longest = here.learned.longest
    longest[reader] = max(gap, longest[reader] * _FADING)


@part
def listen(now, floor: Floor, here):
    """Which readers work in this second, and what can be heard by them where."""
    senses, learned, rules = here.senses, here.learned, here.rules
    senses.pace[:] = 0.0
    senses.overheard[:] = 0.0
    senses.carried[0] = 0.0
    for area in range(len(learned.exposed)):
        learned.exposed[area] += learned.settled[area]
    for reader in range(len(senses.alive)):
        heard, own = floor.readers[reader, HEARD], floor.reader_area[reader]
        patience = min(max(_QUIET_MS, 2.0 * learned.longest[reader]), _QUIETEST_MS)
        alive = heard > 0 and now - heard <= patience
        senses.alive[reader] = alive
        known = rules.pace[own] == SHORT or rules.pace[own] == WAY_OUT
        for area in range(len(learned.exposed)):
            seconds = STRAY_SECONDS if known else learned.exposed[area]
            rate = np.float32(max(learned.strays[reader, area] / seconds, GHOST))
            senses.heard[reader, area] = rate
            if alive and area != own:
                senses.overheard[area] += rate
        if alive:
            senses.pace[own] += np.float32(1000.0 / rules.period[reader])
            senses.carried[0] += rules.passing[reader]

"""Who else is heard at a gate: a rack that is heard through it is heard together, who walks out is alone."""

from __future__ import annotations

import numpy as np

from app.cleaning.whereabouts.tables import COMPANY, RING, TRIP_AREA, TRIP_AT, TRIP_READS
from sase.kernels.jit import part

UNKNOWN, ALONE, TOGETHER = range(3)
_TOGETHER_MS = 2500
KNOWN_MS = 1000  # after which it is known who else is heard
_MANY = 4  # others of other products, from the same place
_BY_CHANCE = 0.03  # of those who walk out, who do so while a rack is heard
_LEAST = 0.05
ALONE_AT_FIRST, TRIPS_AT_FIRST = 1.0, 4.0  # of the round trips, how many were made alone


@part
def join(tag, ts, gate, area, here):
    """A visit of a tag that lay in this area begins."""
    ring = here.visits[gate]
    slot = ring[0] % RING
    ring[0] += 1
    ring[1 + 3 * slot] = ts
    ring[2 + 3 * slot] = area
    ring[3 + 3 * slot] = here.rules.product[tag]
    here.known[tag, COMPANY] = UNKNOWN


@part
def weigh_company(tag, ts, here):
    """Once it is known who else is heard, what was believed of the place where it lay changes."""
    known = here.known[tag]
    if known[TRIP_AT] == 0 or known[COMPANY] != UNKNOWN:
        return
    gates = here.trips.shape[1]
    area, gate = known[TRIP_AREA] // gates, known[TRIP_AREA] % gates
    alone = here.learned.alone[gate]
    share = max(alone[0] / alone[1], _LEAST)
    if _others(tag, gate, area, here) >= _MANY:
        known[COMPANY] = TOGETHER
        _multiply(tag, area, np.float32(max(1.0 - share, _LEAST) / _BY_CHANCE), here)
    elif ts - known[TRIP_AT] >= KNOWN_MS and known[TRIP_READS] > 1:
        known[COMPANY] = ALONE
        _multiply(tag, area, np.float32(share), here)


@part
def learn_company(tag, gate, here):
    """It came back from the gate, so it was never away: did the gate hear it alone?"""
    alone = here.learned.alone[gate]
    alone[1] += 1.0
    if here.known[tag, COMPANY] == ALONE:
        alone[0] += 1.0


@part
def _others(tag, gate, area, here):
    ring, began, product = here.visits[gate], here.known[tag, TRIP_AT], here.rules.product[tag]
    found = 0
    for slot in range(RING):
        near = abs(ring[1 + 3 * slot] - began) <= _TOGETHER_MS
        if near and ring[2 + 3 * slot] == area and ring[3 + 3 * slot] != product:
            found += 1
    return found


@part
def _multiply(tag, area, factor, here):
    _weight(here.belief[tag], area, factor, here.rules)
    _weight(here.given[tag], area, factor, here.rules)


@part
def _weight(belief, area, factor, rules):
    first = rules.start[area]
    total = np.float32(0.0)
    for state in range(len(belief)):
        if first <= state < rules.start_after[area]:
            belief[state] *= factor
        total += belief[state]
    for state in range(len(belief)):
        belief[state] /= max(total, np.float32(1e-30))

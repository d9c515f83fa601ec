"""What motion sensors and barcode scanners report: triggers may be missed, scans may come twice."""

from __future__ import annotations

import numpy as np

from app.place.radio import RadioDials
from simulator.sensors.chance import mixed, share
from simulator.sensors.reads import MOTION, Reads, joined
from simulator.worlds.world import Column, Presences

_AGAIN_MS = 500  # a motion sensor triggers again while somebody moves
_TWICE_MS = 350  # a barcode that is held too long is scanned again


def signals(presences: Presences, dials: RadioDials, seed: int) -> Reads:
    return joined([_motions(presences, dials, seed), _scans(presences, dials, seed)])


def _motions(presences: Presences, dials: RadioDials, seed: int) -> Reads:
    """From the moment at which somebody comes, as long as somebody moves."""
    found = [
        (ts, reader, MOTION)
        for reader, start, end in presences.motions
        for ts in range(start, end, _AGAIN_MS)
        if presences.begun <= ts < presences.until
    ]
    triggers = _reads(found)
    return triggers.only(_luck(triggers, seed) >= dials.misses)


def _scans(presences: Presences, dials: RadioDials, seed: int) -> Reads:
    """Whoever scans hears the beep, so none is missed."""
    scans = _reads([(ts, reader, row) for reader, row, ts in presences.scans])
    twice = scans.only(_luck(scans, seed) < dials.repeats)
    return joined([scans, twice._replace(ts=twice.ts + _TWICE_MS)])


def _reads(found: list[tuple[int, int, int]]) -> Reads:
    ts, reader, tag = np.array(found, np.int64).reshape(-1, 3).T
    return Reads(ts, reader, tag, np.zeros(len(found)))


def _luck(reads: Reads, seed: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    keys: Column = reads.tag * 4096 + reads.reader
    return share(mixed(mixed(keys, seed + 8) ^ reads.ts.astype(np.uint64), 9), 0)

"""Reads in passing: what is carried about is heard by a shelf on the way, though it never stops there."""

from __future__ import annotations

import numpy as np

from app.place.floor_plan import FloorPlan
from app.place.radio import RadioDials
from simulator.sensors.chance import mixed, share
from simulator.sensors.reads import NO_READS, Reads, joined
from simulator.worlds.world import Presences

_KINDS = ("shelf", "fitting", "stock", "reading", "bed")
_STRENGTH, _MOST = -58.0, 3
_AFTER_MS, _WITHIN_MS, _APART_MS = 300, 2_000, 400  # no walk is shorter than 4 s
_SALT = 3_000


class Passing:
    """Keeps the reads of a walk that is not over yet."""

    def __init__(self, plan: FloorPlan, dials: RadioDials, seed: int) -> None:
        self._share, self._salt = dials.passing, seed * 8191 + _SALT
        fields = [
            plan.readers.index(one) for one in plan.with_sensor("rfid") if plan.area(one.area).kind in _KINDS
        ]
        self._readers = np.array(fields, np.int64)
        self._later = NO_READS

    def heard(self, presences: Presences) -> Reads:
        every = joined([self._later, self._on(presences.walks)])
        now = every.ts < presences.until
        self._later = every.only(~now)
        return every.only(now)

    def _on(self, walks: tuple[tuple[int, int], ...]) -> Reads:
        tag, left = np.array(walks, np.int64).reshape(-1, 2).T
        luck = mixed(mixed(tag, self._salt) ^ left.astype(np.uint64), 1)
        read = (share(luck, 0) < self._share) & (len(self._readers) > 0)
        tag, left, luck = tag[read], left[read], luck[read]
        field = (share(luck, 1) * len(self._readers)).astype(np.int64)
        first = left + _AFTER_MS + (share(luck, 2) * _WITHIN_MS).astype(np.int64)
        count = 1 + (share(luck, 3) * _MOST).astype(np.int64)
        row = np.repeat(np.arange(len(tag)), count)
        number = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        ts = first[row] + number * _APART_MS
        return Reads(ts, self._readers[field[row]], tag[row], np.full(len(row), _STRENGTH))

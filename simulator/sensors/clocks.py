"""Readers' own clocks, and when their reports arrive: at once, or held back and delivered in a burst."""

from __future__ import annotations

import numpy as np

from app.place.radio import RadioDials
from simulator.sensors.chance import mixed, share
from simulator.sensors.episodes import episodes
from simulator.sensors.reads import Reads
from simulator.worlds.world import SECOND, Column

_HELD_MS = (30 * SECOND, 60 * SECOND)
_SALT = 4_000


class Clocks:
    """Each is ahead or behind from the beginning, and may run fast or slow from then on."""

    def __init__(self, readers: int, dials: RadioDials, seed: int, origin: int) -> None:
        luck = mixed(np.arange(readers), seed)
        self.offset = np.rint((share(luck, 0) * 2 - 1) * dials.skew_ms).astype(np.int64)
        self.drift = (share(luck, 1) * 2 - 1) * dials.drift / 1e6
        self._origin, self._readers = origin, readers
        self._holds, self._salt = dials.holds, seed * 8191 + _SALT

    def stamped(self, reads: Reads) -> Column:
        """What the readers' clocks say at the true times of these reads."""
        elapsed = reads.ts - self._origin
        return (
            reads.ts
            + self.offset[reads.reader]
            + np.rint(self.drift[reads.reader] * elapsed).astype(np.int64)
        )

    def arrival(self, reads: Reads, begun: int, until: int) -> Column:
        """The true time at which each report arrives."""
        arrives = reads.ts.copy()
        held = episodes(begun - _HELD_MS[1], until, self._readers, self._holds, self._salt)
        low, high = _HELD_MS
        ends = held.start + low + (share(held.luck, 0) * (high - low)).astype(np.int64)
        for reader, start, end in zip(held.whom, held.start, ends, strict=True):
            waits = (reads.reader == reader) & (reads.ts >= start) & (reads.ts < end)
            arrives[waits] = np.maximum(arrives[waits], end)
        return arrives

"""What the readers report of the world: with misses, ghosts, repeats, cross-reads, skew and outages."""

from __future__ import annotations

import numpy as np

from app.place.floor_plan import FloorPlan
from app.place.simulation import Noise
from simulator.sensors.chance import Bits, bell, mixed, share
from simulator.sensors.reads import STATUS, Chosen, Reads, Strength, joined
from simulator.sensors.signals import signals
from simulator.worlds.world import Presences

_NEAR, _SPREAD = -52.0, 3.0  # dBm of a tag in the reader's own area
_OVERHEARD = -70.0  # the same tag, heard by the reader next door
_GHOST = -68.0
_STATUS_MS = 15_000


class Radio:
    """Pure but for its tables: the same seed and presences give the same reads, however time is sliced."""

    def __init__(self, plan: FloorPlan, tags: int, noise: Noise, seed: int) -> None:
        self._noise, self._seed, self._tags = noise, seed, tags
        names = [area.name for area in plan.areas]
        self._period = np.array([reader.every_ms for reader in plan.readers], np.int64)
        index = {reader.name: number for number, reader in enumerate(plan.readers)}
        heard_by = [(index[reader.name], names.index(reader.area)) for reader in plan.with_sensor("rfid")]
        self._radios, self._area = np.array(heard_by, np.int64).reshape(-1, 2).T
        near = [[index[other.name] for other in plan.neighbours(reader)] for reader in plan.readers]
        most = max(1, *map(len, near)) if near else 1
        self._near = np.array([(row * most)[:most] or [-1] * most for row in near], np.int64)
        luck = share(mixed(np.arange(len(plan.readers)), seed), 0)
        self.clock_errors = np.rint((luck * 2 - 1) * noise.skew_ms).astype(np.int64)

    def hear(self, presences: Presences) -> Reads:
        """Every read of these presences, stamped by the readers' own clocks, in that order."""
        heard = self._attempts(presences)
        luck = self._luck(heard, 1)
        heard, luck = _chosen(heard, luck, share(luck, 0) >= self._noise.misses)
        parts = [heard, self._repeats(heard, luck), self._crossings(heard, luck), self._ghosts(heard, luck)]
        parts += [self._statuses(presences), signals(presences, self._noise, self._seed)]
        every = _up(joined(parts), presences.outages)
        every = every._replace(ts=every.ts + self.clock_errors[every.reader])
        return every.only(np.lexsort((every.tag, every.reader, every.ts)))

    def _attempts(self, presences: Presences) -> Reads:
        """Each reader polls a tag in its area once a period, each tag at its own moment of the period."""
        rows, radio = np.nonzero(presences.area[:, None] == self._area[None, :])
        reader = self._radios[radio]
        tag, period = presences.tag[rows], self._period[reader]
        moment = mixed(tag * len(self._period) + reader, self._seed) % period.astype(np.uint64)
        phase = moment.astype(np.int64)
        first = -((phase - presences.start[rows]) // period)
        counts = np.maximum(-((phase - presences.end[rows]) // period) - first, 0)
        repeated = np.repeat(np.arange(len(rows)), counts)
        step = np.arange(len(repeated)) - np.repeat(np.cumsum(counts) - counts, counts) + first[repeated]
        ts = phase[repeated] + step * period[repeated]
        reads = Reads(ts, reader[repeated], tag[repeated], np.empty(0))
        return reads._replace(rssi=_rounded(_NEAR + _SPREAD * bell(self._luck(reads, 2))))

    def _statuses(self, presences: Presences) -> Reads:
        """Every reader says now and then that it is there, tags or not."""
        moments = np.arange(-(-presences.begun // _STATUS_MS), -(-presences.until // _STATUS_MS)) * _STATUS_MS
        readers = np.arange(len(self._period))
        ts = np.repeat(moments, len(readers))
        return Reads(ts, np.tile(readers, len(moments)), np.full(len(ts), STATUS), np.zeros(len(ts)))

    def _luck(self, reads: Reads, salt: int) -> Bits:
        key = (reads.tag * len(self._period) + reads.reader).astype(np.uint64)
        return mixed(mixed(key, self._seed + 1) ^ reads.ts.astype(np.uint64), salt)

    def _repeats(self, heard: Reads, luck: Bits) -> Reads:
        """The same read reported once more, a moment later."""
        again, _ = _chosen(heard, luck, share(luck, 1) < self._noise.repeats)
        return again._replace(ts=again.ts + 40)

    def _crossings(self, heard: Reads, luck: Bits) -> Reads:
        """The tag is overheard by a reader whose field overlaps."""
        over, bits = _chosen(heard, luck, share(luck, 2) < self._noise.crossings)
        bits = mixed(bits, 3)
        reader = self._near[over.reader, (share(bits, 0) * self._near.shape[1]).astype(np.int64)]
        over = over._replace(reader=reader, rssi=_rounded(_OVERHEARD + _SPREAD * bell(mixed(bits, 4))))
        return over.only(reader >= 0)

    def _ghosts(self, heard: Reads, luck: Bits) -> Reads:
        """A read of a tag that is not there, by some reader."""
        ghost, bits = _chosen(heard, luck, share(luck, 3) < self._noise.ghosts)
        bits = mixed(bits, 5)
        reader = self._radios[(share(bits, 0) * len(self._radios)).astype(np.int64)]
        tag = (mixed(bits, 6) % np.uint64(self._tags)).astype(np.int64)
        return Reads(ghost.ts, reader, tag, _rounded(_GHOST + _SPREAD * bell(mixed(bits, 7))))


def _chosen(reads: Reads, luck: Bits, kept: Chosen) -> tuple[Reads, Bits]:
    return reads.only(kept), luck[kept]


def _up(reads: Reads, outages: tuple[tuple[int, int, int], ...]) -> Reads:
    kept = np.ones(len(reads.ts), bool)
    for reader, start, end in outages:
        kept &= ~((reads.reader == reader) & (reads.ts >= start) & (reads.ts < end))
    return reads.only(kept)


def _rounded(rssi: Strength) -> Strength:
    return np.round(rssi, 1)

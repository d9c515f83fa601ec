"""What the readers report of the world: with misses, ghosts, repeats, cross-reads and wrong clocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.place.radio import RadioDials
from app.place.scenario import Scenario
from simulator.sensors import strength
from simulator.sensors.answering import Answering
from simulator.sensors.at_home import HomeSensors
from simulator.sensors.chance import Bits, Shares, mixed, share
from simulator.sensors.clocks import Clocks
from simulator.sensors.gate_bursts import GateBursts
from simulator.sensors.hiding import Hiding
from simulator.sensors.passing import Passing
from simulator.sensors.reads import NO_READS, STATUS, Chosen, Reads, StampedReads, Strength, joined
from simulator.sensors.signals import signals
from simulator.worlds.world import Column, Presences

_STATUS_MS = 15_000


class _Polls(NamedTuple):
    """A reader asks a tag in its area: answered or not, with this chance of a miss."""

    asked: Reads
    luck: Bits
    missed: Shares

    def only(self, chosen: Chosen) -> _Polls:
        return _Polls(self.asked.only(chosen), self.luck[chosen], self.missed[chosen])


class Radio:
    """Pure but for its tables and for what is under way: the same seed and presences give the same reads,
    however time is sliced. Clocks drift from `origin` on."""

    def __init__(self, scenario: Scenario, dials: RadioDials, seed: int, origin: int = 0) -> None:
        plan = scenario.plan
        self._dials, self._seed, self._tags = dials, seed, scenario.items.num_rows
        names = [area.name for area in plan.areas]
        self._period = np.array([reader.every_ms for reader in plan.readers], np.int64)
        index = {reader.name: number for number, reader in enumerate(plan.readers)}
        heard_by = [(index[reader.name], names.index(reader.area)) for reader in plan.with_sensor("rfid")]
        self._radios, self._area = np.array(heard_by, np.int64).reshape(-1, 2).T
        near = [[index[other.name] for other in plan.neighbours(reader)] for reader in plan.readers]
        most = max(1, *map(len, near)) if near else 1
        self._near = np.array([(row * most)[:most] or [-1] * most for row in near], np.int64)
        self._answering = Answering(scenario, dials, seed)
        self._hiding = Hiding(scenario, dials.hiding, seed)
        self._bursts = GateBursts(plan, dials, seed)
        self._passing = Passing(plan, dials, seed)
        self._at_home = HomeSensors(scenario, dials, seed)
        self._clocks = Clocks(len(plan.readers), dials, seed, origin)

    @property
    def clock_errors(self) -> Column:
        """How many milliseconds the clock of each reader is ahead at the beginning."""
        return self._clocks.offset

    @property
    def clock_drifts(self) -> Shares:
        """By how much of the time that passes each clock gains."""
        return self._clocks.drift

    @property
    def mute(self) -> Chosen:
        return self._answering.mute

    def hear(self, presences: Presences) -> StampedReads:
        """Every read of these presences, stamped by the readers' own clocks, in that order."""
        every = _up(joined(self._reads(presences)), presences.outages)
        stamps = self._clocks.stamped(every)
        arrives = self._clocks.arrival(every, presences.begun, presences.until)
        order = np.lexsort((every.tag, every.reader, stamps))
        return StampedReads(every._replace(ts=stamps).only(order), arrives[order])

    def _reads(self, presences: Presences) -> list[Reads]:
        polls = self._polls(presences)
        answered = polls.only(share(polls.luck, 0) >= polls.missed)
        luck = self._luck(answered.asked, 2)
        heard = answered.asked._replace(rssi=self._strength("near", answered.asked, luck))
        return [
            heard,
            self._repeats(heard, answered.luck),
            self._overheard(answered, self._dials.crossings),
            self._overheard(polls, self._dials.strays),
            self._ghosts(heard, answered.luck),
            self._through_gates(presences),
            self._unmuted(self._passing.heard(presences)),
            self._statuses(presences),
            signals(presences, self._dials, self._seed),
            self._at_home.heard(presences),
        ]

    def _through_gates(self, presences: Presences) -> Reads:
        """Tags on a shelf, unless they cannot be heard there either."""
        reads, area = self._bursts.heard(presences)
        hidden = self._hiding.hides(reads, area, presences.begun, presences.until)
        return self._unmuted(reads.only(~hidden))

    def _polls(self, presences: Presences) -> _Polls:
        """Each reader polls a tag in its area once a period, each tag at its own moment of the period. Who
        never answers, or is hidden, is as good as not there."""
        rows, radio = np.nonzero(presences.area[:, None] == self._area[None, :])
        missed = self._answering.missed(presences, rows)
        reader = self._radios[radio]
        tag, period = presences.tag[rows], self._period[reader]
        moment = mixed(tag * len(self._period) + reader, self._seed) % period.astype(np.uint64)
        phase = moment.astype(np.int64)
        first = -((phase - np.maximum(presences.start[rows], presences.begun)) // period)
        counts = np.maximum(-((phase - presences.end[rows]) // period) - first, 0)
        counts[self._answering.mute[tag]] = 0
        each = np.repeat(np.arange(len(rows)), counts)
        step = np.arange(len(each)) - np.repeat(np.cumsum(counts) - counts, counts) + first[each]
        asked = Reads(phase[each] + step * period[each], reader[each], tag[each], np.empty(0))
        hidden = self._hiding.hides(asked, presences.area[rows][each], presences.begun, presences.until)
        polls = _Polls(asked._replace(rssi=np.zeros(len(each))), self._luck(asked, 1), missed[each])
        return polls.only(~hidden) if hidden.any() else polls

    def _statuses(self, presences: Presences) -> Reads:
        """Every reader says now and then that it is there, tags or not."""
        moments = np.arange(-(-presences.begun // _STATUS_MS), -(-presences.until // _STATUS_MS)) * _STATUS_MS
        readers = np.arange(len(self._period))
        ts = np.repeat(moments, len(readers))
        return Reads(ts, np.tile(readers, len(moments)), np.full(len(ts), STATUS), np.zeros(len(ts)))

    def _luck(self, reads: Reads, salt: int) -> Bits:
        return mixed(self._pairs(reads.tag, reads.reader) ^ reads.ts.astype(np.uint64), salt)

    def _pairs(self, tag: Column, reader: Column) -> Bits:
        return mixed((tag * len(self._period) + reader).astype(np.uint64), self._seed + 1)

    def _strength(self, of: str, reads: Reads, luck: Bits) -> Strength:
        if self._dials.heavy_tails:
            return strength.heavy(of, luck, self._pairs(reads.tag, reads.reader))
        return strength.kind(of, luck)

    def _repeats(self, heard: Reads, luck: Bits) -> Reads:
        """The same read reported once more, a moment later."""
        again = heard.only(share(luck, 1) < self._dials.repeats)
        return again._replace(ts=again.ts + 40)

    def _overheard(self, polls: _Polls, how_often: float) -> Reads:
        """The tag is heard by a reader whose field overlaps."""
        if not how_often:
            return NO_READS
        over, luck, _ = polls.only(share(polls.luck, 2) < how_often)
        bits = mixed(luck, 3)
        reader = self._near[over.reader, (share(bits, 0) * self._near.shape[1]).astype(np.int64)]
        over, bits = over._replace(reader=reader).only(reader >= 0), bits[reader >= 0]
        return over._replace(rssi=self._strength("overheard", over, mixed(bits, 4)))

    def _ghosts(self, heard: Reads, luck: Bits) -> Reads:
        """A read of a tag that is not there, by some reader."""
        kept = share(luck, 3) < self._dials.ghosts
        bits = mixed(luck[kept], 5)
        reader = self._radios[(share(bits, 0) * len(self._radios)).astype(np.int64)]
        tag = (mixed(bits, 6) % np.uint64(self._tags)).astype(np.int64)
        ghosts = Reads(heard.ts[kept], reader, tag, np.empty(0))
        return ghosts._replace(rssi=self._strength("ghost", ghosts, mixed(bits, 7)))

    def _unmuted(self, reads: Reads) -> Reads:
        return reads.only(~self._answering.mute[reads.tag])


def _up(reads: Reads, outages: tuple[tuple[int, int, int], ...]) -> Reads:
    kept = np.ones(len(reads.ts), bool)
    for reader, start, end in outages:
        kept &= ~((reads.reader == reader) & (reads.ts >= start) & (reads.ts < end))
    return reads.only(kept)

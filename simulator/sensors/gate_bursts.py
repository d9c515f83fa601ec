"""A gate hears the nearest shelf for a moment: a door stands open, a trolley reflects."""

from __future__ import annotations

from math import dist

import numpy as np

from app.place.floor_plan import Area, FloorPlan
from app.place.radio import RadioDials
from simulator.sensors.chance import Shares, mixed, share
from simulator.sensors.episodes import Episodes, episodes
from simulator.sensors.reads import NO_READS, Reads, joined
from simulator.worlds.world import NOWHERE, Column, Presences

GATES = ("exit", "door")
_AUDIBLE = (0.1, 0.4)  # the share of a shelf's tags that a gate may ever hear
_TAKES_PART = 0.5
_STRENGTH = (-60.0, -48.0)
_SALT = 2_000


class GateBursts:
    """`gate_bursts` an hour at each gate, of the tags that are then in the nearest shelf's field."""

    def __init__(self, plan: FloorPlan, dials: RadioDials, seed: int) -> None:
        self._dials, self._salt = dials, seed * 8191 + _SALT
        gates = [(one, plan.area(one.area)) for one in plan.with_sensor("rfid")]
        near = [(plan.readers.index(one), _nearest(plan, area)) for one, area in gates if area.kind in GATES]
        self._gates = [(reader, plan.areas.index(shelf)) for reader, shelf in near if shelf]
        self._shelf = np.full(len(plan.readers), NOWHERE)
        for reader, area in self._gates:
            self._shelf[reader] = area

    def heard(self, presences: Presences) -> tuple[Reads, Column]:
        """The reads, and the area in which each tag lies."""
        begun, until = presences.begun - self._dials.burst_ms, presences.until
        found = episodes(begun, until, len(self._gates), self._dials.gate_bursts, self._salt)
        reads = joined([NO_READS, *(self._burst(found, one, presences) for one in range(len(found.whom)))])
        return reads, self._shelf[reads.reader]

    def _burst(self, found: Episodes, which: int, presences: Presences) -> Reads:
        gate, luck = int(found.whom[which]), found.luck[which]
        reader, area = self._gates[gate]
        rows = np.flatnonzero(presences.area == area)
        tags = presences.tag[rows]
        ear = share(mixed(np.array([gate]), self._salt), 0)
        audible = share(mixed(tags * len(self._gates) + gate, self._salt + 3), 0) < _within(*_AUDIBLE, ear)
        own = mixed(tags.astype(np.uint64) ^ luck, 1)
        rows = rows[audible & (share(own, 0) < _TAKES_PART)]
        return self._reads(rows, reader, int(found.start[which]), luck, presences)

    def _reads(self, rows: Column, reader: int, start: int, luck: np.uint64, presences: Presences) -> Reads:
        fewest, most = (int(number) for number in self._dials.burst_reads)
        tags = presences.tag[rows]
        count = fewest + (share(mixed(tags.astype(np.uint64) ^ luck, 2), 0) * (most - fewest + 1)).astype(int)
        row, number = np.repeat(rows, count), np.arange(count.sum())
        number -= np.repeat(np.cumsum(count) - count, count)
        bits = mixed(mixed(presences.tag[row].astype(np.uint64) ^ luck, 3) ^ number.astype(np.uint64), 4)
        ts = start + (share(bits, 0) * self._dials.burst_ms).astype(np.int64)
        reads = Reads(
            ts, np.full(len(ts), reader), presences.tag[row], _within(*_STRENGTH, share(bits, 1)).round(1)
        )
        here = (ts >= np.maximum(presences.start[row], presences.begun)) & (ts < presences.end[row])
        return reads.only(here)


def _nearest(plan: FloorPlan, gate: Area) -> Area | None:
    return min(plan.of_kind("shelf"), key=lambda shelf: dist(shelf.centre, gate.centre), default=None)


def _within(low: float, high: float, luck: Shares) -> Shares:
    return low + (high - low) * luck

"""What sensors have read: columns of equal length, before they become reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simulator.worlds.world import Column

Chosen = npt.NDArray[np.bool_]
Strength = npt.NDArray[np.float64]
STATUS, MOTION = -1, -2  # in the place of a tag: a reader is there; somebody moves


class Reads(NamedTuple):
    """True time, reader, tag and strength in dBm; what is scanned stands in the place of the tag."""

    ts: Column
    reader: Column
    tag: Column
    rssi: Strength

    def only(self, chosen: Chosen | Column) -> Reads:
        return Reads(self.ts[chosen], self.reader[chosen], self.tag[chosen], self.rssi[chosen])


class StampedReads(NamedTuple):
    """Reads with the times of the readers' own clocks, and when the report of each arrives."""

    reads: Reads
    arrives: Column


NO_READS = Reads(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def joined(parts: Sequence[Reads]) -> Reads:
    return Reads(
        np.concatenate([part.ts for part in parts]),
        np.concatenate([part.reader for part in parts]),
        np.concatenate([part.tag for part in parts]),
        np.concatenate([part.rssi for part in parts]),
    )

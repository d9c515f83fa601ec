"""What happens now and then, so many times an hour: the same whatever piece of time is looked at."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.sensors.chance import Bits, mixed, share
from simulator.worlds.world import MINUTE, Column


class Episodes(NamedTuple):
    """To whom, when it begins, and the luck that decides the rest."""

    whom: Column
    start: Column
    luck: Bits

    def only(self, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Episodes:
        return Episodes(self.whom[chosen], self.start[chosen], self.luck[chosen])


def episodes(begun: int, until: int, count: int, per_hour: float, salt: int) -> Episodes:
    """Those that begin in this time, to each of so many; at most one begins in a minute."""
    minutes = np.arange(begun // MINUTE, -(-until // MINUTE))
    whom, minute = np.repeat(np.arange(count), len(minutes)), np.tile(minutes, count)
    luck = mixed(mixed(whom, salt) ^ minute.astype(np.uint64), salt + 1)
    start = minute * MINUTE + (share(luck, 1) * MINUTE).astype(np.int64)
    happens = (share(luck, 0) < per_hour / 60) & (start >= begun) & (start < until)
    return Episodes(whom, start, mixed(luck, salt + 2)).only(happens)

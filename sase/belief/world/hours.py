"""Who comes at which hour of the week, for sightings that name nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from sase.belief.world.motion import Floats

HOUR = 3_600_000
WEEK = 168  # hours
_FIRST = 72  # the epoch began on a Thursday; hour 0 is Monday's first, UTC
_USUAL = 1.0  # as many hours of presence as everybody is given beforehand


class Hours:
    """How often each entity is about in each hour of the week; the same for everybody who is not known."""

    def __init__(self, names: Sequence[str], known: Mapping[str, Mapping[int, float]]) -> None:
        self._usual = np.ones((len(names), WEEK)) if known else None
        for i, name in enumerate(names):
            for hour, often in known.get(name, {}).items():
                assert self._usual is not None
                self._usual[i, hour] = often

    def at(self, ts: int, entities: Sequence[int]) -> Floats:
        """Their shares of whoever comes at this hour."""
        if self._usual is None:
            return np.full(len(entities), 1 / len(entities))
        often = self._usual[list(entities), hour_of(ts)]
        return np.asarray(often / often.sum())


def hour_of(ts: int) -> int:
    return (ts // HOUR + _FIRST) % WEEK


def habits(seen: Iterable[tuple[str, int]]) -> dict[str, dict[int, float]]:
    """From names and times: how often one is about in an hour of the week, 1 being as often as usual.

    What counts is in how many different hours somebody was named, not how often within one.
    """
    present = {(name, ts // HOUR) for name, ts in seen}
    often = Counter((name, hour_of(hour * HOUR)) for name, hour in present)
    names = sorted({name for name, _ in present})
    found: dict[str, dict[int, float]] = {name: {} for name in names}
    for hour in sorted({hour for _, hour in often}):
        usual = sum(often[name, hour] for name in names) / len(names)
        for name in names:
            found[name][hour] = round((often[name, hour] + _USUAL) / (usual + _USUAL), 4)
    return found

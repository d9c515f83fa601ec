"""Things that hide each other: now and then something stands before a product's items on their shelf."""

from __future__ import annotations

import numpy as np

from app.place.scenario import Scenario
from simulator.sensors.chance import bell, mixed, share
from simulator.sensors.episodes import episodes
from simulator.sensors.reads import Chosen, Reads
from simulator.worlds.world import MINUTE, Column

_KINDS = ("shelf", "stock")
_MEAN_MS, _SPREAD, _LONGEST_MS = 4 * MINUTE, 0.8, 60 * MINUTE  # lognormal, and cut off
_LEAST, _BAY = 0.3, 24  # the share that is hidden at least; how many rows of a catalog stand side by side
_SALT = 1_000


class Hiding:
    """Which tags cannot be read although they are there; `per_hour` for each product."""

    def __init__(self, scenario: Scenario, per_hour: float, seed: int) -> None:
        self._per_hour, self._seed = per_hour, seed
        self._group = _groups(scenario)
        self._count = int(self._group.max(initial=-1)) + 1
        self._places = np.array([area.kind in _KINDS for area in scenario.plan.areas], bool)

    def hides(self, polls: Reads, area: Column, begun: int, until: int) -> Chosen:
        """For each poll of a tag in an area."""
        hidden = np.zeros(len(polls.ts), bool)
        if not self._per_hour or not len(polls.ts):
            return hidden
        found = episodes(begun - _LONGEST_MS, until, self._count, self._per_hour, self._seed * 8191 + _SALT)
        length = _MEAN_MS * np.exp(_SPREAD * bell(found.luck) - _SPREAD**2 / 2)
        end = found.start + np.minimum(length, _LONGEST_MS).astype(np.int64)
        stored = np.flatnonzero(self._places[area])
        ts, tag = polls.ts[stored], polls.tag[stored]
        for group, start, stop, luck in zip(found.whom, found.start, end, found.luck, strict=True):
            if stop > begun:
                within = np.flatnonzero((ts >= start) & (ts < stop))
                ours = within[self._group[tag[within]] == group]
                behind = share(mixed(tag[ours].astype(np.uint64) ^ luck, 1), 0)
                least = _LEAST + (1 - _LEAST) * share(mixed(luck[None], 2), 0)
                hidden[stored[ours[behind < least]]] = True
        return hidden


def _groups(scenario: Scenario) -> Column:
    """What stands together: a product's items; without products, neighbours in the catalog."""
    items = scenario.items
    if "product" in items.column_names:
        products = items.column("product").combine_chunks().dictionary_encode()
        return np.asarray(products.indices, np.int64)
    return np.arange(items.num_rows) // _BAY

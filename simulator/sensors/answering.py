"""Which polls a tag answers: by its material, unless it is mute, hidden, or behind somebody's body."""

from __future__ import annotations

import numpy as np

from app.place.catalog import is_person
from app.place.radio import RadioDials
from app.place.scenario import Scenario
from simulator.sensors.chance import Shares, mixed, share
from simulator.sensors.gate_bursts import GATES
from simulator.sensors.reads import Chosen
from simulator.worlds.world import Column, Presences

_TILLS = ("counter", "returns", "cabinet")
_AT_TILLS = 0.1  # bodies stand in the way at a till a tenth as often as at a gate
_THROUGH_BODIES = 0.1  # of the reads come through all the same
_WORN = 0.5  # of the polls of a badge go through clothes and bodies, in a home
_SALT = 5_000


class Answering:
    """The luck of every tag for good, and of every passage."""

    def __init__(self, scenario: Scenario, dials: RadioDials, seed: int) -> None:
        plan, tags = scenario.plan, scenario.items.num_rows
        luck = mixed(np.arange(tags), seed * 8191 + _SALT)
        self._missed: Shares = np.full(tags, dials.misses)
        if dials.material:
            low, high = dials.material
            self._missed = 1 - (low + (high - low) * share(luck, 0))
        # Somebody whose badge or card never answers would have got another one in the first week.
        personal = is_person(scenario.items).to_numpy().astype(bool)
        self.mute: Chosen = (share(luck, 1) < dials.mute) & ~personal
        self._missed[self.mute] = 1.0
        self._missed = 1 - (1 - self._missed) * (_WORN if plan.moves else 1.0)
        kinds = [area.kind for area in plan.areas]
        often = [1.0 if kind in GATES else _AT_TILLS if kind in _TILLS else 0.0 for kind in kinds]
        self._shaded = dials.bodies * np.array(often)
        self._salt = seed * 8191 + _SALT + 1

    def missed(self, presences: Presences, rows: Column) -> Shares:
        """The share of the polls in these stays that are not answered."""
        tag, area = presences.tag[rows], presences.area[rows]
        luck = mixed(mixed(tag, self._salt) ^ presences.start[rows].astype(np.uint64), self._salt)
        shaded = share(luck, 0) < self._shaded[area]
        missed = self._missed[tag]
        return np.where(shaded, 1 - (1 - missed) * _THROUGH_BODIES, missed)

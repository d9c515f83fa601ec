"""Every tag's whereabouts between two batches, and as rows of a snapshot."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from app.cleaning.kept_rows import Numbers, fill, kept
from app.cleaning.tables import NOWHERE, Floor, Table
from app.cleaning.whereabouts.adopting import adopt
from app.cleaning.whereabouts.asking import ask
from app.cleaning.whereabouts.follow import follow
from app.cleaning.whereabouts.kinds import PHASES
from app.cleaning.whereabouts.model import empty
from app.cleaning.whereabouts.rates import (
    HeardShares,
    PlaceRates,
    heard_of,
    rates_of,
    take_over,
    weakened,
)
from app.cleaning.whereabouts.tables import CARRIED, FIRST, SETTLED, UNSETTLED, Shares
from app.cleaning.whereabouts.wheel import wind
from app.place.scenario import Scenario


class Believed:
    """Follows tags by what is believed of them; the tables of stays hold what was told."""

    def __init__(self, scenario: Scenario) -> None:
        plan = self._plan = scenario.plan
        self._tags = scenario.items.column("tag").combine_chunks()
        self._readers = pa.array([reader.name for reader in plan.readers], pa.string())
        self._areas = pa.array([area.name for area in plan.areas], pa.string())
        self.tables = empty(scenario)
        self._ways_out = self._areas.take(pa.array(self.tables.rules.gate_area))

    def follow(self, rows: Table, floor: Floor, until: int) -> None:
        follow(rows, floor, self.tables, until)

    def chances(self, floor: Floor) -> Shares:
        """Of every tag, at the last second that has passed: in each area, on its way, lost, out."""
        tags, states = self.tables.belief.shape
        found = np.zeros((tags, len(self.tables.rules.start) - CARRIED), np.float32)
        ask(floor, self.tables, np.empty(states, np.float32), found)
        return found

    def at_home(self, homes: Table) -> NDArray[np.float64]:
        """Of every tag, how likely it is on its shelf, as of the last look at it."""
        known, rules = self.tables.known, self.tables.rules
        settled = known[:, SETTLED]
        found: NDArray[np.float64] = ((settled == homes) & (homes != NOWHERE)).astype(np.float64)
        rows = np.flatnonzero((settled == UNSETTLED) & (homes != NOWHERE) & (known[:, FIRST] > 0))
        width = PHASES + 1 + len(rules.gate_area)
        states = rules.start[homes[rows], None] + np.arange(width)
        there = self.tables.belief[rows[:, None], states].sum(axis=1)
        found[rows] = np.minimum(there, 1.0)  # rounding may bring it above
        return found

    def rates(self) -> PlaceRates:
        return rates_of(self._plan, self.tables)

    def heard(self) -> HeardShares:
        return heard_of(self._plan, self.tables)

    def take_over(self, rates: PlaceRates) -> None:
        take_over(self._plan, self.tables, rates)

    def weaken(self) -> None:
        weakened(self._plan, self.tables)

    def state(self) -> list[pa.RecordBatch]:
        heard = self.tables.known[:, FIRST] > 0
        of_tags = [kept(of, self._tags, table, heard) for of, table in self._of_tags()]
        return [*of_tags, *(kept(of, names, table) for of, names, table in self._of_the_place())]

    def restore(self, state: pa.RecordBatch, floor: Floor) -> None:
        """What was kept; what stays alone knew, whereabouts believe from now on."""
        known = [fill(table, of, self._tags, state) for of, table in self._of_tags()]
        for of, names, table in self._of_the_place():
            fill(table, of, names, state)
        adopt(~np.logical_and.reduce(known), floor, self.tables)
        settled, learned = self.tables.known[:, SETTLED], self.tables.learned
        learned.settled[:] = np.bincount(settled[settled != UNSETTLED], minlength=len(learned.settled))
        wind(self.tables)

    def _of_tags(self) -> list[tuple[str, Numbers]]:
        tables = self.tables
        parts = tables.known, tables.belief, tables.given, tables.trips
        return list(zip(("known", "belief", "given", "trips"), parts, strict=True))

    def _of_the_place(self) -> list[tuple[str, pa.Array, Numbers]]:
        """What was learned, and what could be heard in the last second."""
        learned, senses = self.tables.learned, self.tables.senses
        return [
            ("strays", self._readers, learned.strays),
            ("longest", self._readers, learned.longest[:, None]),
            ("alive", self._readers, senses.alive[:, None]),
            ("heard", self._readers, senses.heard),
            ("exposed", self._areas, learned.exposed[:, None]),
            ("round trips", self._areas, learned.round_trips),
            ("pace", self._areas, senses.pace[:, None]),
            ("overheard", self._areas, senses.overheard[:, None]),
            ("visits", self._ways_out, self.tables.visits),
            ("alone", self._ways_out, learned.alone),
            ("carried", pa.array([""]), senses.carried[:, None]),
        ]

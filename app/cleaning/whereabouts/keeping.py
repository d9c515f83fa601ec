"""Every tag's whereabouts between two batches, and as rows of a snapshot."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from app.cleaning.kept_rows import fill, kept
from app.cleaning.tables import AREA, NOWHERE, SEEN, TICK_MS, Floor, Table
from app.cleaning.whereabouts.follow import follow
from app.cleaning.whereabouts.model import empty
from app.cleaning.whereabouts.tables import BELIEVED_AT, DUE, FIRST, LAST, LAST_READER, SETTLED, UNSETTLED
from app.cleaning.whereabouts.wheel import wind
from app.place.scenario import Scenario


class Believed:
    """Follows tags by what is believed of them; the tables of stays hold what was told."""

    def __init__(self, scenario: Scenario) -> None:
        plan = scenario.plan
        self._tags = scenario.items.column("tag").combine_chunks()
        self._readers = pa.array([reader.name for reader in plan.readers], pa.string())
        self._areas = pa.array([area.name for area in plan.areas], pa.string())
        self.tables = empty(scenario)

    def follow(self, rows: Table, floor: Floor, until: int) -> None:
        follow(rows, floor, self.tables, until)

    def state(self) -> list[pa.RecordBatch]:
        learned, tables = self.tables.learned, self.tables
        heard = tables.known[:, FIRST] > 0
        return [
            kept("known", self._tags, tables.known, heard),
            kept("belief", self._tags, tables.belief, heard),
            kept("given", self._tags, tables.given, heard),
            kept("trips", self._tags, tables.trips, heard),
            kept("strays", self._readers, learned.strays),
            kept("longest", self._readers, learned.longest[:, None]),
            kept("exposed", self._areas, learned.exposed[:, None]),
            kept("round trips", self._areas, learned.round_trips),
        ]

    def restore(self, state: pa.RecordBatch, floor: Floor) -> None:
        """Stays that were kept without whereabouts begin as if their tags had just been read there."""
        learned, tables = self.tables.learned, self.tables
        known = fill(tables.known, "known", self._tags, state)
        for name in ("belief", "given", "trips"):
            known &= fill(getattr(tables, name), name, self._tags, state)
        fill(learned.strays, "strays", self._readers, state)
        fill(learned.longest[:, None], "longest", self._readers, state)
        fill(learned.exposed[:, None], "exposed", self._areas, state)
        fill(learned.round_trips, "round trips", self._areas, state)
        self._adopt(~known & (floor.tags[:, AREA] != NOWHERE), floor)
        settled = tables.known[:, SETTLED]
        learned.settled[:] = np.bincount(settled[settled != UNSETTLED], minlength=len(learned.settled))
        wind(tables)

    def _adopt(self, tags: Table, floor: Floor) -> None:
        """What was told and nothing more is known of: most likely still so."""
        known, belief, rules = self.tables.known, self.tables.belief, self.tables.rules
        seen = floor.tags[tags, SEEN]
        known[tags, FIRST] = known[tags, LAST] = seen
        known[tags, BELIEVED_AT] = seen // TICK_MS
        known[tags, DUE] = seen // TICK_MS + 1
        known[tags, LAST_READER] = -1
        belief[tags] = 0.05 * rules.first
        belief[np.flatnonzero(tags), rules.start[floor.tags[tags, AREA]] + 2] += np.float32(0.95)

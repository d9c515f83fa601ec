"""The batches of events that cleaning hands on: what happened, when, where, and what the catalog knows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from app.cleaning import stays
from app.cleaning.stays import Table
from app.place import event_types
from app.place.floor_plan import Area
from app.place.scenario import Scenario

_OWN = (("event", pa.string()), ("ts", pa.int64()), ("area", pa.string()), ("reader", pa.string()))
_NAMES: tuple[Callable[[Area], str], ...] = (
    lambda area: event_types.reading_type(area.kind),
    lambda area: event_types.reading_type(area.kind),
    lambda area: event_types.left_type(area.kind),
    lambda _: event_types.ALIVE,
    lambda _: event_types.CLOCK,
    lambda _: event_types.DUE,
)


class EventWriter:
    """Turns the lines of the cleaning loop into batches; made once per scenario."""

    def __init__(self, scenario: Scenario) -> None:
        plan = scenario.plan
        self._areas = pa.array([area.name for area in plan.areas], pa.string())
        self._readers = pa.array([reader.name for reader in plan.readers], pa.string())
        self._types = pa.array([name(area) for name in _NAMES for area in plan.areas], pa.string())
        self._items = scenario.items.combine_chunks()
        self.schema = pa.schema([*_OWN, ("dwell", pa.int64()), ("offset", pa.int64()), *self._items.schema])

    def batch(self, lines: Table) -> pa.RecordBatch:
        what, area = lines[:, stays.WHAT], lines[:, stays.WHERE]
        own = [
            self._types.take(pa.array(what * len(self._areas) + np.maximum(area, 0))),
            pa.array(lines[:, stays.WHEN]),
            self._areas.take(_index(area)),
            self._readers.take(_index(lines[:, stays.BY])),
            pa.array(lines[:, stays.DWELL], mask=what == stays.CLOCK),
            pa.array(lines[:, stays.DWELL], mask=what != stays.CLOCK),
        ]
        items = self._items.take(_index(lines[:, stays.TAG])).combine_chunks()
        columns = [column.combine_chunks() for column in items.columns]
        return pa.RecordBatch.from_arrays([*own, *columns], schema=self.schema)


def _index(rows: Table) -> pa.Array:
    """Rows to take; a row that is none gives null."""
    return pa.array(rows, mask=rows < 0)

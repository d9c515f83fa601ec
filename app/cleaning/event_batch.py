"""The batches of events that cleaning hands on: what happened, when, where, and what the catalog knows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from app.cleaning import tables
from app.cleaning.tables import Table
from app.place import event_types
from app.place.cleaning_settings import WHEREABOUTS
from app.place.floor_plan import Area
from app.place.scenario import Scenario

Sure = npt.NDArray[np.float64]
_OWN = (("event", pa.string()), ("ts", pa.int64()), ("area", pa.string()), ("reader", pa.string()))
_MEASURED = (("dwell", pa.int64()), ("offset", pa.int64()))
_DOUBTED = (("prob", pa.float64()),)  # where events may be less than certain
_NAMES: tuple[Callable[[Area], str], ...] = (
    lambda area: event_types.reading_type(area.kind),
    lambda area: event_types.reading_type(area.kind),
    lambda area: event_types.left_type(area.kind),
    lambda _: event_types.ALIVE,
    lambda _: event_types.CLOCK,
    lambda _: event_types.DUE,
    lambda area: event_types.scan_type(area.kind),
    lambda area: event_types.out_type(area.kind),
    lambda area: event_types.in_type(area.kind),
    lambda _: event_types.LOAN_TOLD,
    lambda area: event_types.glimpse_type(area.kind),
)


class EventWriter:
    """Turns the lines of the cleaning loop into batches; made once per scenario."""

    def __init__(self, scenario: Scenario) -> None:
        plan = scenario.plan
        self._areas = pa.array([area.name for area in plan.areas], pa.string())
        self._readers = pa.array([reader.name for reader in plan.readers], pa.string())
        self._types = pa.array([name(area) for name in _NAMES for area in plan.areas], pa.string())
        self._items = scenario.items.combine_chunks()
        self._doubts = scenario.cleaning.method == WHEREABOUTS
        doubted = _DOUBTED if self._doubts else ()
        self.schema = pa.schema([*_OWN, *_MEASURED, *doubted, *self._items.schema])

    def batch(self, lines: Table, sure: Sure) -> pa.RecordBatch:
        """`sure` says of each line how likely it is; not a number: certain."""
        what, area = lines[:, tables.WHAT], lines[:, tables.WHERE]
        own = [
            self._types.take(pa.array(what * len(self._areas) + np.maximum(area, 0))),
            pa.array(lines[:, tables.WHEN]),
            self._areas.take(_index(area)),
            self._readers.take(_index(lines[:, tables.BY])),
            pa.array(lines[:, tables.DWELL], mask=what == tables.CLOCK),
            pa.array(lines[:, tables.DWELL], mask=what != tables.CLOCK),
            *([pa.array(sure, mask=np.isnan(sure))] if self._doubts else []),
        ]
        items = self._items.take(_index(lines[:, tables.TAG])).combine_chunks()
        columns = [column.combine_chunks() for column in items.columns]
        return pa.RecordBatch.from_arrays([*own, *columns], schema=self.schema)


def _index(rows: Table) -> pa.Array:
    """Rows to take; a row that is none gives null."""
    return pa.array(rows, mask=rows < 0)

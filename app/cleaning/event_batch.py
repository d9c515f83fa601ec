"""The batches of events that cleaning hands on: what happened, when, where, and what the catalog knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from app.cleaning import tables
from app.cleaning.shelf_stock import StockLine
from app.cleaning.tables import Table
from app.place import event_types
from app.place.cleaning_settings import WHEREABOUTS
from app.place.floor_plan import Area
from app.place.scenario import Scenario

Sure = npt.NDArray[np.float64]
_OWN = (("event", pa.string()), ("ts", pa.int64()), ("area", pa.string()), ("reader", pa.string()))
_MEASURED = (("dwell", pa.int64()), ("offset", pa.int64()), ("below", pa.int64()))
_OF_ONE = ("tag", "id")  # what the things of a product do not share
_CERTAIN = 0.9999
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
_OF_STOCK = (event_types.filled_type, event_types.low_type)


class EventWriter:
    """Turns the lines of the cleaning loop into batches; made once per scenario."""

    def __init__(self, scenario: Scenario) -> None:
        plan = scenario.plan
        self._areas = pa.array([area.name for area in plan.areas], pa.string())
        self._readers = pa.array([reader.name for reader in plan.readers], pa.string())
        self._types = pa.array([name(area) for name in _NAMES for area in plan.areas], pa.string())
        stock = [name(area.kind) for area in plan.areas for name in _OF_STOCK]
        self._stock_types = pa.array(stock, pa.string())
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
            pa.nulls(len(lines), pa.int64()),
            *([pa.array(sure, mask=np.isnan(sure))] if self._doubts else []),
        ]
        items = self._items.take(_index(lines[:, tables.TAG])).combine_chunks()
        columns = [column.combine_chunks() for column in items.columns]
        return pa.RecordBatch.from_arrays([*own, *columns], schema=self.schema)

    def stock(self, lines: Sequence[StockLine]) -> pa.RecordBatch:
        """What has become of products on their shelves: an event about all that bear the name."""
        ts, low, rows, areas, below, sure = zip(*lines, strict=True)
        chances = np.array(sure)
        own = {
            "event": self._stock_types.take(pa.array(np.array(areas) * 2 + np.array(low))),
            "ts": pa.array(ts, pa.int64()),
            "area": self._areas.take(pa.array(areas)),
            "below": pa.array(below, pa.int64()),
            "prob": pa.array(chances, mask=chances >= _CERTAIN),
        }
        items = self._items.take(pa.array(rows)).combine_chunks()
        of_all = {name: items[name].chunk(0) for name in items.schema.names if name not in _OF_ONE}
        columns = [
            found
            if (found := {**of_all, **own}.get(field.name)) is not None
            else pa.nulls(len(lines), field.type)
            for field in self.schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self.schema)


def _index(rows: Table) -> pa.Array:
    """Rows to take; a row that is none gives null."""
    return pa.array(rows, mask=rows < 0)

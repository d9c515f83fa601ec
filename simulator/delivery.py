"""The readers' reports as rows of the log, in the order in which a broker delivers them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.log.row import ROW_SCHEMA
from app.mqtt.topics import READINGS
from app.place.scenario import Scenario
from simulator.world import Column


class Delivery:
    """A report arrives when it was made, whatever its reader's clock says: stamps come out of order.

    `ahead` is how far the clock of each reader is ahead of the true time."""

    def __init__(self, scenario: Scenario, ahead: Column) -> None:
        self._readers = pa.array([reader.name for reader in scenario.plan.readers])
        self._ahead = ahead
        self._position = 0

    def rows(self, reports: pa.RecordBatch) -> pa.RecordBatch:
        """Numbered on from the batch before."""
        reader = pc.index_in(reports["reader"], value_set=self._readers).to_numpy()
        made = reports["ts"].to_numpy() - self._ahead[reader]
        order = np.argsort(made, kind="stable")
        first, self._position = self._position, self._position + len(order)
        columns = dict(zip(reports.schema.names, reports.take(pa.array(order)).columns, strict=True)) | {
            "position": pa.array(np.arange(first, self._position)),
            "received": pa.array(made[order]),
            "topic": pa.repeat(READINGS, len(order)),
            "stamp": pa.nulls(len(order), pa.int64()),
        }
        return pa.RecordBatch.from_arrays([columns[name] for name in ROW_SCHEMA.names], schema=ROW_SCHEMA)

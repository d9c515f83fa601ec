"""The readers' reports as rows of the log: in the order of arrival, with times put right as ingest does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from app.ingest.intake import STALL_MS
from app.ingest.reader_clocks import ReaderClocks
from app.log.row import ROW_SCHEMA, STORED_SCHEMA, heartbeat_row, to_batch
from app.mqtt.topics import READINGS
from simulator.worlds.world import SECOND, Column

# Clocks become known as in the product, second by second; later on a trial need not be so exact to be right.
_LEARNING_MS, _GROUP_MS = 300 * SECOND, 60 * SECOND


class Delivery:
    """A report arrives when it was made or let go, whatever its reader's clock says; ingest takes what some
    time brings as one group, corrects it by what it has learned of clocks, and says that it was there."""

    def __init__(self, lateness_ms: int) -> None:
        self._clocks = ReaderClocks(lateness_ms)
        self._position = 0
        self._began: int | None = None

    def rows(self, reports: pa.RecordBatch, arrives: Column) -> pa.RecordBatch:
        """Numbered on from the batch before."""
        order = np.argsort(arrives, kind="stable")
        taken = pa.concat_batches(list(self._taken(_delivered(reports, arrives, order), arrives[order])))
        first, self._position = self._position, self._position + taken.num_rows
        numbers = pa.array(np.arange(first, self._position))
        return pa.RecordBatch.from_arrays([numbers, *taken.columns], schema=ROW_SCHEMA)

    def _taken(self, delivered: pa.RecordBatch, arrives: Column) -> Iterator[pa.RecordBatch]:
        self._began = int(arrives[0]) if self._began is None else self._began
        learning = arrives < self._began + _LEARNING_MS
        group = np.where(learning, arrives // SECOND, arrives // _GROUP_MS * (_GROUP_MS // SECOND))
        ends = [*np.flatnonzero(np.diff(group)) + 1, len(arrives)]
        for start, end in zip([0, *ends], ends, strict=False):
            taken = self._clocks.correct(delivered.slice(start, end - start), live=True)
            now = int(arrives[end - 1])
            yield taken
            yield to_batch([*self._clocks.news(taken), heartbeat_row(now - STALL_MS, now)])


def _delivered(reports: pa.RecordBatch, arrives: Column, order: Column) -> pa.RecordBatch:
    columns = dict(zip(reports.schema.names, reports.take(pa.array(order)).columns, strict=True)) | {
        "received": pa.array(arrives[order]),
        "topic": pa.repeat(READINGS, len(order)),
        "stamp": pa.nulls(len(order), pa.int64()),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in STORED_SCHEMA.names], schema=STORED_SCHEMA)

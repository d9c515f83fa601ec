"""Reports that are made but have not arrived: a reader or a network holds them back for a while."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from simulator.sensors.reports import SCHEMA
from simulator.worlds.world import Column


class HeldReports:
    """What is held comes before what is new, each with its time of arrival."""

    def __init__(self) -> None:
        self._reports = pa.RecordBatch.from_pylist([], schema=SCHEMA)
        self._arrives: Column = np.empty(0, np.int64)

    def add(self, reports: pa.RecordBatch, arrives: Column) -> None:
        if self._reports.num_rows:
            reports, arrives = (
                pa.concat_batches([self._reports, reports]),
                np.concatenate([self._arrives, arrives]),
            )
        self._reports, self._arrives = reports, arrives

    def until(self, ts: int | None) -> tuple[pa.RecordBatch, Column]:
        """What has arrived by then; everything if the play is over."""
        held = np.zeros(len(self._arrives), bool) if ts is None else self._arrives >= ts
        reports, arrives = self._reports, self._arrives
        self._reports, self._arrives = reports.filter(pa.array(held)), arrives[held]
        return (reports.filter(pa.array(~held)), arrives[~held]) if held.any() else (reports, arrives)

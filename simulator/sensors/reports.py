"""The readers' reports as rows of the log: readings and statuses, numbered per reader, in order of time."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from app.place.scenario import Scenario
from simulator.sensors.radio import Reads
from simulator.worlds.world import Column

_KINDS = pa.array(["reading", "status"])
_DETAILS = pa.array([None, '{"status": "online"}'], pa.string())
SCHEMA = pa.schema(
    [
        ("kind", pa.string()),
        ("reader", pa.string()),
        ("antenna", pa.int32()),
        ("tag", pa.string()),
        ("ts", pa.int64()),
        ("rssi", pa.float64()),
        ("seq", pa.int64()),
        ("detail", pa.string()),
    ]
)


class Reporter:
    """Keeps the readers' counters from one batch to the next."""

    def __init__(self, scenario: Scenario) -> None:
        readers = scenario.plan.readers
        self._readers = pa.array([reader.name for reader in readers])
        self._tags = pa.concat_arrays([*scenario.items.column("tag").chunks, pa.array([""])])
        self._antennas = np.array([reader.antennas for reader in readers], np.int64)
        self._counts = np.zeros(len(readers), np.int64)

    def batch(self, reads: Reads) -> pa.RecordBatch:
        """A read of tag -1 is a status report."""
        status = (reads.tag < 0).astype(np.int64)
        antenna = np.where(status, 0, 1 + reads.tag % self._antennas[reads.reader])
        columns = [
            _KINDS.take(pa.array(status)),
            self._readers.take(pa.array(reads.reader)),
            pa.array(antenna.astype(np.int32)),
            self._tags.take(pa.array(np.where(status, len(self._tags) - 1, reads.tag))),
            pa.array(reads.ts),
            pa.array(reads.rssi, mask=status.astype(bool)),
            pa.array(self._numbers(reads.reader)),
            _DETAILS.take(pa.array(status)),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)

    def _numbers(self, reader: Column) -> Column:
        """The running number of each report of its reader."""
        order = np.argsort(reader, kind="stable")
        counts = np.bincount(reader, minlength=len(self._counts))
        within = np.arange(len(reader)) - np.repeat(np.cumsum(counts) - counts, counts)
        numbers = np.empty(len(reader), np.int64)
        numbers[order] = self._counts[reader[order]] + within + 1
        self._counts += counts
        return numbers

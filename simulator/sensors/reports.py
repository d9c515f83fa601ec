"""The sensors' reports as rows of the log: what they read and statuses, numbered per reader, by time."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.log.row import SENSED
from app.place.floor_plan import SENSORS
from app.place.household import people
from app.place.scenario import Scenario
from simulator.sensors.at_home import GUESS, PASSED, distribution
from simulator.sensors.reads import STATUS, Reads
from simulator.worlds.world import Column

_KINDS = pa.array([*SENSED, "status"])
_DETAILS = pa.array([*[None] * len(SENSED), '{"status": "online"}'], pa.string())
_READING, _BARCODE, _STATUS = 0, 1, len(SENSED)
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
        self._codes, self._barcodes = _codes(scenario.items)
        self._antennas = np.array([reader.antennas for reader in readers], np.int64)
        self._kinds = np.array([SENSORS.index(reader.sensor) for reader in readers], np.int64)
        self._counts = np.zeros(len(readers), np.int64)
        self._ends = [reader.between for reader in readers]
        self._people = [str(one["id"]) for one in people(scenario.items)]

    def batch(self, reads: Reads) -> pa.RecordBatch:
        kind = np.where(reads.tag == STATUS, _STATUS, self._kinds[reads.reader])
        is_reading = kind == _READING
        columns = [
            _KINDS.take(pa.array(kind)),
            self._readers.take(pa.array(reads.reader)),
            pa.array(np.where(is_reading, 1 + reads.tag % self._antennas[reads.reader], 0).astype(np.int32)),
            self._codes.take(pa.array(self._code(reads.tag, kind))),
            pa.array(reads.ts),
            pa.array(reads.rssi, mask=~is_reading),
            pa.array(self._numbers(reads.reader)),
            self._details(reads, kind),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)

    def _code(self, tag: Column, kind: Column) -> Column:
        """Where a read's code stands: its tag, its barcode, or the empty one at the end."""
        shown = np.where(kind == _BARCODE, self._barcodes + tag, len(self._codes) - 1)
        return np.where(kind == _READING, tag, shown)

    def _details(self, reads: Reads, kind: Column) -> pa.Array:
        """What a status says, where somebody went, and whom a camera takes them for."""
        details, more = _DETAILS.take(pa.array(kind)), reads.tag <= PASSED
        if not more.any():
            return details
        pairs = zip(reads.reader[more].tolist(), reads.tag[more].tolist(), strict=True)
        said = pa.array([self._detail(*pair) for pair in pairs], pa.string())
        return pc.replace_with_mask(details, pa.array(more), said)

    def _detail(self, reader: int, code: int) -> str:
        if code <= GUESS:
            return json.dumps({"entities": distribution(code, self._people)})
        return json.dumps({"to": self._ends[reader][PASSED - code]})

    def _numbers(self, reader: Column) -> Column:
        """The running number of each report of its reader."""
        order = np.argsort(reader, kind="stable")
        counts = np.bincount(reader, minlength=len(self._counts))
        within = np.arange(len(reader)) - np.repeat(np.cumsum(counts) - counts, counts)
        numbers = np.empty(len(reader), np.int64)
        numbers[order] = self._counts[reader[order]] + within + 1
        self._counts += counts
        return numbers


def _codes(items: pa.Table) -> tuple[pa.Array, int]:
    """All tags, all barcodes and nothing, in one array; and where the barcodes begin."""
    tags = items.column("tag").combine_chunks()
    has_barcodes = "barcode" in items.column_names
    barcodes = items.column("barcode").combine_chunks() if has_barcodes else tags.slice(0, 0)
    return pa.concat_arrays([tags, barcodes, pa.array([""])]), len(tags)

"""Puts readings into the order of their time, the same way however the log is cut into batches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Times = npt.NDArray[np.int64]
HELD = "held"  # the kind of a reading that came too late for its turn
_HASTE = 60  # times as fast as they were read, held readings are told


class Order:
    """Holds each row back for `lateness_ms` of event time; what comes later than that is late.

    The clock is the latest time seen, so that which rows are late, and the order of the others,
    depends on the log alone and a cleaner can be rebuilt from it. If it keeps them, late readings come once
    more as HELD, shortly before the time to which the clock had come, with their own time as `stamp`: a
    minute in a second, one after the other as they were read, and none before what was handed on.
    """

    def __init__(self, schema: pa.Schema, lateness_ms: int, *, keeps_late: bool = False) -> None:
        self._lateness, self._keeps_late = lateness_ms, keeps_late
        self.held = pa.RecordBatch.from_pylist([], schema=schema)
        self.clock = 0

    @property
    def now(self) -> int:
        """Event time up to which everything has been handed on."""
        return max(0, self.clock - self._lateness)

    def now_after(self, rows: pa.RecordBatch) -> int:
        """The same once these rows have come."""
        return max(0, self.clock - self._lateness, (pc.max(rows["ts"]).as_py() or 0) - self._lateness)

    def push(self, rows: pa.RecordBatch) -> tuple[pa.RecordBatch, pa.RecordBatch]:
        """The rows whose turn has come, in order, and the late ones among the new rows."""
        times = rows["ts"].to_numpy()
        before = np.maximum.accumulate(np.concatenate([[self.clock], times]))
        late = pa.array(times < before[:-1] - self._lateness)
        self.clock = int(before[-1])
        self.held = pa.concat_batches([self.held, self._in_turn(rows, late, before[:-1])])
        return self._release(), rows.filter(late)

    def _in_turn(self, rows: pa.RecordBatch, late: pa.Array, clock: Times) -> pa.RecordBatch:
        """What is to be released some day, in the order of the log."""
        if not (self._keeps_late and pc.any(late).as_py()):
            return rows.filter(pc.invert(late))
        columns = dict(zip(rows.schema.names, rows.columns, strict=True)) | {
            "kind": pc.if_else(late, HELD, rows["kind"]),
            "ts": pc.if_else(late, pa.array(self._brought_near(rows["ts"].to_numpy(), clock)), rows["ts"]),
            "stamp": pc.if_else(late, rows["ts"], rows["stamp"]),
        }
        again = pa.RecordBatch.from_arrays(list(columns.values()), schema=rows.schema)
        return again.filter(pc.or_(pc.invert(late), pc.equal(rows["kind"], "reading")))

    def _brought_near(self, times: Times, clock: Times) -> Times:
        near: Times = clock - np.minimum((clock - times) // _HASTE, max(self._lateness - 1, 0))
        return near

    def advance(self, ts: int) -> pa.RecordBatch:
        """Time has passed without rows."""
        self.clock = max(self.clock, ts)
        return self._release()

    def finish(self) -> pa.RecordBatch:
        """Nothing more will come."""
        return self.advance(self.clock + self._lateness)

    def _release(self) -> pa.RecordBatch:
        due = pc.less_equal(self.held["ts"], self.now)
        released, self.held = self.held.filter(due), self.held.filter(pc.invert(due))
        return released.take(pa.array(np.argsort(released["ts"].to_numpy(), kind="stable")))

"""Packs the rows of a partition into one Arrow blob per bucket: few rows cross into the stateful operator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext

from sase.spark.blob import encode, written
from sase.spark.input.columns import CONTROL, DOT, LANE, MISFIT, NOTICES, PASSED, REASON
from sase.spark.input.lanes import Lane

SCHEMA = (
    "bucket bigint, part int, chunk int, top bigint, rows bigint, notice string, blob binary, passed binary"
)
_ARROW = pa.schema(
    {
        "bucket": pa.int64(),
        "part": pa.int32(),
        "chunk": pa.int32(),
        "top": pa.int64(),
        "rows": pa.int64(),
        "notice": pa.string(),
        "blob": pa.binary(),
        "passed": pa.binary(),
    }
)
CHUNK_ROWS = 1_000_000
_BATCH = "streaming.sql.batchId"  # what Spark calls the number of the micro-batch


@dataclass(frozen=True, slots=True)
class Packer:
    """What `mapInArrow` calls. Only events of the type `ticking` move the clock; None: all do."""

    lanes: tuple[Lane, ...]
    columns: tuple[str, ...]
    heartbeat: str
    ticking: str | None
    retired: tuple[int, ...] = ()  # keys that get a last row
    retired_until: int = -1  # in micro-batches up to this one

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        part = context.partitionId() if context else 0
        number = context.getLocalProperty(_BATCH) if context else None
        retired = self.retired if number is not None and int(number) <= self.retired_until else ()
        for chunk, table in enumerate(_chunks(batches)):
            yield self.packed(table, part, chunk, retired)

    def packed(self, table: pa.Table, part: int, chunk: int, retired: tuple[int, ...] = ()) -> pa.RecordBatch:
        """One row per bucket, also for buckets without events: every bucket learns how far time has come."""
        aside = pc.or_(_carried(table, CONTROL), _carried(table, REASON))
        events = table.filter(pc.and_not(pc.is_valid(table["event"]), aside))
        first, others = self._notices(table.filter(pc.or_(aside, _carried(table, MISFIT))), events)
        top, passed = self._top(events), _passed(table)
        rows: list[tuple[Any, ...]] = []
        for number, lane in enumerate(self.lanes):
            for place, key in enumerate(lane.keys):
                own = self._events(events, number, place, len(lane.keys))
                notice, through = (others, None) if rows else (first, passed)
                rows.append((key, part, chunk, top, own.num_rows, notice, encode(own), through))
        nothing = encode(self._events(events.slice(0, 0), 0, 0, 1))
        rows += [(key, part, chunk, top, 0, others, nothing, None) for key in retired]
        columns = zip(*rows, strict=True)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, _ARROW, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=_ARROW)

    def _notices(self, said: pa.Table, events: pa.Table) -> tuple[str, str]:
        """What the first bucket is told, which speaks for all, and what all others are."""
        names = [name for name in ("ts", "event", "_id", *NOTICES) if name in said.column_names]
        names = [name for name in names if name != PASSED]
        told: list[dict[str, Any]] = said.select(names).to_pylist()
        controls = [each for each in told if each.get(CONTROL) is not None]
        kept = int(pc.sum(pc.not_equal(events["event"], self.heartbeat)).as_py() or 0)
        return json.dumps({"kept": kept, "said": told}), json.dumps({"kept": 0, "said": controls})

    def _top(self, events: pa.Table) -> int | None:
        times = events["ts"]
        if self.ticking is not None:
            times = times.filter(pc.equal(events["event"], self.ticking))
        top: int | None = pc.max(times).as_py()
        return top

    def _events(self, events: pa.Table, lane: int, place: int, places: int) -> pa.Table:
        column = events[LANE.format(lane)]
        own = events if places == 1 and column.null_count == 0 else events.filter(pc.equal(column, place))
        return own.select(self.columns).rename_columns([name.replace(DOT, ".") for name in self.columns])


def _chunks(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    held: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows >= CHUNK_ROWS:
            yield pa.Table.from_batches(held)
            held, rows = [], 0
    if rows:
        yield pa.Table.from_batches(held)


def _passed(table: pa.Table) -> bytes | None:
    """The rows of earlier levels, column by column as they came."""
    if PASSED not in table.column_names:
        return None
    found = table[PASSED].filter(pc.is_valid(table[PASSED])).combine_chunks()
    return written(pa.Table.from_struct_array(found)) if len(found) else None


def _carried(table: pa.Table, name: str) -> pa.ChunkedArray:
    """Which rows have a value there; a column that nobody needs is not sent."""
    if name in table.column_names:
        return pc.is_valid(table[name])
    return pa.chunked_array([pa.repeat(False, table.num_rows)])

"""Events from Parquet, a batch at a time, with the rows that cannot be events told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from app.match.lines import LAST_TS, UnusableHeaderError, require
from sase.events.columns import milliseconds
from sase.events.ts_and_prob import probable


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """A batch with `ts` in milliseconds; `usable` tells which rows have a type and a time, `probable` which
    have no `prob` or one that can be."""

    first: int  # the number of its first row, from 1
    batch: pa.RecordBatch
    usable: NDArray[np.bool_]
    probable: NDArray[np.bool_]


def from_parquet(file: pq.ParquetFile, size: int) -> Iterator[CheckedRows]:
    _check(file.schema_arrow)
    first = 1
    for batch in file.iter_batches(size):
        yield _rows(first, batch)
        first += len(batch)


def _check(schema: pa.Schema) -> None:
    require(schema.names)
    event, ts = schema.field("event").type, schema.field("ts").type
    kind = event.value_type if pa.types.is_dictionary(event) else event
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise UnusableHeaderError(f"the column 'event' must hold texts, not {event}")
    if not (pa.types.is_integer(ts) or pa.types.is_timestamp(ts)):
        raise UnusableHeaderError(f"the column 'ts' must hold whole milliseconds or timestamps, not {ts}")


def _rows(first: int, batch: pa.RecordBatch) -> CheckedRows:
    at = batch.schema.get_field_index("ts")
    given = batch.column(at)
    ts = milliseconds(given) if pa.types.is_timestamp(given.type) else given.cast(pa.int64())
    batch = batch.set_column(at, "ts", ts)
    present = pc.and_(pc.is_valid(ts), pc.is_valid(batch.column("event"))).to_numpy(zero_copy_only=False)
    times = pc.fill_null(ts, 0).to_numpy()
    usable = present & (times > -LAST_TS) & (times < LAST_TS)
    likely = probable(batch.column("prob")) if "prob" in batch.schema.names else np.ones(len(batch), np.bool_)
    return CheckedRows(first, batch, usable, likely)

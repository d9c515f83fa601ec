"""Tables of numbers as rows of a snapshot and back: one row for each tag, reader or area, by its name."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.tables import Table

Chosen = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]
STATE = pa.schema([("of", pa.string()), ("name", pa.string()), ("values", pa.list_(pa.int64()))])


def kept(of: str, names: pa.Array, table: Numbers, chosen: Chosen | None = None) -> pa.RecordBatch:
    """The chosen rows; whatever they hold is kept bit by bit."""
    rows = np.arange(len(table)) if chosen is None else np.flatnonzero(chosen)
    values = _as_whole(table[rows])
    offsets = np.arange(len(rows) + 1, dtype=np.int32) * values.shape[1]
    lists = pa.ListArray.from_arrays(pa.array(offsets), pa.array(values.ravel()))
    columns = [pa.repeat(of, len(rows)).cast(pa.string()), names.take(pa.array(rows)), lists]
    return pa.RecordBatch.from_arrays(columns, schema=STATE)


def fill(table: Numbers, of: str, names: pa.Array, state: pa.RecordBatch) -> Chosen:
    """Fills in what was kept of the rows that are still known; which these are.

    An older version knew fewer columns: the others stay as they are. Of numbers that are not whole, all or
    none are known."""
    found = np.zeros(len(table), bool)
    mine = state.filter(pc.equal(state["of"], of))
    rows = pc.fill_null(pc.index_in(mine["name"], value_set=names), -1).to_numpy()
    lengths = pc.list_value_length(mine["values"]).to_numpy() if len(rows) else np.zeros(0, np.int64)
    for length in np.unique(lengths):
        alike = (lengths == length) & (rows >= 0)
        flat = mine["values"].filter(pa.array(alike)).flatten().to_numpy()
        values = flat.reshape(np.count_nonzero(alike), length)
        found[rows[alike]] = _put(table, rows[alike], values)
    return found


def _put(table: Numbers, rows: Table, values: Table) -> bool:
    if table.dtype == np.int64:
        known = min(table.shape[1], values.shape[1])
        table[rows, :known] = values[:, :known]
        return True
    numbers = np.ascontiguousarray(values).view(table.dtype)
    fits = numbers.shape[1] - table.shape[1] in range(8 // table.itemsize)
    if fits:
        table[rows] = numbers[:, : table.shape[1]]
    return fits


def _as_whole(table: Numbers) -> Table:
    """The bits of each row as whole numbers, filled up with zeros."""
    spare = -table.shape[1] % (8 // table.itemsize)
    padded = np.pad(table, ((0, 0), (0, spare)))
    whole: Table = np.ascontiguousarray(padded).view(np.int64)
    return whole

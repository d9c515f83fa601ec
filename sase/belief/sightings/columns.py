"""A batch of sightings as arrays of numbers, where every row names its entity and a Watch has heard it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sase.belief.world.hearing import Hearing

Numbers = NDArray[np.int64]


class Columns:
    """Remembers the last dictionaries, which batch after batch are the same."""

    def __init__(self, names: Sequence[str], hearing: Hearing) -> None:
        self._known = {"entity": pa.array(names, pa.string()), "sensor": pa.array(hearing.names, pa.string())}
        self._is_watch = hearing.is_watch
        self._numbers: dict[str, tuple[pa.Array, Numbers]] = {}

    def read(self, rows: Any) -> tuple[Numbers, Numbers, Numbers] | None:
        """Times, sensors and entities; None if the rows must be read, or refused, one by one."""
        if isinstance(rows, pa.Table):
            rows = rows.combine_chunks().to_batches()[0] if len(rows) else None
        if not isinstance(rows, pa.RecordBatch) or not _plain(rows):
            return None
        sensors, entities = (self._column(rows, name) for name in ("sensor", "entity"))
        if sensors is None or entities is None or not self._is_watch[np.unique(sensors)].all():
            return None
        # Copied: Arrow's own memory is read-only, for which the kernels would be compiled once more.
        return np.array(rows.column("ts").to_numpy(zero_copy_only=False)), sensors, entities

    def _column(self, rows: pa.RecordBatch, name: str) -> Numbers | None:
        column = rows.column(name)
        if column.null_count:
            return None
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        numbers = self._of(name, column.dictionary)[column.indices.to_numpy(zero_copy_only=False)]
        return None if len(numbers) and numbers.min() < 0 else numbers

    def _of(self, name: str, dictionary: pa.Array) -> Numbers:
        last = self._numbers.get(name)
        if last is None or not (last[0] is dictionary or last[0].equals(dictionary)):
            found = pc.index_in(dictionary.cast(pa.string()), value_set=self._known[name])
            last = dictionary, pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)
            self._numbers[name] = last
        return last[1]


def _plain(rows: pa.RecordBatch) -> bool:
    """Whether nothing but times, sensors and names is said."""
    names = rows.schema.names
    others = [name for name in ("entities", "to", "sure") if name in names]
    return (
        len(rows) > 0
        and {"ts", "sensor", "entity"} <= set(names)
        and rows.column("ts").type == pa.int64()
        and not rows.column("ts").null_count
        and all(rows.column(name).null_count == len(rows) for name in others)
    )


def first_late(ts: Numbers, clock: int | None) -> int | None:
    """The row at which time goes back."""
    if clock is not None and ts[0] < clock:
        return 0
    late = ts[1:] < ts[:-1]
    return int(np.argmax(late)) + 1 if late.any() else None

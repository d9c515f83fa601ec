"""A batch of events as the matcher sees it, whether it came as Arrow or as dicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.events.columns import Tagged, attribute_of, from_arrow, from_objects, without_views
from sase.events.dictionary import Dictionary
from sase.events.table import RawEvents
from sase.events.ts_and_prob import chances, check_probabilities, check_probability, time, times
from sase.kernels.intake import candidates
from sase.kernels.values import MISSING

Rows = NDArray[np.int64]


class Batch(Protocol):
    ts: NDArray[np.int64]

    def __len__(self) -> int: ...
    def candidates(self, wanted: Mapping[str, int]) -> tuple[Rows, NDArray[np.int64]]:
        """The rows that the types alone allow, and what each may be."""
        ...

    def column(self, name: str, rows: Rows | None, dictionary: Dictionary) -> Tagged: ...
    def chances(self, rows: Rows) -> NDArray[np.float64]:
        """How likely each of these events is to have happened: its `prob`, or 1."""
        ...

    def taken(self, rows: Rows) -> RawEvents: ...


def batch_of(events: Any) -> Batch:
    """A record batch, a table of one chunk, or any iterable of dicts."""
    if isinstance(events, pa.Table):
        events = events.combine_chunks().to_batches()[0] if len(events) else pa.RecordBatch.from_pylist([])
    if isinstance(events, pa.RecordBatch):
        return ArrowBatch(events)
    return DictBatch(list(events) if not isinstance(events, dict) else [events])


class ArrowBatch:
    def __init__(self, batch: pa.RecordBatch) -> None:
        _require(batch.schema.names if len(batch) else ("event", "ts"), 0)
        self._batch = batch
        if not len(batch):
            self.ts = np.zeros(0, np.int64)
            return
        ts = times(batch.column("ts"))
        self._batch = _uniform(batch, ts)
        self.ts = ts.to_numpy(zero_copy_only=False)
        if "prob" in batch.schema.names:
            check_probabilities(batch.column("prob"))

    def __len__(self) -> int:
        return len(self._batch)

    def candidates(self, wanted: Mapping[str, int]) -> tuple[Rows, NDArray[np.int64]]:
        rows, bits = np.empty(len(self), np.int64), np.empty(len(self), np.int64)
        if not len(self):
            return rows, bits
        types = self._batch.column("event")
        if not pa.types.is_dictionary(types.type):
            types = types.dictionary_encode()
        by_code = np.array([wanted.get(name, 0) for name in types.dictionary.to_pylist()] or [0], np.int64)
        codes = types.indices
        if codes.null_count:
            by_code = np.append(by_code, 0)
            codes = codes.fill_null(len(by_code) - 1)
        count = candidates(codes.cast(pa.int32()).to_numpy(zero_copy_only=False), by_code, rows, bits)
        return rows[:count], bits[:count]

    def column(self, name: str, rows: Rows | None, dictionary: Dictionary) -> Tagged:
        at = self._batch.schema.get_field_index(name)
        count = len(self) if rows is None else len(rows)
        if at < 0:
            return np.zeros(count, np.int64), np.full(count, MISSING, np.uint8)
        column = self._batch.column(at)
        return from_arrow(column if rows is None else column.take(pa.array(rows)), dictionary)

    def chances(self, rows: Rows) -> NDArray[np.float64]:
        at = self._batch.schema.get_field_index("prob")
        if at < 0:
            return np.ones(len(rows), np.float64)
        return chances(self._batch.column(at).take(pa.array(rows)))

    def taken(self, rows: Rows) -> RawEvents:
        return self._batch if len(rows) == len(self) else self._batch.take(pa.array(rows))


class DictBatch:
    def __init__(self, events: Sequence[dict[str, Any]]) -> None:
        for i, event in enumerate(events):
            _require(event, i)
            if event.get("prob") is not None:
                check_probability(event["prob"], i)
        self._events = events
        given = (event["ts"] for event in events)
        self.ts = np.fromiter((time(ts, i) for i, ts in enumerate(given)), np.int64, len(events))

    def __len__(self) -> int:
        return len(self._events)

    def candidates(self, wanted: Mapping[str, int]) -> tuple[Rows, NDArray[np.int64]]:
        bits = np.fromiter((wanted.get(event["event"], 0) for event in self._events), np.int64, len(self))
        rows = np.flatnonzero(bits)
        return rows, bits[rows]

    def column(self, name: str, rows: Rows | None, dictionary: Dictionary) -> Tagged:
        chosen = self._events if rows is None else [self._events[i] for i in rows]
        return from_objects(attribute_of(chosen, name), dictionary)

    def chances(self, rows: Rows) -> NDArray[np.float64]:
        given = (self._events[i].get("prob") for i in rows)
        return np.fromiter((1.0 if prob is None else float(prob) for prob in given), np.float64, len(rows))

    def taken(self, rows: Rows) -> RawEvents:
        return [self._events[i] for i in rows]


def _uniform(batch: pa.RecordBatch, ts: pa.Array) -> pa.RecordBatch:
    """The batch with times as they are counted, in layouts that rows can be taken from."""
    for i, field in enumerate(batch.schema):
        given = batch.column(i)
        column = ts if field.name == "ts" else without_views(given)
        if column.type != given.type:
            batch = batch.set_column(i, field.name, column)
    return batch


def _require(names: Iterable[str], row: int) -> None:
    for name in ("event", "ts"):
        if name not in names:
            raise ValueError(f"event {row + 1} of the batch has no {name!r}")

"""A batch of events as the matcher sees it, whether it came as Arrow or as dicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.events.columns import attribute_of, from_arrow, from_objects, has_views, without_views
from sase.events.dictionary import Dictionary, Tagged
from sase.events.table import RawEvents
from sase.events.ts_and_prob import (
    CHANCE,
    LIMIT,
    chances,
    check_probabilities,
    check_probability,
    check_time,
    time,
    times,
)
from sase.kernels.values import FLOAT, MISSING

Rows = NDArray[np.int64]


class Batch(Protocol):
    ts: NDArray[np.int64]
    certain: bool  # no event says how likely it is

    def __len__(self) -> int: ...
    def types(self) -> tuple[NDArray[np.int32], list[Any]]:
        """The type of every event as a code, and the types in the order of their codes."""
        ...

    def column(self, name: str, rows: Rows | None, dictionary: Dictionary) -> Tagged: ...
    def is_at_hand(self, name: str) -> bool:
        """Whether the whole column costs no more than some rows of it."""
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
        self.certain = "prob" not in batch.schema.names
        if not len(batch):
            self.ts = np.zeros(0, np.int64)
            return
        given = batch.column("ts")
        ts = times(given)
        if ts is not given:
            batch = batch.set_column(batch.schema.get_field_index("ts"), "ts", ts)
        self._batch = _without_views(batch)
        self.ts = ts.to_numpy(zero_copy_only=False)
        if not self.certain:
            check_probabilities(batch.column("prob"))

    def __len__(self) -> int:
        return len(self._batch)

    def types(self) -> tuple[NDArray[np.int32], list[Any]]:
        if not len(self):
            return np.zeros(0, np.int32), []
        types = self._batch.column("event")
        if not pa.types.is_dictionary(types.type):
            types = types.dictionary_encode()
        names, codes = types.dictionary.to_pylist(), types.indices
        if codes.null_count:
            names.append(None)
            codes = codes.fill_null(len(names) - 1)
        return codes.cast(pa.int32()).to_numpy(zero_copy_only=False), names

    def column(self, name: str, rows: Rows | None, dictionary: Dictionary) -> Tagged:
        at = self._batch.schema.get_field_index("prob" if name == CHANCE else name)
        count = len(self) if rows is None else len(rows)
        if at < 0 and name == CHANCE:
            return _certain(count)
        if at < 0:
            return np.zeros(count, np.int64), np.full(count, MISSING, np.uint8)
        column = self._batch.column(at) if rows is None else self._batch.column(at).take(pa.array(rows))
        return _tagged(chances(column)) if name == CHANCE else from_arrow(column, dictionary)

    def is_at_hand(self, name: str) -> bool:
        at = self._batch.schema.get_field_index("prob" if name == CHANCE else name)
        if at < 0:
            return True
        column = self._batch.column(at)
        return pa.types.is_int64(column.type) and not column.null_count

    def taken(self, rows: Rows) -> RawEvents:
        return self._batch if len(rows) == len(self) else self._batch.take(pa.array(rows))


class DictBatch:
    def __init__(self, events: Sequence[dict[str, Any]]) -> None:
        self.certain = True
        for i, event in enumerate(events):
            _require(event, i)
            if event.get("prob") is not None:
                check_probability(event["prob"], i)
                self.certain = False
        self._events = events
        given = (event["ts"] for event in events)
        self.ts = np.fromiter((time(ts, i) for i, ts in enumerate(given)), np.int64, len(events))

    def __len__(self) -> int:
        return len(self._events)

    def types(self) -> tuple[NDArray[np.int32], list[Any]]:
        code: dict[Any, int] = {}
        given = (code.setdefault(event["event"], len(code)) for event in self._events)
        return np.fromiter(given, np.int32, len(self)), list(code)

    def column(self, name: str, rows: Rows | None, dictionary: Dictionary) -> Tagged:
        chosen = self._events if rows is None else [self._events[i] for i in rows]
        if name == CHANCE:
            given = (event.get("prob") for event in chosen)
            return _tagged(np.array([1.0 if prob is None else float(prob) for prob in given]))
        return from_objects(attribute_of(chosen, name), dictionary)

    def is_at_hand(self, name: str) -> bool:  # noqa: ARG002
        return False

    def taken(self, rows: Rows) -> RawEvents:
        return [self._events[i] for i in rows]


def _tagged(numbers: NDArray[np.float64]) -> Tagged:
    return np.ascontiguousarray(numbers, np.float64).view(np.int64), np.full(len(numbers), FLOAT, np.uint8)


def _certain(count: int) -> Tagged:
    """All the same, so there once and for all."""
    values, kinds = _ones(count.bit_length())
    return values[:count], kinds[:count]


@cache
def _ones(bits: int) -> Tagged:
    return _tagged(np.ones(1 << bits))


def check_order(batch: Batch, time: int) -> None:
    """Events must come in the order of ts, none before the time that was reached."""
    ts = batch.ts
    if not len(ts):
        return
    if ts[0] <= -LIMIT or ts[-1] >= LIMIT:
        row = 0 if ts[0] <= -LIMIT else len(ts) - 1
        check_time(int(ts[row]), f"event {row + 1} of the batch: ts")
    late = ts[1:] < ts[:-1]
    row = int(np.argmax(late)) + 1 if late.any() else 0
    if row or ts[0] < time:
        raise ValueError(
            f"event {row + 1} of the batch is older than what came before it (ts {int(ts[row])}); "
            "events must come in the order of ts"
        )


def _without_views(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch in layouts that rows can be taken from."""
    for i, kind in enumerate(batch.schema.types):
        if has_views(kind):
            batch = batch.set_column(i, batch.schema.names[i], without_views(batch.column(i)))
    return batch


def _require(names: Iterable[str], row: int) -> None:
    for name in ("event", "ts"):
        if name not in names:
            raise ValueError(f"event {row + 1} of the batch has no {name!r}")

"""The window's relevant events as columns, and where each of them came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.kernels.layout import VALUES

Source: TypeAlias = pa.RecordBatch | list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Origin:
    """How to get from an event's number back to what came in; stays valid when the window moves on."""

    base: int
    row: NDArray[np.int64]  # batch number << 32 | row in the batch
    ts: NDArray[np.int64]
    position: NDArray[np.int64]
    batches: Mapping[int, Source]

    def event(self, number: int) -> dict[str, Any]:
        where = int(self.row[number - self.base])
        batch, row = self.batches[where >> 32], where & 0xFFFFFFFF
        if isinstance(batch, list):
            return batch[row]
        return event_of(batch, row)


class Reader(dict[int, tuple[dict[str, Any], int, int]]):
    """Events by their numbers, with time and position: read when asked for, or many at once."""

    def __init__(self, origin: Origin) -> None:
        super().__init__()
        self._origin = origin

    def __missing__(self, number: int) -> tuple[dict[str, Any], int, int]:
        origin, row = self._origin, number - self._origin.base
        self[number] = found = origin.event(number), int(origin.ts[row]), int(origin.position[row])
        return found

    def read(self, numbers: NDArray[np.int64]) -> None:
        """Arrow is fast by the column and slow by the value."""
        origin = self._origin
        rows = numbers - origin.base
        where = origin.row[rows]
        for batch in np.unique(where >> 32).tolist():
            here = where >> 32 == batch
            events = events_of(origin.batches[batch], where[here] & 0xFFFFFFFF)
            times, positions = origin.ts[rows[here]].tolist(), origin.position[rows[here]].tolist()
            self.update(zip(numbers[here].tolist(), zip(events, times, positions, strict=True), strict=True))


def events_of(source: Source, rows: NDArray[np.int64]) -> list[dict[str, Any]]:
    """Rows as dicts."""
    if isinstance(source, list):
        return [source[row] for row in rows.tolist()]
    return [_carried(event) for event in source.take(pa.array(rows)).to_pylist()]


def event_of(batch: pa.RecordBatch, row: int) -> dict[str, Any]:
    """One row as a dict."""
    values = zip(batch.schema.names, batch.columns, strict=True)
    return _carried({name: column[row].as_py() for name, column in values})


def _carried(event: dict[str, Any]) -> dict[str, Any]:
    """What is null in a batch is an attribute that the event does not carry."""
    if not isinstance(event["ts"], int):
        event["ts"] = round(event["ts"].timestamp() * 1000)
    return {name: value for name, value in event.items() if value is not None}


class Window:
    """Events from number `base` on, a row each; rows before are gone. Tables are replaced, never shifted."""

    def __init__(self, attributes: int, negatives: int) -> None:
        self.base = 0
        self.end = 0
        self._batches: dict[int, Source] = {}
        self._batch = 0
        self._width = VALUES + 2 * attributes + negatives
        self._allocate(1024)

    def _allocate(self, capacity: int) -> None:
        self._row = np.empty(capacity, np.int64)
        self._position = np.empty(capacity, np.int64)
        self._ts = np.empty(capacity, np.int64)
        self.events = np.empty((capacity, self._width), np.int64)

    def __len__(self) -> int:
        return self.end - self.base

    def origin(self) -> Origin:
        return Origin(self.base, self._row, self._ts, self._position, self._batches)

    def append(
        self,
        source: Source,
        positions: NDArray[np.int64],
        ts: NDArray[np.int64],
        columns: list[NDArray[np.int64]],
        values: list[tuple[NDArray[np.int64], NDArray[np.uint8]]],
    ) -> None:
        """Add the events of a source, all of them, with their positions in the stream."""
        count = len(positions)
        self._reserve(count)
        at = slice(len(self), len(self) + count)
        for i, column in enumerate(columns):
            self.events[at, i] = column
        for i, (value, kind) in enumerate(values):
            self.events[at, VALUES + 2 * i] = value
            self.events[at, VALUES + 2 * i + 1] = kind
        self._row[at] = (self._batch << 32) | np.arange(count)
        self._position[at] = positions
        self._ts[at] = ts
        self._batches = {**self._batches, self._batch: source}
        self._batch += 1
        self.end += count

    def _reserve(self, extra: int) -> None:
        needed = len(self) + extra
        if needed <= self._row.size:
            return
        capacity = max(needed, 2 * self._row.size)
        # Nobody else holds the table of events, so it can grow where it is; the others may be an Origin's.
        self.events.resize((capacity, self._width), refcheck=False)
        self._row, self._position, self._ts = (
            np.concatenate([array, np.empty(capacity - array.size, np.int64)])
            for array in (self._row, self._position, self._ts)
        )

    def forget(self, before: int) -> None:
        """Drop the events numbered below, once they are as many as those that stay."""
        if 2 * (before - self.base) >= max(len(self), 1024):
            self._move(before, max(1024, 2 * (self.end - before)))

    def _move(self, base: int, capacity: int) -> None:
        old = (self._row, self._position, self._ts, self.events)
        kept = slice(base - self.base, self.end - self.base)
        size = self.end - base
        self._allocate(capacity)
        for new, was in zip((self._row, self._position, self._ts, self.events), old, strict=True):
            new[:size] = was[kept]
        self.base = base
        alive = {int(batch) for batch in np.unique(self._row[:size] >> 32)}
        self._batches = {number: batch for number, batch in self._batches.items() if number in alive}

"""The window's relevant events as columns, and where each of them came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.kernels.program import Events

Source = pa.RecordBatch | list[dict[str, Any]]


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


def event_of(batch: pa.RecordBatch, row: int) -> dict[str, Any]:
    """One row as a dict; what is null in a batch is an attribute that the event does not carry."""
    values = zip(batch.schema.names, batch.columns, strict=True)
    event = {name: column[row].as_py() for name, column in values if column[row].is_valid}
    if not isinstance(event["ts"], int):
        event["ts"] = round(event["ts"].timestamp() * 1000)
    return event


class Window:
    """Events from number `base` on; rows before are gone. Arrays are replaced, never shifted in place."""

    def __init__(self, attributes: int, negatives: int) -> None:
        self.base = 0
        self.end = 0
        self._batches: dict[int, Source] = {}
        self._batch = 0
        self._wide = max(attributes, 1)
        self._negatives = max(negatives, 1)
        self._allocate(1024)

    def _allocate(self, capacity: int) -> None:
        self._row = np.empty(capacity, np.int64)
        self._position = np.empty(capacity, np.int64)
        self._columns = {name: np.empty(capacity, np.int64) for name in _PLAIN}
        self._value = np.zeros((capacity, self._wide), np.int64)
        self._kind = np.zeros((capacity, self._wide), np.uint8)
        self.latest = np.empty((capacity, self._negatives), np.int64)

    @property
    def events(self) -> Events:
        return Events(
            **self._columns, value=self._value, number=self._value.view(np.float64), kind=self._kind
        )

    def __len__(self) -> int:
        return self.end - self.base

    def origin(self) -> Origin:
        return Origin(self.base, self._row, self._columns["ts"], self._position, self._batches)

    def append(
        self,
        source: Source,
        positions: NDArray[np.int64],
        columns: dict[str, NDArray[np.int64]],
        values: list[tuple[NDArray[np.int64], NDArray[np.uint8]]],
    ) -> None:
        """Add the events of a source, all of them, with their positions in the stream."""
        count = len(positions)
        self._reserve(count)
        at = slice(len(self), len(self) + count)
        for name, column in columns.items():
            self._columns[name][at] = column
        for i, (value, kind) in enumerate(values):
            self._value[at, i] = value
            self._kind[at, i] = kind
        self._row[at] = (self._batch << 32) | np.arange(count)
        self._position[at] = positions
        self._batches = {**self._batches, self._batch: source}
        self._batch += 1
        self.end += count

    def _reserve(self, extra: int) -> None:
        needed = len(self) + extra
        if needed > self._row.size:
            self._move(self.base, max(needed, 2 * self._row.size))

    def forget(self, before: int) -> None:
        """Drop the events numbered below, once they are as many as those that stay."""
        if 2 * (before - self.base) >= max(len(self), 1024):
            self._move(before, max(1024, 2 * (self.end - before)))

    def _move(self, base: int, capacity: int) -> None:
        old = (self._row, self._columns, self._value, self._kind, self.latest, self._position)
        kept = slice(base - self.base, self.end - self.base)
        size = self.end - base
        self._allocate(capacity)
        self._row[:size] = old[0][kept]
        for name in _PLAIN:
            self._columns[name][:size] = old[1][name][kept]
        self._value[:size] = old[2][kept]
        self._kind[:size] = old[3][kept]
        self.latest[:size] = old[4][kept]
        self._position[:size] = old[5][kept]
        self.base = base
        alive = {int(batch) for batch in np.unique(self._row[:size] >> 32)}
        self._batches = {number: batch for number, batch in self._batches.items() if number in alive}


_PLAIN = ("clock", "ts", "order", "key", "group", "bits")

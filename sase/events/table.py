"""The window's relevant events as a table, and where each of them came from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.events.growth import extended
from sase.kernels.cells import CLOCK, VALUES
from sase.kernels.memory import lent

RawEvents: TypeAlias = pa.RecordBatch | list[dict[str, Any]]  # as they came in
Numbers = NDArray[np.int64]

LEAST_ROWS = 1024


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of one batch that are kept, once for all the tables that hold them."""

    raw: RawEvents
    ts: Numbers
    places: Numbers  # in the batch


@dataclass(frozen=True, slots=True)
class Chunk:
    """Events that came in one batch, those that some component wants: numbers from `first` on."""

    first: int
    source: Source
    rows: Numbers  # of the source
    offset: int  # the position of the batch in the stream

    def ts(self, numbers: Numbers) -> Numbers:
        return self.source.ts[self.rows[numbers - self.first]]

    def positions(self, numbers: Numbers) -> Numbers:
        return self.offset + self.source.places[self.rows[numbers - self.first]]

    def taken(self, numbers: Numbers) -> RawEvents:
        """Events as they came."""
        raw, rows = self.source.raw, self.rows[numbers - self.first]
        return [raw[row] for row in rows.tolist()] if isinstance(raw, list) else raw.take(pa.array(rows))

    def read(self, numbers: Numbers) -> Iterator[tuple[dict[str, Any], int, int]]:
        """Events with their times and positions. Arrow is fast by the column and slow by the value."""
        events = events_of(self.taken(numbers))
        return zip(events, self.ts(numbers).tolist(), self.positions(numbers).tolist(), strict=True)


@dataclass(frozen=True, slots=True)
class Origin:
    """How to get from an event's number back to what came in; stays valid when the window moves on."""

    chunks: list[Chunk]  # the table's own: it only ever appends to it
    firsts: list[int]
    count: int

    def ts(self, number: int) -> int:
        return int(self._chunk(number).ts(np.array(number)))

    def position(self, number: int) -> int:
        return int(self._chunk(number).positions(np.array(number)))

    def has(self, number: int) -> bool:
        return self.count > 0 and number >= self.firsts[0]

    def all_ts(self, numbers: Numbers) -> Numbers:
        found = np.empty(len(numbers), np.int64)
        for chunk, at in self.split(numbers):
            found[at] = chunk.ts(numbers[at])
        return found

    def all_positions(self, numbers: Numbers) -> Numbers:
        found = np.empty(len(numbers), np.int64)
        for chunk, at in self.split(numbers):
            found[at] = chunk.positions(numbers[at])
        return found

    def _chunk(self, number: int) -> Chunk:
        return self.chunks[bisect_right(self.firsts, number, 0, self.count) - 1]

    def split(self, numbers: Numbers) -> list[tuple[Chunk, Any]]:
        """The chunks that the numbers are in, and which of them are in each."""
        if not len(numbers):
            return []
        if self.count == 1 or numbers.min() >= self.firsts[self.count - 1]:
            return [(self.chunks[self.count - 1], slice(None))]
        chunk = np.searchsorted(np.array(self.firsts[: self.count]), numbers, side="right") - 1
        return [(self.chunks[i], np.flatnonzero(chunk == i)) for i in np.unique(chunk).tolist()]


class EventReader(dict[int, tuple[dict[str, Any], int, int]]):
    """Events by their numbers, with time and position: read when asked for, or many at once."""

    def __init__(self, origin: Origin) -> None:
        super().__init__()
        self._origin = origin

    def __missing__(self, number: int) -> tuple[dict[str, Any], int, int]:
        self.read(np.array([number]))
        return self[number]

    def read(self, numbers: Numbers) -> None:
        for chunk, at in self._origin.split(numbers):
            here = numbers[at]
            self.update(zip(here.tolist(), chunk.read(here), strict=True))


def events_of(raw: RawEvents) -> list[dict[str, Any]]:
    """Rows as dicts."""
    return raw if isinstance(raw, list) else [_carried(event) for event in raw.to_pylist()]


def _carried(event: dict[str, Any]) -> dict[str, Any]:
    """What is null in a batch is an attribute that the event does not carry."""
    return {name: value for name, value in event.items() if value is not None}


class EventTable:
    """Events from number `base` on, a row of the table each; rows before are gone."""

    def __init__(self, attributes: int, negatives: int) -> None:
        self.base = 0
        self.end = 0
        self._chunks: list[Chunk] = []
        self._firsts: list[int] = []
        self.rows = np.empty((LEAST_ROWS, VALUES + 2 * attributes + negatives), np.int64)

    def __len__(self) -> int:
        return self.end - self.base

    def clock(self, number: int) -> int:
        """What the window counts, of one event."""
        return int(self.rows[number - self.base, CLOCK])

    def last_until(self, position: int) -> int:
        """The last event up to a position of the latest batch."""
        if not self._chunks:
            return self.end - 1
        chunk = self._chunks[-1]
        row = np.searchsorted(chunk.source.places, position - chunk.offset, side="right")
        return chunk.first + int(np.searchsorted(chunk.rows, row)) - 1

    def last_before(self, clock: int) -> int:
        """The last event before the clock reaches a position or a time."""
        clocks = range(len(self))
        return self.base + bisect_left(clocks, clock, key=lambda row: self.rows[row, CLOCK]) - 1

    def origin(self) -> Origin:
        return Origin(self._chunks, self._firsts, len(self._chunks))

    @property
    def live(self) -> NDArray[np.int64]:
        return self.rows[: len(self)]

    def room(self, count: int) -> NDArray[np.int64]:
        """Rows for so many more events."""
        self.rows = extended(self.rows, len(self) + count)
        return self.rows[len(self) :]

    def append(self, source: Source, rows: Numbers, offset: int) -> None:
        """Keep the events of some rows of a source, which have been written."""
        self._chunks.append(Chunk(self.end, source, rows, offset))
        self._firsts.append(self.end)
        self.end += len(rows)

    @property
    def fading(self) -> int | None:
        """The event after which `forget` next finds something to do; None: there is none."""
        if not self._firsts:
            return None
        half = (len(self._firsts) + 1) // 2
        chunks = self._firsts[half] if half < len(self._firsts) else self.end
        return min(chunks, self.base + (max(len(self), LEAST_ROWS) + 1) // 2) - 1

    def forget(self, before: int) -> None:
        """Drop the events numbered below, once they are as many as those that stay.

        So with the batches they came in: even a few rows may hold much that was kept together with them.
        """
        gone = len(self._firsts) if before == self.end else bisect_right(self._firsts, before) - 1
        shrinks = 2 * (before - self.base) >= max(len(self), LEAST_ROWS)
        if shrinks:
            self._move(before)
        if shrinks or 2 * gone >= len(self._firsts):
            self._chunks, self._firsts = self._chunks[gone:], self._firsts[gone:]

    def _move(self, base: int) -> None:
        """Shift the table, which nobody else holds; the lists may be an Origin's and are replaced."""
        peak, size = len(self), self.end - base
        kept = self.rows[base - self.base : peak]
        if len(self.rows) > 4 * max(peak, LEAST_ROWS):
            self.rows = lent((2 * peak, self.rows.shape[1]), np.int64)
        self.rows[:size] = kept
        self.base = base

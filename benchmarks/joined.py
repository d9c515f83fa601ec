"""Join, then select: what a stream processor without sequence operators does, compiled.

Every event is joined with what its windows hold of the other types, whatever came first; the joined rows are
written down, and a selection keeps those in order (the report on TelegraphCQ/HiFi, section 3.4.3).
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.streams import Stream

Numbers = NDArray[np.int64]


class Rows(NamedTuple):
    """Rows of a window, those of one value chained from the newest back; a ring, a power of two long."""

    times: Numbers  # of the row: that of its latest event
    firsts: Numbers  # times of its events
    seconds: Numbers
    before: Numbers  # the row before it in its chain
    newest: Numbers  # per value
    count: Numbers


def joined(stream: Stream, attribute: str, domain: int, length: int, window: int) -> int:
    """How many sequences of the first two or three types there are."""
    ones, others, pairs, thirds = (_rows(domain, size) for size in (window, window, 16 * window, window))
    result = np.empty((1 << 20, length), np.int64)
    found = 0
    for batch in stream:
        kinds, times, values = _columns(batch, attribute)
        at = 0
        while at < len(kinds):
            at, size = _join(at, kinds, times, values, ones, others, pairs, thirds, result, window)
            found += _selected(result, size)
    return found


def _rows(domain: int, size: int) -> Rows:
    slots = 1 << int(size - 1).bit_length()
    columns = (np.zeros(slots, np.int64) for _ in range(4))
    return Rows(*columns, np.full(domain, -1, np.int64), np.zeros(1, np.int64))


def _columns(batch: pa.RecordBatch, attribute: str) -> tuple[Numbers, Numbers, Numbers]:
    kinds = batch.column("event").indices.to_numpy()
    return kinds, batch.column("ts").to_numpy(), batch.column(attribute).to_numpy()


@numba.njit(inline="always")
def _put(value, time, first, second, rows):
    at = rows.count[0] & (rows.times.size - 1)
    rows.times[at] = time
    rows.firsts[at] = first
    rows.seconds[at] = second
    rows.before[at] = rows.newest[value]
    rows.newest[value] = rows.count[0]
    rows.count[0] += 1


@numba.njit(inline="always")
def _newest(value, since, rows):
    """The newest row of a value that is still in the window; -1: none."""
    return _in_window(rows.newest[value], since, rows)


@numba.njit(inline="always")
def _in_window(number, since, rows):
    if number < 0 or number < rows.count[0] - rows.times.size:
        return -1
    return number if rows.times[number & (rows.times.size - 1)] > since else -1


@numba.njit(cache=True)
def _join(at, kinds, times, values, ones, others, pairs, thirds, result, window):
    """Join from an event on until the room for the result may run out; returns where and how much."""
    length = result.shape[1]
    size = 0
    while at < kinds.size and size + ones.times.size + pairs.times.size < result.shape[0]:
        kind, time, value = kinds[at], times[at], values[at]
        at += 1
        if kind >= length:
            continue
        since = time - window
        if kind < 2:
            own, other = (ones, others) if kind == 0 else (others, ones)
            number = _newest(value, since, other)
            while number >= 0:
                row = number & (other.times.size - 1)
                first, second = (time, other.times[row]) if kind == 0 else (other.times[row], time)
                if length == 2:
                    result[size, 0], result[size, 1] = first, second
                    size += 1
                else:
                    third = _newest(value, since, thirds)
                    while third >= 0:
                        place = third & (thirds.times.size - 1)
                        result[size, 0], result[size, 1] = first, second
                        result[size, 2] = thirds.times[place]
                        size += 1
                        third = _in_window(thirds.before[place], since, thirds)
                    _put(value, time, first, second, pairs)
                number = _in_window(other.before[row], since, other)
            _put(value, time, time, time, own)
        else:
            number = _newest(value, since, pairs)
            while number >= 0:
                row = number & (pairs.times.size - 1)
                result[size, 0], result[size, 1] = pairs.firsts[row], pairs.seconds[row]
                result[size, 2] = time
                size += 1
                number = _in_window(pairs.before[row], since, pairs)
            _put(value, time, time, time, thirds)
    return at, size


@numba.njit(cache=True)
def _selected(result, size):
    """How many rows are in order."""
    found = 0
    for row in range(size):
        ordered = True
        for column in range(1, result.shape[1]):
            ordered &= result[row, column - 1] < result[row, column]
        found += ordered
    return found

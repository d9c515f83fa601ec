"""From columns to the window's table: each in one pass, because every pass over a batch is memory traffic."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.addresses import kind_at, value_at
from sase.kernels.borrowed import borrowed
from sase.kernels.cells import BITS, CLOCK, GROUP, KEY, KIND, ORDER, VALUE, VALUES
from sase.kernels.jit import inlined, kernel

ADDRESS, SIZE, BIT, TAKEN = range(4)
END = np.int64(2**63 - 1)  # after all rows
LOOSE = -1  # an event without the key that was to hold the query together


class Arrivals(NamedTuple):
    """Events of a batch, a number each; what they are counted by goes on from the batches before."""

    clocks: NDArray[np.int64]
    orders: NDArray[np.int64]
    keys: NDArray[np.int64]
    groups: NDArray[np.int64]
    clock_offset: int
    order_offset: int


class Candidates(NamedTuple):
    """Which of them a query may want, and what each may be to it."""

    rows: NDArray[np.int64]
    bits: NDArray[np.int64]


class Partitions(NamedTuple):
    inferred: bool  # from equalities: an event without a key ends that
    grouped: bool  # an event without a group takes part in nothing
    nobody: int  # otherwise such events share this group


@kernel
def candidates(codes, by_code, rows, marks):
    """The rows whose type somebody wants, and the mark of each one's type; returns how many there are."""
    count = 0
    for i in range(codes.size):
        wanted = by_code[codes[i]]
        rows[count] = i
        marks[count] = wanted
        count += wanted != 0
    return count


@kernel
def merge(lists, rows, bits):
    """The rows of several lists in order, each once with the bits of all lists it is in; returns how many.

    lists: where the rows of each begin, how many there are, their bits, and how many are done.
    """
    count = 0
    while True:
        lowest = END
        for k in range(lists.shape[0]):
            if lists[k, TAKEN] < lists[k, SIZE]:
                lowest = min(lowest, value_at(lists[k, ADDRESS], lists[k, TAKEN]))
        if lowest == END:
            return count
        rows[count] = lowest
        bits[count] = 0
        for k in range(lists.shape[0]):
            if lists[k, TAKEN] < lists[k, SIZE] and value_at(lists[k, ADDRESS], lists[k, TAKEN]) == lowest:
                bits[count] |= lists[k, BIT]
                lists[k, TAKEN] += 1
        count += 1


@kernel
def lay(table, wanted, arrivals, partitions, columns, chosen):
    """Write the events still wanted as rows of the table; `chosen` tells which, returned is how many.

    columns: per attribute the addresses of its values and kinds.
    """
    return lay_rows(
        borrowed(table),
        borrowed(wanted),
        borrowed(arrivals),
        partitions,
        borrowed(columns),
        borrowed(chosen),
    )


@inlined
def lay_rows(table, wanted, arrivals, partitions, columns, chosen):
    count = 0
    for i in range(wanted.bits.size):
        bits = wanted.bits[i]
        row = wanted.rows[i]
        group = arrivals.groups[row] if partitions.grouped else np.int64(0)
        if bits == 0 or (partitions.grouped and group < 0):
            continue
        key = arrivals.keys[row]
        if partitions.inferred and key < 0:
            return LOOSE
        event = table[count]
        event[CLOCK] = arrivals.clocks[row] + arrivals.clock_offset
        event[ORDER] = arrivals.orders[row] + arrivals.order_offset
        event[KEY] = key
        event[GROUP] = group if group >= 0 else partitions.nobody
        event[BITS] = bits
        for attribute in range(columns.shape[0]):
            event[VALUES + 2 * attribute] = value_at(columns[attribute, VALUE], row)
            event[VALUES + 2 * attribute + KIND] = kind_at(columns[attribute, KIND], row)
        chosen[count] = row
        count += 1
    return count

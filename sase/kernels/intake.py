"""From columns to the window's table: each in one pass, because every pass over a batch is memory traffic."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.addresses import kind_at, value_at
from sase.kernels.cells import BITS, CLOCK, GROUP, KEY, KIND, ORDER, VALUE, VALUES
from sase.kernels.jit import kernel

LOOSE = -1  # an event without the key that was to hold the query together


class Arrivals(NamedTuple):
    """Events of a batch, a number each."""

    clocks: NDArray[np.int64]
    orders: NDArray[np.int64]
    keys: NDArray[np.int64]
    groups: NDArray[np.int64]
    bits: NDArray[np.int64]


class Partitions(NamedTuple):
    inferred: bool  # from equalities: an event without a key ends that
    grouped: bool  # an event without a group takes part in nothing
    nobody: int  # otherwise such events share this group


@kernel
def candidates(codes, by_code, rows, bits):
    """The rows whose type some component wants, and what each may be; returns how many there are."""
    count = 0
    for i in range(codes.size):
        wanted = by_code[codes[i]]
        rows[count] = i
        bits[count] = wanted
        count += wanted != 0
    return count


@kernel
def lay(table, arrivals, partitions, columns, chosen):
    """Write the events still wanted as rows of the table; `chosen` tells which, returned is how many.

    columns: per attribute the addresses of its values and kinds.
    """
    count = 0
    for i in range(arrivals.bits.size):
        group = arrivals.groups[i]
        if arrivals.bits[i] == 0 or (partitions.grouped and group < 0):
            continue
        if partitions.inferred and arrivals.keys[i] < 0:
            return LOOSE
        table[count, CLOCK] = arrivals.clocks[i]
        table[count, ORDER] = arrivals.orders[i]
        table[count, KEY] = arrivals.keys[i]
        table[count, GROUP] = group if group >= 0 else partitions.nobody
        table[count, BITS] = arrivals.bits[i]
        for attribute in range(columns.shape[0]):
            at = VALUES + 2 * attribute
            table[count, at] = value_at(columns[attribute, VALUE], i)
            table[count, at + KIND] = kind_at(columns[attribute, KIND], i)
        chosen[count] = i
        count += 1
    return count

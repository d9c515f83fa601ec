"""From columns to the window's table: each in one pass, because every pass over a batch is memory traffic."""

from __future__ import annotations

from sase.kernels.addresses import kind_at, value_at
from sase.kernels.jit import kernel
from sase.kernels.layout import BITS, CLOCK, GROUP, KEY, ORDER, VALUES

LOOSE = -1  # an event without the key that was to hold the query together


@kernel
def candidates(codes, by_code, rows, bits):
    """The rows whose type some component wants, and what each may be; returns how many there are."""
    n = 0
    for i in range(codes.size):
        wanted = by_code[codes[i]]
        rows[n] = i
        bits[n] = wanted
        n += wanted != 0
    return n


@kernel
def lay(E, clock, orders, keys, groups, nobody, bits, inferred, grouped, columns, rows):
    """Write the events that are still wanted as rows of the table; `rows` tells which, returned is how many.

    Where `grouped`, an event without a group takes part in nothing; otherwise such events share the group
    `nobody`. Where keys are `inferred`, one without a key ends it: LOOSE. columns: (attribute, 2) addresses.
    """
    n = 0
    for i in range(bits.size):
        if bits[i] == 0 or (grouped and groups[i] < 0):
            continue
        if inferred and keys[i] < 0:
            return LOOSE
        E[n, CLOCK] = clock[i]
        E[n, ORDER] = orders[i]
        E[n, KEY] = keys[i]
        E[n, GROUP] = groups[i] if groups[i] >= 0 else nobody
        E[n, BITS] = bits[i]
        for a in range(columns.shape[0]):
            E[n, VALUES + 2 * a] = value_at(columns[a, 0], i)
            E[n, VALUES + 2 * a + 1] = kind_at(columns[a, 1], i)
        rows[n] = i
        n += 1
    return n

"""The match buffer that all runs share (SASE+ 5.1): nodes linked to their past, with alternatives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import EVER, FIRST, LIKELIEST, OTHER, PREVIOUS, STEP, WRITTEN, YOUNGEST
from sase.kernels.jit import inlined, part
from sase.kernels.likelihood import from_bits


class Buffer(NamedTuple):
    nodes: NDArray[np.int64]
    base: NDArray[np.int64]


@inlined
def add_node(step, previous, since, buffer):
    node = buffer.base[EVER]
    row = node - buffer.base[FIRST]
    buffer.nodes[row, STEP] = step
    buffer.nodes[row, PREVIOUS] = previous
    buffer.nodes[row, OTHER] = -1
    buffer.nodes[row, YOUNGEST] = since
    buffer.nodes[row, WRITTEN] = -1
    buffer.base[EVER] = node + 1
    return node


@inlined
def join(node, head, buffer):
    """Make a node an alternative of another."""
    own = node - buffer.base[FIRST]
    row = head - buffer.base[FIRST]
    buffer.nodes[own, OTHER] = buffer.nodes[row, OTHER]
    buffer.nodes[row, OTHER] = node
    buffer.nodes[row, YOUNGEST] = max(buffer.nodes[row, YOUNGEST], buffer.nodes[own, YOUNGEST])
    if buffer.nodes.shape[1] > LIKELIEST:  # of floats that are not negative the bits are in the same order
        buffer.nodes[row, LIKELIEST] = max(buffer.nodes[row, LIKELIEST], buffer.nodes[own, LIKELIEST])


@inlined
def likeliest(node, buffer):
    """The probability of the likeliest past to a node."""
    return from_bits(buffer.nodes[node - buffer.base[FIRST], LIKELIEST])


@part
def copied(node, buffer):
    """A copy of a run's whole past: what splitting costs without a shared buffer."""
    newest = np.int64(-1)
    above = np.int64(-1)
    while node >= buffer.base[FIRST]:
        old = node - buffer.base[FIRST]
        copy = add_node(buffer.nodes[old, STEP], -1, buffer.nodes[old, YOUNGEST], buffer)
        buffer.nodes[copy - buffer.base[FIRST], OTHER] = buffer.nodes[old, OTHER]
        if buffer.nodes.shape[1] > LIKELIEST:
            buffer.nodes[copy - buffer.base[FIRST], LIKELIEST] = buffer.nodes[old, LIKELIEST]
        if above >= 0:
            buffer.nodes[above - buffer.base[FIRST], PREVIOUS] = copy
        else:
            newest = copy
        above = copy
        node = buffer.nodes[old, PREVIOUS]
    if node >= 0:  # what was cut off the front stays cut off
        buffer.nodes[above - buffer.base[FIRST], PREVIOUS] = node
    return newest


@part
def trace(node, buffer, path):
    """Write the path of a run that is not merged, first event first; returns its length."""
    length = 0
    at = node
    while at >= 0:
        length += 1
        at = buffer.nodes[at - buffer.base[FIRST], PREVIOUS]
    at = node
    for i in range(length - 1, -1, -1):
        path[i] = buffer.nodes[at - buffer.base[FIRST], STEP]
        at = buffer.nodes[at - buffer.base[FIRST], PREVIOUS]
    return length

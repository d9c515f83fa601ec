"""The match buffer that all runs share (SASE+ 5.1): nodes linked to their past, with alternatives."""

from __future__ import annotations

import numpy as np

from sase.kernels.jit import inlined, part
from sase.kernels.layout import EVER, FIRST, OTHER, PREVIOUS, STEP, WRITTEN, YOUNGEST


@inlined
def add_node(step, previous, since, B):
    at = B.base[EVER]
    i = at - B.base[FIRST]
    B.nodes[i, STEP] = step
    B.nodes[i, PREVIOUS] = previous
    B.nodes[i, OTHER] = -1
    B.nodes[i, YOUNGEST] = since
    B.nodes[i, WRITTEN] = -1
    B.base[EVER] = at + 1
    return at


@inlined
def join(at, head, B):
    """Make a node an alternative of another."""
    i = head - B.base[FIRST]
    B.nodes[at - B.base[FIRST], OTHER] = B.nodes[i, OTHER]
    B.nodes[i, OTHER] = at
    B.nodes[i, YOUNGEST] = max(B.nodes[i, YOUNGEST], B.nodes[at - B.base[FIRST], YOUNGEST])


@part
def copied(node, B):
    """A copy of a run's whole past: what splitting costs without a shared buffer."""
    newest = np.int64(-1)
    above = np.int64(-1)
    while node >= B.base[FIRST]:
        old = node - B.base[FIRST]
        at = add_node(B.nodes[old, STEP], -1, B.nodes[old, YOUNGEST], B)
        B.nodes[at - B.base[FIRST], OTHER] = B.nodes[old, OTHER]
        if above >= 0:
            B.nodes[above - B.base[FIRST], PREVIOUS] = at
        else:
            newest = at
        above = at
        node = B.nodes[old, PREVIOUS]
    if node >= 0:  # what was cut off the front stays cut off
        B.nodes[above - B.base[FIRST], PREVIOUS] = node
    return newest


@part
def trace(node, B, W):
    """The path of a run that is not merged, first event first."""
    length = 0
    at = node
    while at >= 0:
        length += 1
        at = B.nodes[at - B.base[FIRST], PREVIOUS]
    at = node
    for i in range(length - 1, -1, -1):
        W.path[i, 0] = B.nodes[at - B.base[FIRST], STEP] >> 8
        W.path[i, 1] = B.nodes[at - B.base[FIRST], STEP] & 255
        at = B.nodes[at - B.base[FIRST], PREVIOUS]
    return length

"""Matches that wait for their deadline because a negative component stands at their end: a heap of paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import (
    AGE,
    COMPONENT_BITS,
    DEADLINE,
    LENGTH,
    LIKELY,
    MATCHES,
    NEED_MATCHES,
    NEED_PATH,
    PATH,
    USED,
)
from sase.kernels.jit import inlined, part

HEAP_WIDTH = 5


class Waiting(NamedTuple):
    heap: NDArray[np.int64]  # (n, 5)
    path: NDArray[np.int64]  # steps
    size: NDArray[np.int64]


@part
def enter(deadline, length, likely, waiting):
    """Put a match into the heap whose path the caller has written behind the used part."""
    heap = waiting.heap
    start = waiting.size[USED]
    waiting.size[USED] = start + length
    at = waiting.size[MATCHES]
    waiting.size[MATCHES] = at + 1
    heap[at, DEADLINE] = deadline
    heap[at, AGE] = -(waiting.path[start] >> COMPONENT_BITS)
    heap[at, PATH] = start
    heap[at, LENGTH] = length
    heap[at, LIKELY] = likely
    rise(at, heap)


@part
def rise(at, heap):
    """Let an entry up to where those before it are not later."""
    while at > 0 and _less(heap, at, (at - 1) // 2):
        _swap(heap, at, (at - 1) // 2)
        at = (at - 1) // 2


@inlined
def is_due(clock, waiting):
    """Whether the earliest one's deadline has come: asked for every event, so without a call."""
    return waiting.size[MATCHES] > 0 and waiting.heap[0, DEADLINE] <= clock


@part
def leave(waiting):
    """Take the earliest one out of the heap; its path stays where it is until another match enters."""
    heap = waiting.heap
    last = waiting.size[MATCHES] - 1
    waiting.size[MATCHES] = last
    _swap(heap, 0, last)
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and _less(heap, child + 1, child):
            child += 1
        if not _less(heap, child, at):
            break
        _swap(heap, child, at)
        at = child
    if last == 0:
        waiting.size[USED] = 0


@part
def _less(heap, a, b):
    if heap[a, DEADLINE] != heap[b, DEADLINE]:
        return heap[a, DEADLINE] < heap[b, DEADLINE]
    return heap[a, AGE] < heap[b, AGE]


@part
def _swap(heap, a, b):
    for i in range(HEAP_WIDTH):
        heap[a, i], heap[b, i] = heap[b, i], heap[a, i]


@inlined
def may_enter(matches, steps, waiting):
    """Whether so many matches of so many steps altogether fit; if not, notes what is needed."""
    waiting.size[NEED_MATCHES] = waiting.size[MATCHES] + matches
    waiting.size[NEED_PATH] = waiting.size[USED] + steps
    return (
        waiting.size[NEED_MATCHES] <= waiting.heap.shape[0] and waiting.size[NEED_PATH] <= waiting.path.size
    )


def with_room(waiting: Waiting) -> Waiting:
    """The same with the room that was missing; paths are packed, without the gaps of those that have gone."""
    count, size = int(waiting.size[MATCHES]), waiting.size
    more = int(size[NEED_PATH] - size[USED])
    heap = np.empty((2 * int(size[NEED_MATCHES]), HEAP_WIDTH), np.int64)
    heap[:count] = waiting.heap[:count]
    starts, lengths = heap[:count, PATH].copy(), heap[:count, LENGTH]
    ends = np.cumsum(lengths)
    used = int(ends[-1]) if count else 0
    path = np.empty(2 * (used + more), np.int64)
    path[:used] = waiting.path[np.repeat(starts - (ends - lengths), lengths) + np.arange(used)]
    heap[:count, PATH] = ends - lengths
    size[USED] = used
    return Waiting(heap, path, size)


def nobody_waiting() -> Waiting:
    heap = np.zeros((16, HEAP_WIDTH), np.int64)
    return Waiting(heap, np.zeros(64, np.int64), np.zeros(NEED_PATH + 1, np.int64))

"""Matches that wait for their deadline because a negative component stands at their end: a heap of paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.jit import inlined, part


class Pending(NamedTuple):
    """`heap` holds (deadline, -first event, start of path, length); the younger of two that are due wins."""

    heap: NDArray[np.int64]  # (n, 4)
    path: NDArray[np.int64]  # (n, 2): event and component
    size: NDArray[np.int64]  # [waiting, used of path, matches and events that did not fit]


@part
def wait(deadline, length, D):
    """Put a match into the heap whose path the caller has written behind the used part."""
    start = D.size[1]
    D.size[1] = start + length
    at = D.size[0]
    D.size[0] = at + 1
    D.heap[at, 0] = deadline
    D.heap[at, 1] = -D.path[start, 0]
    D.heap[at, 2] = start
    D.heap[at, 3] = length
    while at > 0 and _less(D.heap, at, (at - 1) // 2):
        _swap(D.heap, at, (at - 1) // 2)
        at = (at - 1) // 2


@inlined
def is_due(clock, D):
    """Whether the earliest one's deadline has come: asked for every event, so without a call."""
    return D.size[0] > 0 and D.heap[0, 0] <= clock


@part
def take_due(D):
    """Remove the earliest one; returns where its path starts and its length."""
    start = D.heap[0, 2]
    length = D.heap[0, 3]
    last = D.size[0] - 1
    D.size[0] = last
    _swap(D.heap, 0, last)
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and _less(D.heap, child + 1, child):
            child += 1
        if not _less(D.heap, child, at):
            break
        _swap(D.heap, child, at)
        at = child
    if last == 0:
        D.size[1] = 0
    return start, length


@part
def _less(heap, a, b):
    return heap[a, 0] < heap[b, 0] or (heap[a, 0] == heap[b, 0] and heap[a, 1] < heap[b, 1])


@part
def _swap(heap, a, b):
    for i in range(4):
        heap[a, i], heap[b, i] = heap[b, i], heap[a, i]


@part
def has_room(matches, events, D):
    """Whether so many matches of so many events altogether fit; if not, notes what is needed."""
    D.size[2] = matches
    D.size[3] = events
    return D.size[0] + matches <= D.heap.shape[0] and D.size[1] + events <= D.path.shape[0]


def with_room(D: Pending) -> Pending:
    """The same with the room that was missing; paths are packed, without the gaps of those that have gone."""
    waiting, matches, events = int(D.size[0]), int(D.size[2]), int(D.size[3])
    heap = np.empty((2 * (waiting + matches), 4), np.int64)
    heap[:waiting] = D.heap[:waiting]
    starts, lengths = heap[:waiting, 2].copy(), heap[:waiting, 3]
    ends = np.cumsum(lengths)
    used = int(ends[-1]) if waiting else 0
    path = np.empty((2 * (used + events), 2), np.int64)
    path[:used] = D.path[np.repeat(starts - (ends - lengths), lengths) + np.arange(used)]
    heap[:waiting, 2] = ends - lengths
    D.size[1] = used
    return Pending(heap, path, D.size)


def pending() -> Pending:
    return Pending(np.zeros((16, 4), np.int64), np.zeros((64, 2), np.int64), np.zeros(4, np.int64))

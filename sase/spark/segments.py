"""The past that queries still need, as append-only segments of which whole slices of time are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.plan.plan import FOREVER
from sase.spark.state import Head, Segment, Store

_SLICES = 8  # per window: an eighth of it may be kept too long
_MERGED = 4  # so many segments of one rank become one of the next
_LARGE = 1 << 16  # events in a segment that is not merged again: a step rewrites little, however much is kept

POSITION = "_position"  # the event's place in the bucket's order


@dataclass(frozen=True, slots=True)
class Span:
    """The length of a window, in milliseconds or in events; 0: not of this kind."""

    time: int
    events: int

    def __or__(self, other: Span) -> Span:
        return Span(max(self.time, other.time), max(self.events, other.events))

    def slices(self, times: NDArray[np.int64], positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers that count up from slice to slice; both clocks only go forward, and so does their sum."""
        by_time = times // max(1, (self.time or FOREVER) // _SLICES)
        return by_time + positions // max(1, (self.events or FOREVER) // _SLICES)


def append(head: Head, store: Store, kept: pa.Table, span: Span) -> None:
    """Keep these events, which are younger than all kept ones; `span` is the longest window."""
    if not kept.num_rows:
        return
    slices = span.slices(kept["ts"].to_numpy(), kept[POSITION].to_numpy())
    borders = [0, *(np.flatnonzero(np.diff(slices)) + 1).tolist(), len(slices)]
    for low, high in pairwise(borders):
        head.segments.append(_written(head, store, kept.slice(low, high - low), int(slices[low])))
        _merge(head, store)


def drop(head: Head, store: Store, horizon: int) -> None:
    """Forget the slices that have left every window: those at or before the horizon."""
    gone = [segment for segment in head.segments if segment.high <= horizon]
    if gone:
        store.drop(segment.number for segment in gone)
        head.segments = head.segments[len(gone) :]


def since(head: Head, store: Store, position: int) -> Iterator[pa.Table]:
    """The kept events from a place on, in order."""
    for segment in head.segments:
        if segment.last >= position:
            table = store.read(segment.number)
            skip = int(np.searchsorted(table[POSITION].to_numpy(), position))
            yield table.slice(skip)


def _merge(head: Head, store: Store) -> None:
    """Few blobs per slice, as in a log-structured tree."""
    while _mergeable(tail := head.segments[-_MERGED:]):
        tables = [store.read(segment.number) for segment in tail]
        table = pa.concat_tables(tables, promote_options="default")
        merged = _written(head, store, table, tail[0].slice)
        store.drop(segment.number for segment in tail)
        head.segments[-_MERGED:] = [replace(merged, rank=tail[0].rank + 1)]


def _mergeable(tail: list[Segment]) -> bool:
    alike = len(tail) == _MERGED and len({(segment.slice, segment.rank) for segment in tail}) == 1
    return alike and sum(segment.rows for segment in tail) <= _LARGE


def _written(head: Head, store: Store, table: pa.Table, slice_: int) -> Segment:
    number, size = store.write(head, table)
    times, positions = table["ts"].to_numpy(), table[POSITION].to_numpy()
    return Segment(
        number=number,
        low=int(times[0]),
        high=int(times[-1]),
        first=int(positions[0]),
        last=int(positions[-1]),
        rows=table.num_rows,
        size=size,
        slice=slice_,
    )

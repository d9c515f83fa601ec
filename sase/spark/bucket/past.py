"""The past that queries still need, as append-only blobs of which whole slices of time are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sase.plan.window import FOREVER, NEVER
from sase.spark.bucket.state import BlobReader, BlobStore, Head, PastBlob
from sase.spark.input.columns import POSITION

_SLICES = 8  # per reach: an eighth of it may be kept too long
_MERGED = 4  # so many blobs of one rank become one of the next
_LARGE = 1 << 16  # events in a blob that is not merged again: a step rewrites little, however much is kept


@dataclass(frozen=True, slots=True)
class Reach:
    """How far back events matter, in milliseconds or in events; 0: not of this kind."""

    time: int
    events: int

    def __or__(self, other: Reach) -> Reach:
        return Reach(max(self.time, other.time), max(self.events, other.events))

    def slices(self, times: NDArray[np.int64], positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers that count up from slice to slice; both clocks only go forward, and so does their sum."""
        by_time = times // max(1, (self.time or FOREVER) // _SLICES)
        return by_time + positions // max(1, (self.events or FOREVER) // _SLICES)


def append(head: Head, state: BlobStore, kept: pa.Table, reach: Reach) -> None:
    """Keep these events, which are younger than all kept ones; `reach` is how far back any query looks."""
    if not kept.num_rows:
        return
    slices = reach.slices(kept["ts"].to_numpy(), kept[POSITION].to_numpy())
    borders = [0, *(np.flatnonzero(np.diff(slices)) + 1).tolist(), len(slices)]
    for low, high in pairwise(borders):
        head.past.append(_written(head, state, kept.slice(low, high - low), int(slices[low])))
        _merge(head, state)


def drop(head: Head, state: BlobStore, horizon: int) -> None:
    """Forget the slices that have left every query's reach: those at or before the horizon."""
    gone = [blob for blob in head.past if blob.high <= horizon]
    if gone:
        state.drop(blob.number for blob in gone)
        head.past = head.past[len(gone) :]


def since(head: Head, state: BlobReader, position: int) -> Iterator[pa.Table]:
    """The kept events from a place on, in order."""
    for blob in head.past:
        if blob.last >= position:
            table = state.read(blob.number)
            skip = int(np.searchsorted(table[POSITION].to_numpy(), position))
            yield table.slice(skip)


def before(head: Head, position: int) -> int:
    """A time up to which every event kept is before this place; one of the same time may come after it."""
    return max((blob.high - 1 for blob in head.past if blob.last < position), default=NEVER)


def _merge(head: Head, state: BlobStore) -> None:
    """Few blobs per slice, as in a log-structured tree."""
    while _mergeable(tail := head.past[-_MERGED:]):
        tables = [state.read(blob.number) for blob in tail]
        table = pa.concat_tables(tables, promote_options="permissive")
        merged = _written(head, state, table, tail[0].slice)
        state.drop(blob.number for blob in tail)
        head.past[-_MERGED:] = [replace(merged, rank=tail[0].rank + 1)]


def _mergeable(tail: list[PastBlob]) -> bool:
    alike = len(tail) == _MERGED and len({(blob.slice, blob.rank) for blob in tail}) == 1
    return alike and sum(blob.rows for blob in tail) <= _LARGE


def _written(head: Head, state: BlobStore, table: pa.Table, slice_: int) -> PastBlob:
    number, size = state.write(head, table)
    times, positions = table["ts"].to_numpy(), table[POSITION].to_numpy()
    return PastBlob(
        number=number,
        low=int(times[0]),
        high=int(times[-1]),
        first=int(positions[0]),
        last=int(positions[-1]),
        rows=table.num_rows,
        size=size,
        slice=slice_,
    )

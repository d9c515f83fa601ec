"""Lanes of queries with the same partition, and the buckets of a lane."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import sase

# Spark puts a key into the shuffle partition hash(key) mod partitions. Keys are chosen so that their hash
# mod 5040 counts up within a lane: buckets then spread evenly over 1 to 10, 12, 14, 15, 16, … partitions.
_SPREAD = 5040
_CANDIDATES = 40 * _SPREAD
_LANE_BITS = 24


@dataclass(frozen=True, slots=True)
class Lane:
    """The buckets of one partition attribute (or several); without any, one bucket holds the whole stream."""

    attributes: tuple[str, ...]
    keys: tuple[int, ...]


def lanes(queries: Iterable[sase.Query], buckets: int, *, whole: bool) -> tuple[Lane, ...]:
    """One lane per way of partitioning; `whole` adds the lane that fits every query, or none.

    If that lane is there and every other would have one bucket too, it serves all: an event is kept once."""
    wanted = dict.fromkeys(() if whole and buckets == 1 else partition(query) for query in queries)
    if whole or not wanted:
        wanted[()] = None
    return tuple(Lane(attributes, _keys(attributes, buckets if attributes else 1)) for attributes in wanted)


def lane_of(query: sase.Query, among: tuple[Lane, ...]) -> Lane:
    """The lane whose buckets never tear a match of the query apart; the finest of them."""
    own = set(partition(query))
    return max(
        (lane for lane in among if own.issuperset(lane.attributes)), key=lambda lane: len(lane.attributes)
    )


def partition(query: sase.Query) -> tuple[str, ...]:
    """The attributes that tell buckets apart; a query that counts events must see the whole stream."""
    return tuple(sorted(query.partition)) if query.reach_in_events is None else ()


def _keys(attributes: tuple[str, ...], buckets: int) -> tuple[int, ...]:
    """Grouping keys that depend on nothing but the lane, so that a checkpoint finds them again."""
    name = zlib.crc32("\0".join(attributes).encode())
    candidates = np.arange(_CANDIDATES, dtype=np.int64) + (np.int64(name) << _LANE_BITS)
    places = spark_hash(candidates) % _SPREAD
    first = {int(place): int(key) for place, key in zip(places[::-1], candidates[::-1], strict=True)}
    return tuple(first[(name + number) % _SPREAD] for number in range(buckets))


def lane_name(key: int) -> int:
    """What all keys of a lane have in common, and no other lane's."""
    return key >> _LANE_BITS


def spark_hash(keys: NDArray[np.int64]) -> NDArray[np.int32]:
    """Spark's hash of a bigint: Murmur3 with seed 42, the low half first."""
    words = keys.astype(np.uint64)
    state = np.full(len(keys), 42, np.uint32)
    for half in (words & np.uint64(0xFFFFFFFF), words >> np.uint64(32)):
        mixed = _rotated(half.astype(np.uint32) * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
        state = _rotated(state ^ mixed, 13) * np.uint32(5) + np.uint32(0xE6546B64)
    state ^= np.uint32(8)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        state = (state ^ (state >> np.uint32(shift))) * np.uint32(factor)
    return (state ^ (state >> np.uint32(16))).view(np.int32)


def _rotated(words: NDArray[np.uint32], by: int) -> NDArray[np.uint32]:
    return (words << np.uint32(by)) | (words >> np.uint32(32 - by))

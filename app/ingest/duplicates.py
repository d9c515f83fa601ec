"""Tells what has been seen before from what has not, within a bounded memory."""

from __future__ import annotations

from collections.abc import Iterable

from app.log.row import SENSED, Row


def key(row: Row) -> int:
    """What makes two rows the same reading; a reader that restarts its numbers has another `ts` by then."""
    stamp = row.ts if row.stamp is None else row.stamp
    if row.kind in SENSED:
        unnumbered = (row.rssi, row.detail) if row.seq is None else None
        return hash((row.reader, row.seq, stamp, row.antenna, row.tag, unnumbered))
    return hash((row.kind, row.reader, row.antenna, row.topic, row.detail, stamp))


class Memory:
    """The last `capacity` keys at least and twice as many at most: the older half is forgotten as one."""

    def __init__(self, capacity: int = 200_000) -> None:
        self._capacity = capacity
        self._recent: set[int] = set()
        self._older: set[int] = set()

    def __contains__(self, key: int) -> bool:
        return key in self._recent or key in self._older

    def add(self, keys: Iterable[int]) -> None:
        self._recent.update(keys)
        if len(self._recent) >= self._capacity:
            self._older, self._recent = self._recent, set()

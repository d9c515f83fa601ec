"""Looking into the log by time: the raw readings behind an event, and the positions between two moments."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc

from app import log

# A tag is believed after some reads and readers' clocks differ: what led to an event lies this close to it.
BEFORE_MS, AFTER_MS = 30_000, 2_000
MOST = 50


def readings_before(folder: Path, tag: str, reader: str, at_ms: int) -> list[dict[str, object]]:
    """The rows of the log of one tag and reader that led to an event at that moment, oldest first."""
    rows = []
    for batch in log.read(folder, *positions_between(folder, at_ms - BEFORE_MS, at_ms + AFTER_MS)):
        mine = pc.and_(pc.equal(batch["tag"], tag), pc.equal(batch["reader"], reader))
        rows += batch.filter(mine).to_pylist()
    near = [row for row in rows if at_ms - BEFORE_MS <= row["ts"] <= at_ms]
    return near[-MOST:]


def positions_between(folder: Path, from_ms: int, until_ms: int) -> tuple[int, int]:
    """The positions of the rows received between two moments; empty if the log no longer reaches back."""
    return _first_received(folder, from_ms), _first_received(folder, until_ms)


def _first_received(folder: Path, at_ms: int) -> int:
    """The first position whose row was received at or after the moment, by halving."""
    low, high = log.earliest(folder), log.end(folder)
    while low < high:
        middle = (low + high) // 2
        if _received(folder, middle) < at_ms:
            low = middle + 1
        else:
            high = middle
    return low


def _received(folder: Path, position: int) -> int:
    [batch] = log.read(folder, position, position + 1)
    return int(batch["received"][0].as_py())

"""Looking into the log by time: the raw readings behind an event, and the positions of a recorded stretch."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc

from app import log
from app.store import Seen

# A tag is believed after some reads and readers' clocks differ: what led to an event lies this close to it.
BEFORE_MS, AFTER_MS = 30_000, 2_000
MOST = 50


def readings_behind(folder: Path, seen: Seen) -> list[dict[str, object]]:
    """The rows of the log of the same tag and reader just before the event, oldest first."""
    tag = str(seen.attributes.get("tag", ""))
    rows = []
    for batch in log.read(folder, *stretch(folder, seen.at_ms - BEFORE_MS, seen.at_ms + AFTER_MS)):
        mine = pc.and_(pc.equal(batch["tag"], tag), pc.equal(batch["reader"], seen.reader))
        rows += batch.filter(mine).to_pylist()
    near = [row for row in rows if seen.at_ms - BEFORE_MS <= row["ts"] <= seen.at_ms]
    return near[-MOST:]


def stretch(folder: Path, from_ms: int, until_ms: int) -> tuple[int, int]:
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

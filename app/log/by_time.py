"""Looking into the log by time: the raw readings behind an event, and the positions between two moments."""

from __future__ import annotations

import pyarrow.compute as pc

from app import log
from app.log import LogAddress

# A tag is believed after some reads and readers' clocks differ: what led to an event lies this close to it.
BEFORE_MS, AFTER_MS = 30_000, 2_000
MOST = 50


def readings_before(where: LogAddress, tag: str, reader: str, at_ms: int) -> list[dict[str, object]]:
    """The rows of the log of one tag and reader that led to an event at that moment, oldest first."""
    rows = []
    for batch in log.read(where, *positions_between(where, at_ms - BEFORE_MS, at_ms + AFTER_MS)):
        mine = pc.and_(pc.equal(batch["tag"], tag), pc.equal(batch["reader"], reader))
        rows += batch.filter(mine).to_pylist()
    near = [row for row in rows if at_ms - BEFORE_MS <= row["ts"] <= at_ms]
    return near[-MOST:]


def positions_between(where: LogAddress, from_ms: int, until_ms: int) -> tuple[int, int]:
    """The positions of the rows received between two moments; empty if the log no longer reaches back."""
    return log.first_received(where, from_ms), log.first_received(where, until_ms)

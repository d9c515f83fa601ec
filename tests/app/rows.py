"""Rows as ingest writes them, of readings in the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.log.row import Row, status_row

NOON = 1_800_000_000_000
Write = Callable[[Sequence[Row]], None]


def read(reader: str, tag: str, ts: int, rssi: float = -40.0) -> Row:
    return Row("reading", reader, 1, tag, ts, rssi, None, None, ts, f"vigil/readings/{reader}")


def stay(reader: str, tag: str, start: int, every: int, times: int) -> list[Row]:
    return [read(reader, tag, start + every * number) for number in range(times)]


def online(reader: str, ts: int) -> Row:
    return status_row(reader, ts, ts, '{"status": "online"}', topic=f"vigil/status/{reader}")


def theft(tag: str, at: int) -> list[Row]:
    """On the shelf for half a minute, then out of the door, while shelf and till say that they still listen;
    a till that is heard last lets time pass."""
    return [
        *stay("shelf-denim", tag, at, 10_000, 4),
        *(online(who, at + ms) for ms in (40_000, 50_000, 58_000) for who in ("shelf-denim", "till-1-pad")),
        *stay("main-exit-gate", tag, at + 60_000, 250, 6),
        online("till-1-pad", at + 62_000),
    ]


def visit(tag: str, at: int) -> list[Row]:
    """Seen at the exit and gone, while the exit's reader is still heard."""
    return [*stay("main-exit-gate", tag, at, 250, 6), online("main-exit-gate", at + 3_200)]


def until(done: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, f"not so after {seconds:.0f} s"
        time.sleep(0.02)

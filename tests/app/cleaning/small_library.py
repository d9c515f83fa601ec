"""A small library: a shelf, a counter and a door, and what its readers report of people who pass."""

from __future__ import annotations

import pyarrow as pa

from app.log.row import Row, reading_row, sensed_row, to_batch

LIBRARY = """\
title: Small library
summary: A shelf, a counter and a door.
timezone: UTC
plan:
  size: [20, 5]
  areas:
    shelf:   {title: Shelf,   kind: shelf,   shape: [0, 0, 4, 4]}
    counter: {title: Counter, kind: counter, shape: [5, 0, 4, 4]}
    door:    {title: Door,    kind: door,    shape: [10, 0, 4, 4]}
  readers:
    shelf-1: {area: shelf,   at: [2, 2],  reach: 2, every: 10 seconds}
    scanner: {area: counter, at: [7, 2],  sensor: barcode}
    gate:    {area: door,    at: [12, 2], reach: 2, every: 250 ms}
    inside:  {area: door,    at: [12, 3], sensor: motion, side: inside}
    outside: {area: door,    at: [12, 1], sensor: motion, side: outside}
catalog:
  items:
    - {tag: CC01, id: ann, kind: patron, barcode: "2001"}
    - {tag: CC02, id: bob, kind: patron, barcode: "2002"}
    - {tag: BB01, id: emma, kind: book, barcode: "3001", home: shelf, loaned_to: ann}
    - {tag: BB02, id: ulysses, kind: book, barcode: "3002", home: shelf, loaned_to: bob}
    - {tag: BB03, id: faust, kind: book, barcode: "3003", home: shelf, loaned_to: ann}
    - {tag: BB04, id: iliad, kind: book, barcode: "3004", home: shelf}
"""
NOON = 1_772_452_800_000
Event = tuple[str, str | None, float]


def moves(reader: str, seconds: float) -> Row:
    return sensed_row("motion", reader, "", at(seconds), at(seconds), seq=None, topic="readings")


def scans(code: str, seconds: float) -> Row:
    return sensed_row("barcode", "scanner", code, at(seconds), at(seconds), seq=None, topic="readings")


def hears(tag: str, start: float, end: float) -> list[Row]:
    """The gate, four times a second."""
    times = [at(start) + 250 * step for step in range(int((end - start) * 4))]
    return [reading_row("gate", 1, tag, ts, ts, rssi=-50.0, seq=None, topic="readings") for ts in times]


def leaving(tag: str, start: float) -> list[Row]:
    return [moves("inside", start), *hears(tag, start, start + 3), moves("outside", start + 2)]


def entering(tag: str, start: float) -> list[Row]:
    return [moves("outside", start), *hears(tag, start, start + 3), moves("inside", start + 2)]


def at(seconds: float) -> int:
    return NOON + round(seconds * 1000)


def batch(rows: list[Row]) -> pa.RecordBatch:
    return to_batch(sorted(rows, key=lambda row: row.ts))


def told(events: pa.RecordBatch, *endings: str) -> list[Event]:
    """(type, id, seconds after noon) of the events whose type ends so."""
    rows = events.select(["event", "id", "ts"]).to_pylist()
    return [
        (row["event"], row["id"], (row["ts"] - NOON) / 1000) for row in rows if row["event"].endswith(endings)
    ]

"""A shop of the kinds that whereabouts know, two of its items, and what its readers hear of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa

from app.cleaning.cleaner import Cleaner
from app.log.row import Row, status_row, to_batch
from app.place.scenario import Scenario, load

BOUTIQUE = """\
title: Boutique
summary: Two shelves, a fitting room, a till and a gate.
timezone: UTC
plan:
  size: [30, 5]
  areas:
    hats:    {title: Hats,    kind: shelf,   shape: [0, 0, 4, 4]}
    coats:   {title: Coats,   kind: shelf,   shape: [5, 0, 4, 4]}
    fitting: {title: Fitting, kind: fitting, shape: [10, 0, 4, 4]}
    till:    {title: Till,    kind: counter, shape: [15, 0, 4, 4]}
    gate:    {title: Gate,    kind: exit,    shape: [20, 0, 4, 4]}
  readers:
    hats-1:    {area: hats,    at: [2, 2],  reach: 3, every: 10 seconds}
    coats-1:   {area: coats,   at: [7, 2],  reach: 3, every: 10 seconds}
    fitting-1: {area: fitting, at: [12, 2], reach: 2, every: 5 seconds}
    till-1:    {area: till,    at: [17, 2], reach: 2, every: 500 ms, alive: heartbeat}
    gate-1:    {area: gate,    at: [22, 2], reach: 2, every: 250 ms, alive: heartbeat}
catalog:
  items:
    - {tag: AA01, id: HAT-1, home: hats}
    - {tag: AA02, id: HAT-2, home: hats}
    - {tag: AA03, id: COAT-1, home: coats}
cleaning:
  method: whereabouts
  refresh: {shelf: 10 minutes}
"""
NOON = 1_772_452_800_000
READERS = ("hats-1", "coats-1", "fitting-1", "till-1", "gate-1")
Heard = tuple[float, str, str]  # seconds after noon, reader, tag


def boutique(folder: Path) -> Scenario:
    path = folder / "boutique.yaml"
    path.write_text(BOUTIQUE)
    return load(path)


def steady(reader: str, tag: str, start: float, end: float, every: float) -> list[Heard]:
    return [(start + step * every, reader, tag) for step in range(int((end - start) / every))]


def log_rows(heard: Iterable[Heard], seconds: float, *, down: Sequence[str] = ()) -> list[Row]:
    """What was heard, while every reader that is not down says every five seconds that it is there."""
    rows = [_read(*one) for one in heard]
    working = [reader for reader in READERS if reader not in down]
    beats = [(NOON + 5000 * beat, reader) for beat in range(int(seconds // 5) + 1) for reader in working]
    rows += [status_row(reader, ts, ts, '{"status": "online"}', topic="s") for ts, reader in beats]
    return sorted(rows, key=lambda row: row.ts)


def _read(seconds: float, reader: str, tag: str) -> Row:
    ts = NOON + round(seconds * 1000)
    return Row("reading", reader, 1, tag, ts, -52.0, None, None, ts, "r")


def events(cleaner: Cleaner, rows: Sequence[Row]) -> list[dict[str, object]]:
    """All that is told, but for what readers say of themselves."""
    return told(cleaner.push(to_batch(rows)))


def told(batch: pa.RecordBatch) -> list[dict[str, object]]:
    return [row for row in batch.to_pylist() if row["event"] != "READER-ALIVE"]


def brief(found: Iterable[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["event"], row["area"]) for row in found]

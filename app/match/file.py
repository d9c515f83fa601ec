"""Reads a file of events in batches: in order, counted, and with words for what cannot be read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from app.match.lines import BAD_PROBABILITY, Event, EventLine, UnusableHeaderError, from_csv, from_json
from app.match.parquet import CheckedRows, from_parquet

Events: TypeAlias = list[Event] | pa.RecordBatch

BATCH = 10_000
STDIN = "-"
_LINES = {".jsonl": from_json, ".ndjson": from_json, ".json": from_json, ".csv": from_csv}


class EventFileError(Exception):
    """Says which file, which line, what is wrong and what to do."""


class EventFile:
    """One pass over a file; `skipped` and `done` tell how it went so far."""

    def __init__(self, path: str, *, skip_bad: bool) -> None:
        self.skipped = 0
        self.done = 0  # bytes of a text, rows of a table
        self.total: int | None = None
        self._path = path
        self._name = "standard input" if path == STDIN else path
        self._skip_bad = skip_bad
        self._latest = -(2**63)

    def batches(self) -> Iterator[Events]:
        try:
            yield from self._parquet() if Path(self._path).suffix == ".parquet" else self._text()
        except UnusableHeaderError as error:
            raise EventFileError(f"{self._name}: {error}") from None
        except (OSError, pa.ArrowException) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise EventFileError(f"{self._name} cannot be read: {reason}") from None

    def _text(self) -> Iterator[Events]:
        read = from_json if self._path == STDIN else _LINES.get(Path(self._path).suffix)
        if read is None:
            kinds = ", ".join([*_LINES, ".parquet"])
            raise EventFileError(f"{self._name}: the end of its name says no known kind of file ({kinds})")
        with self._opened() as file:
            events: list[Event] = []
            for line in read(file):
                if self._accepts(line):
                    events.append(line.event)
                if len(events) == BATCH:
                    self._move(file)
                    yield events
                    events = []
            self._move(file)
            yield events

    def _opened(self) -> AbstractContextManager[BinaryIO]:
        if self._path == STDIN:
            return nullcontext(sys.stdin.buffer)
        self.total = Path(self._path).stat().st_size
        return open(self._path, "rb")

    def _move(self, file: BinaryIO) -> None:
        if self.total is not None:
            self.done = file.tell()

    def _accepts(self, line: EventLine) -> bool:
        fault = line.fault
        if not fault and line.event["ts"] < self._latest:
            fault = _late(line.event["ts"], self._latest)
        if fault:
            self._skip(f"line {line.number}", fault, 1)
            return False
        self._latest = line.event["ts"]
        return True

    def _parquet(self) -> Iterator[Events]:
        with pq.ParquetFile(self._path) as file:
            self.total = file.metadata.num_rows
            for rows in from_parquet(file, BATCH):
                self.done += len(rows.batch)
                yield self._in_order(rows)

    def _in_order(self, rows: CheckedRows) -> pa.RecordBatch:
        ts = rows.batch.column("ts").fill_null(0).to_numpy(zero_copy_only=False)
        usable = rows.usable & rows.probable
        reached = np.maximum.accumulate(np.where(usable, np.maximum(ts, self._latest), self._latest))
        good = usable & (ts >= reached)
        if not good.all():
            bad = int(np.argmin(good))
            fault = _late(int(ts[bad]), int(reached[bad])) if usable[bad] else _unusable(rows, bad)
            self._skip(f"row {rows.first + bad}", fault, int((~good).sum()))
        self._latest = int(reached[-1]) if len(reached) else self._latest
        return rows.batch.filter(pa.array(good))

    def _skip(self, where: str, fault: str, count: int) -> None:
        if not self._skip_bad:
            what_to_do = "correct it, or leave out what is bad with --skip-bad"
            raise EventFileError(f"{self._name}, {where}: {fault}; {what_to_do}")
        self.skipped += count


def _unusable(rows: CheckedRows, row: int) -> str:
    if not rows.usable[row]:
        return "the event has no 'event' or no 'ts' that is a time"
    return f"{BAD_PROBABILITY}, not {rows.batch.column('prob')[row]}"


def _late(ts: int, latest: int) -> str:
    return f"the event is older than the one before it (ts {ts} after {latest}); events must be sorted by ts"

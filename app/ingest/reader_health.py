"""What each reader's silence means: last seen, rate, overflows and antenna faults, as events for the log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from app.ingest.reader_clocks import ReaderClocks
from app.log.row import SENSED, Row, status_row

# What Vigil says about readers on the log; everything else readers say about themselves.
HEALTH, SILENT, ACTIVE = "health", "silent", "active"
OWN = frozenset({HEALTH, SILENT, ACTIVE})

MAX_READERS = 10_000


@dataclass(slots=True)
class _Heard:
    last_seen_ms: int
    heard_at: float
    readings: int = 0
    overflows: int = 0
    antenna_faults: int = 0
    fresh: int = 0  # readings since the last report
    spoken: bool = False  # whether anything was heard since then, a status too
    silent_since_ms: int | None = None


class ReaderHealth:
    """Watches the rows that ingest writes. Durations are measured by a clock that nobody sets."""

    def __init__(self, clocks: ReaderClocks, silence_s: float = 60.0, report_s: float = 10.0) -> None:
        self._clocks = clocks
        self._silence_s = silence_s
        self._report_s = report_s
        self._reported_at = 0.0
        self._readers: dict[str, _Heard] = {}

    def observe(self, rows: Iterable[Row], monotonic_s: float) -> None:
        for row in rows:
            if not row.reader:
                continue
            reader = self._readers.get(row.reader) or self._meet(row, monotonic_s)
            if row.kind in SENSED:
                reader.readings += 1
                reader.fresh += 1
            else:
                _note(reader, row)
            reader.last_seen_ms = row.received
            reader.heard_at, reader.spoken = monotonic_s, True

    def recall(self, rows: Iterable[Row], now_ms: int, monotonic_s: float) -> None:
        """Take up from the tail of the log what was known before a restart."""
        for row in rows:
            detail = json.loads(row.detail or "{}") if row.kind == "status" else {}
            if detail.get("status") in OWN:
                self._readers[row.reader] = _recalled(detail, now_ms, monotonic_s)
                self._clocks.recall(row.reader, detail)
            else:
                self.observe([row], monotonic_s - max(0, now_ms - row.received) / 1000)
        for reader in self._readers.values():
            reader.fresh, reader.spoken = 0, False

    def events(self, now_ms: int, monotonic_s: float) -> list[Row]:
        """Silences that began or ended and, every so often, the figures of the readers that were heard."""
        changed = [
            event for name in list(self._readers) if (event := self._change(name, now_ms, monotonic_s))
        ]
        elapsed = monotonic_s - self._reported_at
        if elapsed < self._report_s:
            return changed
        self._reported_at = monotonic_s
        heard = [name for name, reader in self._readers.items() if reader.spoken]
        return changed + [self._report(HEALTH, name, now_ms, elapsed) for name in heard]

    def _meet(self, row: Row, monotonic_s: float) -> _Heard:
        if len(self._readers) >= MAX_READERS:
            del self._readers[min(self._readers, key=lambda name: self._readers[name].heard_at)]
        return self._readers.setdefault(row.reader, _Heard(row.received, monotonic_s))

    def _change(self, name: str, now_ms: int, monotonic_s: float) -> Row | None:
        reader = self._readers[name]
        silent = monotonic_s - reader.heard_at > self._silence_s
        if silent == (reader.silent_since_ms is not None):
            return None
        reader.silent_since_ms = reader.last_seen_ms if silent else None
        return self._report(SILENT if silent else ACTIVE, name, now_ms, self._report_s)

    def _report(self, word: str, name: str, now_ms: int, elapsed: float) -> Row:
        reader = self._readers[name]
        figures = {
            "status": word,
            "last_seen_ms": reader.last_seen_ms,
            "readings": reader.readings,
            "per_second": round(reader.fresh / elapsed, 3),
            "silent_since_ms": reader.silent_since_ms,
            "overflows": reader.overflows,
            "antenna_faults": reader.antenna_faults,
            **self._clocks.figures(name),
        }
        reader.fresh, reader.spoken = 0, False
        return status_row(name, now_ms, now_ms, json.dumps(figures))


def _note(reader: _Heard, row: Row) -> None:
    said = json.loads(row.detail or "{}").get("status")
    reader.overflows += said == "overflow"
    reader.antenna_faults += said == "antenna-disconnected"


def _recalled(detail: dict[str, int], now_ms: int, monotonic_s: float) -> _Heard:
    return _Heard(
        last_seen_ms=detail["last_seen_ms"],
        heard_at=monotonic_s - max(0, now_ms - detail["last_seen_ms"]) / 1000,
        readings=detail["readings"],
        overflows=detail["overflows"],
        antenna_faults=detail["antenna_faults"],
        silent_since_ms=detail["silent_since_ms"],
    )

"""Which share of each reader's readings comes late, and what was held back and delivered at once."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.stream import HELD_MS
from app.store import HeldReadings

WINDOW_MINUTES = 10
ONE_DELIVERY_MS = 600_000  # what comes with a longer pause in between was held back on another occasion


@dataclass(slots=True)
class _Minute:
    minute: int
    readings: Counter[str] = field(default_factory=Counter)
    late: Counter[str] = field(default_factory=Counter)


class Lateness:
    """Counts over the last minutes of arrival; what was held back is told apart: it was not on its way."""

    def __init__(self, known: list[HeldReadings]) -> None:
        self._minutes: deque[_Minute] = deque()
        self._held = {one.reader: one for one in known}

    def count(self, readings: pa.RecordBatch, late: pa.RecordBatch) -> list[HeldReadings]:
        """Take these in; the deliveries that are new or have grown."""
        if not readings.num_rows:
            return []
        minute = self._minute(pc.max(readings["received"]).as_py() // 60_000)
        minute.readings.update(readings["reader"].to_pylist())
        old = pc.greater(pc.subtract(late["received"], late["ts"]), HELD_MS)
        minute.late.update(late.filter(pc.invert(old))["reader"].to_pylist())
        grown = [self._deliver(row) for row in late.filter(old).to_pylist()]
        return list({one.reader: one for one in grown}.values())

    def share(self, reader: str | None = None) -> float:
        """Of the readings of one reader, or of all."""
        readings = late = 0
        for minute in self._minutes:
            readings += minute.readings.total() if reader is None else minute.readings[reader]
            late += minute.late.total() if reader is None else minute.late[reader]
        return late / readings if readings else 0.0

    def _minute(self, number: int) -> _Minute:
        if not self._minutes or self._minutes[-1].minute < number:
            self._minutes.append(_Minute(number))
        while self._minutes[0].minute <= number - WINDOW_MINUTES:
            self._minutes.popleft()
        return self._minutes[-1]

    def _deliver(self, row: dict[str, Any]) -> HeldReadings:
        known = self._held.get(row["reader"])
        fresh = HeldReadings(row["reader"], row["received"], row["received"], row["ts"], 0)
        if known is not None and row["received"] - known.until_ms <= ONE_DELIVERY_MS:
            oldest = min(known.oldest_ms, row["ts"])
            fresh = replace(known, until_ms=max(known.until_ms, row["received"]), oldest_ms=oldest)
        self._held[row["reader"]] = grown = replace(fresh, readings=fresh.readings + 1)
        return grown

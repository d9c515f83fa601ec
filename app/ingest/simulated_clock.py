"""Arrival by the clock of a simulation, or of a recording that is played: the same rules at any speed."""

from __future__ import annotations

import json
from collections.abc import Iterable

from app.clock import Clock
from app.ingest.arrival import Anchor
from app.log.row import Row

MOST_SPEED = 100_000.0


class SimulatedClock:
    """Stands at what was last told, among the messages that it dates: however fast the world is played, and
    whatever the network does, a reading is as old on arrival as it was there. It never goes back: a world
    that begins anew earlier is moved to where the one before had come."""

    def __init__(self, clock: Clock, known: Anchor | None = None) -> None:
        self._clock = clock
        self._now = clock.now_ms() if known is None else known.arrival_ms
        self._moved_ms = 0
        self.speed: float | None = 1.0

    def now_ms(self) -> int:
        return self._now

    @property
    def behind_ms(self) -> int:
        """How far the time of day is ahead."""
        return self._clock.now_ms() - self._now

    def anchor(self) -> Anchor:
        return Anchor("", 0, self._now)

    def hear(self, payload: bytes) -> None:
        """`{"now_ms": …, "speed": …}`; what is no such thing changes nothing."""
        try:
            said = json.loads(payload)
            told, speed = int(said["now_ms"]), float(said["speed"])
        except (ValueError, KeyError, TypeError, OverflowError):
            return
        if told + self._moved_ms < self._now:
            self._moved_ms = self._now - told
        self._now = told + self._moved_ms
        self.speed = min(max(speed, 0.0), MOST_SPEED)

    def moved(self, rows: Iterable[Row]) -> list[Row]:
        """Rows with their times where this clock has the world."""
        if not self._moved_ms:
            return list(rows)
        return [row._replace(ts=row.ts + self._moved_ms) for row in rows]

"""Slows down guessing of passwords: a few tries per sender and name, more per sender, then a pause."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PER_NAME = 5
PER_SENDER = 30
WINDOW_S = 300.0
MOST_KEPT = 10_000


class Attempts:
    def __init__(self, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._monotonic_s = monotonic_s
        self._lock = threading.Lock()
        self._tries: dict[tuple[str, ...], list[float]] = {}

    def may_try(self, sender: str, name: str) -> bool:
        """Whether one more try is allowed; it is counted if so."""
        with self._lock:
            now = self._monotonic_s()
            limits = {(sender, name): PER_NAME, (sender,): PER_SENDER}
            recent = {key: [t for t in self._tries.get(key, ()) if now - t < WINDOW_S] for key in limits}
            if any(len(recent[key]) >= limit for key, limit in limits.items()):
                return False
            self._make_room()
            self._tries.update({key: [*tries, now] for key, tries in recent.items()})
            return True

    def forget(self, sender: str, name: str) -> None:
        """A right password clears the count of its name."""
        with self._lock:
            self._tries.pop((sender, name), None)

    def _make_room(self) -> None:
        """Two keys come in with each try; the oldest make way."""
        while len(self._tries) > MOST_KEPT - 2:
            del self._tries[next(iter(self._tries))]

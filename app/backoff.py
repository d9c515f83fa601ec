"""Growing pauses between attempts: each twice as long as the one before, until one succeeds."""

from __future__ import annotations


class Backoff:
    """`next_s` after each failure, `reset` after a success; it does not sleep itself: every caller waits for
    something else meanwhile."""

    def __init__(self, first_s: float, longest_s: float) -> None:
        self._first_s, self._longest_s = first_s, longest_s
        self._pause_s = first_s

    def next_s(self) -> float:
        """How long to wait before the next attempt."""
        pause_s = self._pause_s
        self._pause_s = min(pause_s * 2, self._longest_s)
        return pause_s

    def reset(self) -> None:
        self._pause_s = self._first_s

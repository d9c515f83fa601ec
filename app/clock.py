"""The machine's clocks: the time of day that stamps rows, alerts and figures, and one for durations."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


def now_ms() -> int:
    """The time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day, which may be set, and a clock that only goes forward; passed in, so that tests need
    not wait."""

    now_ms: Callable[[], int] = now_ms
    monotonic_s: Callable[[], float] = time.monotonic


SYSTEM_CLOCK = Clock()

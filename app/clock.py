"""The machine's clocks: the time of day that stamps rows, alerts and figures, and one for durations."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")
# Where the system has it, the clock that goes on while the machine sleeps.
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def now_ms() -> int:
    """The time of day in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_s() -> float:
    """Seconds since the machine was started."""
    return time.clock_gettime(_STEADY)


@cache
def boot() -> str:
    """A name for this run of the machine, for as long as which `monotonic_s` goes on; "" if it has none."""
    return _BOOT.read_text().strip() if _BOOT.exists() else ""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of day, which may be set, and a clock that only goes forward, from boot to boot; passed in, so
    that tests need not wait."""

    now_ms: Callable[[], int] = now_ms
    monotonic_s: Callable[[], float] = monotonic_s
    boot: Callable[[], str] = boot


SYSTEM_CLOCK = Clock()

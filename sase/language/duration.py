"""The one reading of durations: `5 min`, `1.5 hours`, `200ms`, always in whole milliseconds."""

from __future__ import annotations

import re
from typing import Literal

TimeUnit = Literal["ms", "sec", "min", "hour", "day"]

FACTORS: dict[TimeUnit, int] = {"ms": 1, "sec": 1000, "min": 60_000, "hour": 3_600_000, "day": 86_400_000}
_SPELLINGS: dict[TimeUnit, tuple[str, ...]] = {
    "ms": ("ms", "millisecond", "milliseconds"),
    "sec": ("sec", "secs", "second", "seconds"),
    "min": ("min", "mins", "minute", "minutes"),
    "hour": ("hour", "hours"),
    "day": ("day", "days"),
}
UNITS: dict[str, TimeUnit] = {name: unit for unit, names in _SPELLINGS.items() for name in names}
_DURATION = re.compile(r"\s*([0-9]{1,30}(?:\.[0-9]{1,30})?)\s*([a-z]+)\s*", re.IGNORECASE | re.ASCII)


def milliseconds(text: str) -> int | None:
    """The length of a duration such as `5 min`, or None if the text is none."""
    match = _DURATION.fullmatch(text)
    unit = UNITS.get(match[2].lower()) if match else None
    if match is None or unit is None:
        return None
    return scaled(float(match[1]) if "." in match[1] else int(match[1]), unit)


def scaled(size: float, unit: TimeUnit) -> int:
    """So many units in milliseconds; a fraction of a millisecond is rounded, the overlong is capped."""
    length = size * FACTORS[unit]
    return length if isinstance(length, int) else round(min(length, 1e30))

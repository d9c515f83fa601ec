"""Moments and durations in words, in the place's own time zone."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from dashboard.words import text


def local(at_ms: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, zone)


def midnight(day: date, zone: ZoneInfo) -> int:
    """The first moment of the day."""
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp() * 1000)


def clock(at_ms: int, zone: ZoneInfo) -> str:
    return local(at_ms, zone).strftime("%H:%M:%S")


def short_clock(at_ms: int, zone: ZoneInfo) -> str:
    return local(at_ms, zone).strftime("%H:%M")


def moment(at_ms: int, zone: ZoneInfo) -> str:
    return local(at_ms, zone).strftime("%Y-%m-%d %H:%M:%S")


def duration(length_ms: float) -> str:
    """A length of time in its largest unit: `12 s`, `3 min`, `2 h`, `5 days`."""
    seconds = max(0, length_ms) / 1000
    if seconds < 1:
        return text.terms.MILLISECONDS.format(seconds * 1000)
    for limit, size, words in _UNITS:
        if seconds < limit:
            return words.format(int(seconds / size))
    return text.terms.DAYS.format(int(seconds / 86_400))


def ago(at_ms: int, now_ms: int) -> str:
    length = now_ms - at_ms
    return text.terms.JUST_NOW if length < 2_000 else text.terms.AGO.format(duration(length))


_UNITS = ((120, 1, text.terms.SECONDS), (7_200, 60, text.terms.MINUTES), (172_800, 3_600, text.terms.HOURS))

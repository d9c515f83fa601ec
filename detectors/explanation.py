"""Fills an explanation with what a match holds: names are looked up in dictionaries, nothing is evaluated."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

Event = Mapping[str, object]
Events = Mapping[str, Event | Sequence[Event]]
One = TypeVar("One", bound=Mapping[str, Any])
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"\$(\w+)|(\w+)\.(?:(first|last)\.)?(\w+)")
_MOST = 5


def placeholders(template: str) -> Iterator[tuple[str, str | None, str | None]]:
    """Each placeholder with the parameter or the component that it names; neither if it is malformed."""
    for text in _PLACEHOLDER.findall(template):
        name = _NAME.fullmatch(text)
        yield text, name[1] if name else None, name[2] if name else None


def fill(template: str, events: Events, values: Mapping[str, str], detected_at: int, timezone: str) -> str:
    """`{x.name}`, `{x.time}`, `{a.count}`, `{a.first.time}`, `{$minutes}`, `{detected.time}` filled in."""
    moments: Events = {**events, "detected": {"ts": detected_at}}
    return _PLACEHOLDER.sub(lambda found: _one(found[1], moments, values, timezone), template)


def _one(text: str, events: Events, values: Mapping[str, str], timezone: str) -> str:
    name = _NAME.fullmatch(text)
    if name is None:
        return "?"
    if name[1]:
        return values.get(name[1], "?")
    component = events.get(name[2], {})
    chosen = each(component)
    if name[4] == "count":
        return str(len(chosen))
    chosen = chosen[:1] if name[3] == "first" else chosen[-1:] if name[3] == "last" else chosen
    return _joined([_shown(event, name[4], timezone) for event in chosen])


def each(bound: One | Sequence[One]) -> Sequence[One]:
    """The events of a component: it is bound to one, or to a list if it may repeat."""
    return [bound] if isinstance(bound, Mapping) else bound


def _shown(event: Event, attribute: str, timezone: str) -> str:
    if attribute == "time":
        return _clock(event.get("ts"), timezone)
    value = event.get(attribute)
    return f"{value:g}" if isinstance(value, float) else "unknown" if value is None else str(value)


def _clock(ts: object, timezone: str) -> str:
    if not isinstance(ts, int):
        return "unknown"
    return datetime.datetime.fromtimestamp(ts / 1000, ZoneInfo(timezone)).strftime("%H:%M:%S")


def _joined(words: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(words)) or ["unknown"]
    rest = len(distinct) - _MOST
    return ", ".join(distinct[:_MOST]) + (f" and {rest} more" if rest > 0 else "")

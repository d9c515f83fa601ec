"""Reads the lengths of windows: `12 hours`, `'1 sec'`, `500 events`, `$hours hours`."""

from __future__ import annotations

from sase.errors import did_you_mean
from sase.language.cursor import Cursor
from sase.language.duration import UNITS, milliseconds, scaled
from sase.language.literal_parser import parameter
from sase.language.messages import BAD_DURATION, BAD_UNIT, NO_UNIT, WHOLE_EVENTS
from sase.language.tree import Parameter, Unit, Within

_UNITS: dict[str, Unit] = {**UNITS, "event": "events", "events": "events"}


def window(cursor: Cursor) -> Within:
    """What stands after WITHIN."""
    place = cursor.place
    if cursor.token.kind == "string":
        return Within(_quoted(cursor), "ms", place)
    if cursor.token.kind == "parameter":
        size = parameter(cursor)
        return Within(size, _unit(cursor) if cursor.token.text.lower() in _UNITS else "ms", place)
    number = _number(cursor)
    unit = _unit(cursor)
    if unit != "events":
        return Within(scaled(number, unit), "ms", place)
    if not isinstance(number, int):
        raise cursor.error(WHOLE_EVENTS, place)
    return Within(number, "events", place)


def semantic_window(cursor: Cursor) -> int | Parameter:
    """The window of a TelegraphCQ operator, always a time."""
    place = cursor.place
    if cursor.token.kind == "parameter":
        return parameter(cursor)
    if cursor.token.kind == "string":
        return _quoted(cursor)
    number = _number(cursor)
    unit = _unit(cursor)
    if unit == "events":
        raise cursor.error(BAD_DURATION, place, found="a number of events")
    return scaled(number, unit)


def _quoted(cursor: Cursor) -> int:
    token = cursor.token
    length = milliseconds(str(token.value))
    if length is None:
        raise cursor.error(BAD_DURATION, found=cursor.found())
    cursor.next()
    return length


def _number(cursor: Cursor) -> int | float:
    token = cursor.token
    if token.kind != "number" or not isinstance(token.value, int | float):
        raise cursor.expected("a duration", "write it as in 12 hours, '1 sec' or 500 events")
    cursor.next()
    return token.value


def _unit(cursor: Cursor) -> Unit:
    token = cursor.token
    if token.kind != "name":
        raise cursor.error(NO_UNIT, cursor.before().place)
    unit = _UNITS.get(token.text.lower())
    if unit is None:
        near = did_you_mean(token.text, _UNITS)
        raise cursor.error(BAD_UNIT, found=token.text, near=near and f"; {near}")
    cursor.next()
    return unit

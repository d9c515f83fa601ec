"""The fields of a decoded JSON object, checked: what does not fit is an UnreadableError with the reason."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

Object = Mapping[str, object]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_LONGEST_NAME = 200
_LAST_MS = 253_402_300_799_999  # the end of the year 9999: what timestamps in Spark and SQL can hold
_LAST_PORT = 65_535
_LAST_SEQ = 2**63 - 1


# Some gateways write numbers as texts. Fewer digits alone may be a day in ISO 8601.
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?")
_MOMENT = re.compile(r"[0-9]{9,30}")


class UnreadableError(ValueError):
    """Why a payload, or a part of it, is no reading."""


@dataclass(frozen=True, slots=True)
class PayloadOrigin:
    """Where a payload came from: its topic, the reader that the topic names, and when it arrived."""

    topic: str
    reader: str
    received: int


def name(value: object, field: str) -> str:
    """Printable text: neither control characters nor lone surrogates get into the log."""
    if isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME and value.isprintable():
        return value
    raise UnreadableError(
        f"`{field}` is not a name of 1 to {_LONGEST_NAME} printable characters: {shown(value)}"
    )


def milliseconds(value: object, field: str) -> int:
    """Milliseconds since 1970, from such a number or from ISO 8601 text; without an offset it is UTC."""
    if isinstance(value, str) and not _MOMENT.fullmatch(value):
        value = _from_iso(value, field)
    return _integer(value, field, _LAST_MS)


def _from_iso(text: str, field: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError):
        raise UnreadableError(f"`{field}` is not a time in ISO 8601: {shown(text)}") from None


def antenna(value: object, field: str) -> int:
    return _integer(value, field, _LAST_PORT)


def sequence(value: object, field: str) -> int | None:
    return None if value is None else _integer(value, field, _LAST_SEQ)


def _integer(value: object, field: str, last: int) -> int:
    number = _number(value)
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, int) and 0 <= number <= last:
        return number
    raise UnreadableError(f"`{field}` is not a whole number from 0 to {last}: {shown(value)}")


def decibels(value: object, field: str) -> float | None:
    if value is None:
        return None
    number = _number(value)
    if number is not None and -1e6 < number < 1e6:
        return float(number)
    raise UnreadableError(f"`{field}` is not a signal strength in dBm: {shown(value)}")


def _number(value: object) -> int | float | None:
    """A number, also one that came as a text in plain decimal notation; None for everything else."""
    if isinstance(value, str) and (found := _NUMBER.fullmatch(value)):
        return float(value) if found[1] else int(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def shares(value: object, field: str) -> dict[str, float]:
    """Names with probabilities that add up to 1 at the most."""
    found = {name(key, field): _share(each, f"{field}.{key}") for key, each in table(value, field).items()}
    if not found or sum(found.values()) > 1 + 1e-6:
        raise UnreadableError(f"`{field}` is not a distribution such as {{'ann': 0.7}}: {shown(value)}")
    return found


def _share(value: object, field: str) -> float:
    number = _number(value)
    if number is None or not 0 <= number <= 1:
        raise UnreadableError(f"`{field}` is not a probability from 0 to 1: {shown(value)}")
    return float(number)


def table(value: object, field: str) -> Object:
    if isinstance(value, dict):
        return value
    raise UnreadableError(f"`{field}` is not an object: {shown(value)}")


def compact(value: Object) -> str:
    """The object as JSON text for the log."""
    try:
        return json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"cannot be kept as JSON: {error}") from None


def shown(value: object) -> str:
    """A value in an error message: short, and on one line."""
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."

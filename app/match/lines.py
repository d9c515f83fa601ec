"""Events from JSON lines and CSV, line by line, each checked; a bad line is told apart, not raised."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, NoReturn

from app.match import literal
from sase.events.values import is_probability

Event = dict[str, Any]

LAST_TS = 2**62  # beyond it, the end of a window could no longer be counted
BAD_PROBABILITY = "'prob' must be a number above 0 and at most 1"
_KEYS = ("event", "ts")


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event with the number of its line, or what is wrong with it."""

    number: int
    event: Event
    fault: str = ""


class UnusableHeaderError(ValueError):
    """The columns of a file cannot be events, whatever its lines hold."""


def from_json(file: BinaryIO) -> Iterator[EventLine]:
    """One event per line; empty lines are passed over."""
    for number, raw in enumerate(file, 1):
        if raw.strip():
            yield _json_line(number, raw)


def from_csv(file: BinaryIO) -> Iterator[EventLine]:
    """A header, then one event per line; an empty cell is an attribute that is missing."""
    # Bytes that are no text come through as lone surrogates and are found in their own line.
    text = io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield from _csv_lines(csv.reader(text))
    finally:
        text.detach()  # or else it would close the file under whoever opened it


def _csv_lines(rows: Any) -> Iterator[EventLine]:
    header = [name.strip() for name in next(rows, [])]
    require(header)
    while True:
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield EventLine(rows.line_num, {}, f"this is no line of a CSV file ({error})")
            continue
        if cells:
            yield _csv_line(rows.line_num, header, cells)


def require(names: Sequence[str]) -> None:
    """UnusableHeaderError unless every row will have a type and a time."""
    for key in _KEYS:
        if key not in names:
            found = ", ".join(names) or "none"
            raise UnusableHeaderError(f"there is no column {key!r} (columns: {found})")


def _json_line(number: int, raw: bytes) -> EventLine:
    try:
        given = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        return EventLine(number, {}, f"this is not JSON ({error})")
    if not isinstance(given, dict):
        return EventLine(number, {}, 'this is JSON, but not an object such as {"event": "A", "ts": 1}')
    return _checked(number, given)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _csv_line(number: int, header: list[str], cells: list[str]) -> EventLine:
    if len(cells) != len(header):
        return EventLine(number, {}, f"{len(cells)} values for the {len(header)} columns of the header")
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        return EventLine(number, {}, "this is not text in UTF-8")
    named = {name: cell for name, cell in zip(header, cells, strict=True) if cell}
    event: Event = {name: cell if name == "event" else literal.value(cell) for name, cell in named.items()}
    return _checked(number, event)


def _checked(number: int, event: Event) -> EventLine:
    for key in _KEYS:
        if event.get(key) is None:
            return EventLine(number, {}, f"the event has no {key!r}")
    if not isinstance(event["event"], str):
        return EventLine(
            number, {}, f"'event' must be a text, the event's type, not {_shown(event['event'])}"
        )
    ts = event["ts"]
    if isinstance(ts, float) and ts.is_integer():
        ts = int(ts)
    if not isinstance(ts, int) or isinstance(ts, bool) or abs(ts) >= LAST_TS:
        return EventLine(
            number, {}, f"'ts' must be a whole number of milliseconds, not {_shown(event['ts'])}"
        )
    if event.get("prob") is not None and not is_probability(event["prob"]):
        return EventLine(number, {}, f"{BAD_PROBABILITY}, not {_shown(event['prob'])}")
    return EventLine(number, {**event, "ts": ts})


def _shown(value: Any) -> str:
    return json.dumps(value)[:60]

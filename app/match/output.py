"""Matches for people and programs: JSON lines, or tables."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import islice
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sase import Match

ROWS = 1_000  # a table is laid out as a whole: longer results come as several


def write_lines(matches: Iterable[Match], out: TextIO) -> None:
    """One JSON object per match, always with the same keys."""
    for match in matches:
        out.write(json.dumps(_plain(_record(match)), default=str) + "\n")


def write_tables(matches: Iterable[Match], console: Console) -> None:
    found = iter(matches)
    while rows := list(islice(found, ROWS)):
        console.print(_table(rows))


def _record(match: Match) -> dict[str, Any]:
    return {
        "event": match.composite.name,
        "ts": match.detected_at,
        "start": match.start,
        "end": match.end,
        "probability": match.probability,
        "attributes": match.attributes,
        "events": match.events,
    }


def _plain(value: Any) -> Any:
    """JSON has no NaN and no infinity: null stands for a number that is none."""
    match value:
        case dict():
            return {str(key): _plain(part) for key, part in value.items()}
        case list() | tuple():
            return [_plain(part) for part in value]
        case float() if not math.isfinite(value):
            return None
    return value


def _table(matches: list[Match]) -> Table:
    names = list(dict.fromkeys(name for match in matches for name in match.attributes))
    table = Table(title=matches[0].composite.name)
    for name in ("ts", "start", "end", *names):
        table.add_column(Text(name), overflow="fold")
    for match in matches:
        values = (match.attributes.get(name) for name in names)
        table.add_row(*map(_cell, (match.detected_at, match.start, match.end)), *map(_cell, values))
    return table


def _cell(value: Any) -> Text:
    shown = "" if value is None else str(value)
    return Text(shown.encode("utf-8", "replace").decode())

"""Matches for people and programs: JSON lines, or tables."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sase import Match
from sase.results.json_text import json_text

ROWS = 1_000  # a table is laid out as a whole: longer results come as several


def write_lines(matches: Iterable[Match], out: TextIO) -> None:
    """One JSON object per match, always with the same keys."""
    for match in matches:
        out.write(json_text(_record(match)) + "\n")


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

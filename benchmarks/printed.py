"""Reads back what the benchmarks print: a figure per row.

From the printed lines, because they are what every checkout has, however old it is.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass

# Columns that are no speed of ours to compare: what was asked for, what follows from others, what was found.
NO_SPEEDS = frozenset({"required", "ratio", "matches", ""})
PEERS = frozenset({"baseline", "self-join"})
SPARK_ROW = re.compile(r"(?P<name>\S.*?)(?P<turn> \d+)? *: (?P<rates>\d[\d,]*(?:, \d[\d,]*)*) events/s")
SWITCHED = re.compile(r"detector switched to obeyed: \[(?P<delays>[\d, ]+)\] ms")


@dataclass(frozen=True)
class Figure:
    value: float
    unit: str
    less_is_better: bool = False
    peer: bool = False  # someone else's speed: the same in both checkouts, and so a control

    def against(self, before: Figure) -> float:
        """How many times as good as before."""
        if self.less_is_better:
            return before.value / self.value
        return self.value / before.value


Figures = dict[str, Figure]


def engine(text: str) -> Figures:
    """Its Markdown tables: the workloads, then a table per curve with a line per point."""
    return {name: figure for table in _tables(text) for name, figure in _of_table(*table)}


def spark(text: str) -> Figures:
    """Of each name the best micro-batch of all its turns, as the benchmark itself counts."""
    found: Figures = {}
    for row in filter(None, map(SPARK_ROW.fullmatch, text.splitlines())):
        name = row["name"]
        best = max(_number(rate) for rate in row["rates"].split(", "))
        known = found[name].value if name in found else 0.0
        found[name] = Figure(max(best, known), "events/s", peer=name in PEERS)
    return found


def latency(text: str) -> Figures:
    found: Figures = {}
    for line in text.splitlines():
        if line.startswith("{"):
            delay = json.loads(line)["p50"]
            found["published to stored, p50"] = Figure(delay, "ms", less_is_better=True)
        elif switched := SWITCHED.fullmatch(line):
            delay = statistics.median(map(_number, switched["delays"].split(", ")))
            found["detector switched to obeyed, p50"] = Figure(delay, "ms", less_is_better=True)
    return found


Table = tuple[str, list[str], list[list[str]]]  # title, names of the columns, rows


def _tables(text: str) -> Iterator[Table]:
    title, rows = "", list[list[str]]()
    for line in [*map(str.strip, text.splitlines()), "end"]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if rows:
            yield title, rows[0], rows[2:]  # the second is the rule below the names
            rows = []
        title = line or title


def _of_table(title: str, names: list[str], rows: list[list[str]]) -> Iterator[tuple[str, Figure]]:
    subject, _, unit = title.rpartition(", ")
    for first, *cells in rows:
        row = first if names[0] == "workload" else f"{subject}, {names[0]} {first}"
        for name, cell in zip(names[1:], cells, strict=True):
            if name not in NO_SPEEDS:
                figure = Figure(_number(cell), unit, unit.endswith("per event"), peer=name in PEERS)
                yield row if name == "engine" else f"{row}: {name}", figure


def _number(text: str) -> float:
    return float(text.replace(",", ""))

"""Reads values.case, whose head says how it is written: the rules of values, for whoever evaluates them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

FILE = Path(__file__).with_name("values.case")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")

VALUE = r"(?:'[^']*'|[^\s()]+)"
PAIR = re.compile(rf"({VALUE}) ([?+*/%-]) ({VALUE}) -> (.+)")
CALL = re.compile(rf"(\w+)\(({VALUE}(?: {VALUE})*)\) -> (.+)")
WORDS = {"null": None, "true": True, "false": False}
TAGS = {
    "decimal": Decimal,
    "single": np.float32,
    "day": date.fromisoformat,
    "moment": datetime.fromisoformat,
    "list": json.loads,
}


@dataclass(frozen=True)
class Compared:
    line: str
    left: Any
    right: Any
    holds: frozenset[str]

    @property
    def one_key(self) -> bool:
        return "=" in self.holds and self.left is not None and self.right is not None


@dataclass(frozen=True)
class Computed:
    """Two values and `+`, `-`, `*`, `/` or `%` between them."""

    line: str
    left: Any
    op: str
    right: Any
    result: Any  # NaN: no number; None: something is missing


@dataclass(frozen=True)
class Called:
    """`minus` of one value, or an aggregate over several."""

    line: str
    function: str
    values: tuple[Any, ...]
    result: Any


ValueCase = Compared | Computed | Called


def load() -> list[ValueCase]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [_case(line) for line in lines if line and not line.startswith(("#", "=="))]


def _case(line: str) -> ValueCase:
    if call := CALL.fullmatch(line):
        values = tuple(map(read, re.findall(VALUE, call[2])))
        return Called(line, call[1], values, read(call[3]))
    pair = PAIR.fullmatch(line)
    assert pair, f"not readable: {line}"
    left, right = read(pair[1]), read(pair[3])
    if pair[2] != "?":
        return Computed(line, left, pair[2], right, read(pair[4]))
    holds = frozenset(pair[4].split()) - {"nothing"}
    assert holds <= set(COMPARISONS), f"not readable: {line}"
    return Compared(line, left, right, holds)


def read(text: str) -> Any:
    """One value as it is written in the file."""
    tag, colon, rest = text.partition(":")
    if text in WORDS:
        return WORDS[text]
    if text.startswith("'"):
        return text[1:-1]
    if colon:
        return TAGS[tag](rest)  # type: ignore[operator]
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def column(value: Any) -> pa.Array:
    """One value as a column of the type that Arrow has for it."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        unsigned = 0 < value < 2**64
        return pa.array([value if unsigned else Decimal(value)], pa.uint64() if unsigned else None)
    if isinstance(value, datetime):
        return pa.array([value], pa.timestamp("us", "UTC" if value.tzinfo else None))
    return pa.array([value])


COMPARED = [case for case in load() if isinstance(case, Compared)]
COMPUTED = [case for case in load() if isinstance(case, Computed)]
NEGATED = [case for case in load() if isinstance(case, Called) and case.function == "minus"]
AGGREGATED = [case for case in load() if isinstance(case, Called) and case.function != "minus"]

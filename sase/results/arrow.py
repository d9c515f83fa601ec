"""Matches as an Arrow table: the fixed columns, then one for every attribute."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import numpy as np
import pyarrow as pa

from sase.results.match import Match

FIXED = pa.schema(
    [
        ("event", pa.string()),
        ("ts", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("probability", pa.float64()),
    ]
)


def table(matches: Iterable[Match]) -> pa.Table:
    """What RETURN calls like a fixed column is not in it: `match.attributes` has it."""
    found = list(matches)
    fixed = [
        pa.array([match.composite.name for match in found], pa.string()),
        pa.array([match.ts for match in found], pa.int64()),
        pa.array([match.start for match in found], pa.int64()),
        pa.array([match.end for match in found], pa.int64()),
        pa.array([match.probability for match in found], pa.float64()),
    ]
    names = list(dict.fromkeys(name for match in found for name in match.attributes))
    others = {
        name: _column([match.attributes.get(name) for match in found])
        for name in names
        if name not in FIXED.names
    }
    return pa.table(dict(zip(FIXED.names, fixed, strict=True)) | others)


def _column(values: list[Any]) -> pa.Array:
    """Values of one kind as they are; of several, or of one that Arrow does not have, as texts."""
    # Arrow itself would take a number beside dates for a day.
    if len({_kind(value) for value in values if value is not None}) <= 1:
        try:
            return pa.array(values)
        except (pa.ArrowException, OverflowError, TypeError):
            pass
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _kind(value: Any) -> type:
    """Integers and floats are one kind, and so are those of numpy; a moment is no date."""
    if isinstance(value, bool | np.bool_):
        return bool
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, np.timedelta64):
        return float
    known = (str, datetime, date, list, dict)
    return next((kind for kind in known if isinstance(value, kind)), type(value))


def _text(value: Any) -> str:
    nested = isinstance(value, bool | list | dict)
    return json.dumps(value, default=str) if nested else str(value)

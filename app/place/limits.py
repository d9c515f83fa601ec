"""How much of a medicine in how much time: `2000 mg in 4 hours; 4000 mg in 24 hours` in the catalog."""

from __future__ import annotations

import re

import pyarrow as pa

from detectors.document import Section
from sase.language.duration import milliseconds

LIMITS = "limits"
MOST_LIMITS = 3
LONGEST_MS = 7 * 86_400_000  # for as long as the detector remembers doses
_LIMIT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*mg\s+in\s+(.+?)\s*")
# The columns that queries read: so many mg, and within how many milliseconds.
COLUMNS = tuple(name for n in range(1, MOST_LIMITS + 1) for name in (f"limit_{n}", f"limit_{n}_ms"))

Limit = tuple[float, int]


def with_limits(section: Section, items: pa.Table) -> pa.Table:
    """The catalog with the columns that the limits stand for; who has fewer has the first again."""
    if LIMITS not in items.column_names:
        return items
    found = [_limits(section, text) for text in items[LIMITS].cast(pa.string()).to_pylist()]
    for n, name in enumerate(COLUMNS):
        cells = [None if not row else (row[n // 2] if n // 2 < len(row) else row[0])[n % 2] for row in found]
        items = items.append_column(name, pa.array(cells, pa.int64() if n % 2 else pa.float64()))
    return items


def _limits(section: Section, text: str | None) -> list[Limit]:
    parts = text.split(";") if text else []
    if len(parts) > MOST_LIMITS:
        section.fault(f"limits: {text!r} has more than {MOST_LIMITS} limits")
    return [limit for part in parts[:MOST_LIMITS] if (limit := _limit(section, part)) is not None]


def _limit(section: Section, text: str) -> Limit | None:
    found = _LIMIT.fullmatch(text)
    length = milliseconds(found[2]) if found else None
    if found is None or not length or length > LONGEST_MS:
        section.fault(f"limits: {text.strip()!r} is no limit such as '2000 mg in 4 hours' (at most 7 days)")
        return None
    return float(found[1]), length

"""Alerts as JSON lines or CSV, for a spreadsheet or another system."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from app.store.alerts.alert import Alert

COLUMNS = (
    "id", "scenario", "detector", "version", "severity", "title", "subject", "area", "started_ms",
    "occurred_ms", "detected_ms", "stored_ms", "explanation", "unproven", "probability", "state",
    "owner", "resolution", "reason",
)  # fmt: skip


def as_json_lines(alerts: Iterable[Alert]) -> Iterator[str]:
    """One JSON object per line, evidence included."""
    return (json.dumps(asdict(alert), ensure_ascii=False) + "\n" for alert in alerts)


def as_csv(alerts: Iterable[Alert]) -> Iterator[str]:
    """A heading and one line per alert; without the evidence."""
    yield _line(COLUMNS)
    for alert in alerts:
        yield _line([_cell(getattr(alert, name)) for name in COLUMNS])


def _cell(value: Any) -> Any:
    # A spreadsheet runs a cell that begins like a formula; a leading apostrophe keeps it text.
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _line(values: Iterable[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow(values)
    return buffer.getvalue()

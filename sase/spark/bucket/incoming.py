"""The packed rows of one bucket in one micro-batch, unpacked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sase.spark.blob import decode


@dataclass(slots=True)
class Incoming:
    """Events, what is said beside them, rows of earlier levels, and how far time has come."""

    tables: list[pa.Table] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)
    passed: list[dict[str, Any]] = field(default_factory=list)
    top: int | None = None
    kept: int = 0


def unpacked(rows: Iterable[Any]) -> Incoming:
    """Packed rows in the order of their arrival."""
    found = Incoming()
    for row in sorted(rows, key=lambda row: (row.part, row.chunk)):
        if row.rows:
            found.tables.append(decode(row.blob))
        if row.passed is not None:
            found.passed.extend(decode(row.passed).to_pylist())
        notice = json.loads(row.notice)
        found.said.extend(notice["said"])
        found.kept += notice["kept"]
        if row.top is not None:
            found.top = row.top if found.top is None else max(found.top, row.top)
    return found

"""What is believed of a home as rows of a snapshot, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.kept_rows import STATE

_OF = "rooms"


def kept_bytes(parts: Mapping[str, bytes]) -> pa.RecordBatch:
    """A row for each part: its length, then its bytes as whole numbers, filled up with zeros."""
    values = [[len(raw), *np.frombuffer(raw + bytes(-len(raw) % 8), np.int64)] for raw in parts.values()]
    columns = [pa.array([_OF] * len(parts)), pa.array(list(parts)), pa.array(values, pa.list_(pa.int64()))]
    return pa.RecordBatch.from_arrays(columns, schema=STATE)


def found_bytes(state: pa.RecordBatch) -> dict[str, bytes]:
    """The parts that `kept_bytes` wrote; none in a snapshot of another place."""
    mine = state.filter(pc.equal(state["of"], _OF))
    rows = zip(mine["name"].to_pylist(), mine["values"].to_pylist(), strict=True)
    return {name: np.array(words, np.int64).tobytes()[:length] for name, (length, *words) in rows}


def written(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts).encode()

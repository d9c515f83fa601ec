"""The ways in which property tests run a stream: plans with optimisations off, pieces, record batches."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from typing import Any

import pyarrow as pa

import sase

SWITCHES = [field.name for field in fields(sase.Options)]
PLANS = [
    *(sase.Options(**{switch: False}) for switch in SWITCHES),
    sase.Options(**dict.fromkeys(SWITCHES, False)),
]
MILLISECONDS = pa.timestamp("ms")


def parts(events: list[Any], cuts: list[int]) -> list[list[Any]]:
    """The stream in pieces, some of them empty."""
    edges = [0, *sorted(min(cut, len(events)) for cut in cuts), len(events)]
    return [events[start:end] for start, end in pairwise(edges)]


def batch(events: list[dict[str, Any]], ts: pa.DataType, kind: pa.DataType) -> pa.RecordBatch:
    """Columns as they come: an attribute that no event of the batch carries has no column."""
    names = sorted({name for event in events for name in event} - {"event", "ts"})
    own = {
        "event": pa.array([event["event"] for event in events], pa.string()).cast(kind),
        "ts": pa.array([event["ts"] for event in events], MILLISECONDS).cast(ts),
    }
    return pa.RecordBatch.from_pydict(own | {name: [event.get(name) for event in events] for name in names})

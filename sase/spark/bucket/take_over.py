"""A rule that watches goes on where a query was that kept events: of these only the cases are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

import sase
from sase.spark.bucket import snapshot


def taken_over(old: bytes, query: sase.Query) -> bytes:
    """The snapshot of a query that watches, after another's events; what NON-OVERLAP has used up was told."""
    before = snapshot.from_bytes(old)
    parts = [
        pa.Table.from_batches([kept.source])
        .append_column("_at", pa.array(kept.positions))
        .filter(~kept.spent)
        for own in before.kept
        for kept in own
    ]
    matcher = query.matcher()
    if parts:
        events = pa.concat_tables(parts, promote_options="default")
        _, once = np.unique(events["_at"].to_numpy(), return_index=True)
        matcher.replay(events.take(pa.array(once)).drop_columns(["_at"]))
    after = replace(matcher.snapshot(), position=before.position, time=before.time)
    return snapshot.to_bytes(after)

"""That readers worked: what others had read of them, thinned out, for a look at the readings of some tags."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from app.cleaning.stream import HELD_MS
from app.log.row import SENSED

EVERY_MS = 1_000  # one for each reader in this time tells as much as all of them
_ONLINE = '{"status": "online"}'


def is_held(rows: pa.RecordBatch) -> pa.Array:
    return pc.greater(pc.subtract(rows["received"], rows["ts"]), HELD_MS)


def about(batch: pa.RecordBatch, tags: pa.Array) -> pa.RecordBatch:
    """Rows of the log as if there were no other tags: what readers hear of others says that they work, and
    without that a tag's silence would say nothing."""
    sensed = pc.is_in(batch["kind"], pa.array(SENSED))
    mine = pc.and_(sensed, pc.is_in(batch["tag"], tags))
    told = pc.and_(pc.equal(batch["kind"], "status"), pc.not_equal(batch["topic"], ""))
    kept = pc.or_(pc.or_(mine, told), pc.equal(batch["kind"], "control"))
    others = _signs(batch.filter(pc.and_not(sensed, mine)))
    rows = pa.concat_batches([batch.filter(kept), others])
    return rows.take(pa.array(np.argsort(rows["position"].to_numpy(), kind="stable")))


def _signs(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Of each reader and second, and of what was held back, the first row: as the reader's word that it is
    there."""
    readers = rows["reader"].dictionary_encode().indices.to_numpy()
    held = is_held(rows).to_numpy(zero_copy_only=False).astype(np.int64)
    moments = rows["ts"].to_numpy() // EVERY_MS
    [_, first] = np.unique(np.stack([readers, held, moments]), axis=1, return_index=True)
    kept = rows.take(pa.array(np.sort(first)))
    count = kept.num_rows
    columns = dict(zip(kept.schema.names, kept.columns, strict=True)) | {
        "kind": pa.repeat("status", count),
        "tag": pa.repeat("", count),
        "rssi": pa.nulls(count, pa.float64()),
        "detail": pa.repeat(_ONLINE, count),
    }
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=rows.schema)

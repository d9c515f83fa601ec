"""Events that wait until no older one can arrive any more, so that matchers see them in order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sase.spark.bucket.state import BlobStore, Head, StepState, WaitingBlob


def release(head: Head, state: StepState, new: pa.Table | None, border: int | None) -> pa.Table:
    """The new and waiting events before `border`, in order; the others wait (None: all do)."""
    turn = [each for each in head.waiting if border is not None and each.low < border]
    tables = [state.read(each.number) for each in turn]
    tables += [new] if new is not None and new.num_rows else []
    if not tables:
        return pa.table({})
    table = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    head.waiting = [each for each in head.waiting if each not in turn]
    state.drop(each.number for each in turn)
    times = table["ts"].to_numpy()
    ready = np.full(len(times), False) if border is None else times < border
    if not ready.all():
        wait(head, state, table.filter(pa.array(~ready)))
        table = table.filter(pa.array(ready))
    return in_order(table)


def in_order(table: pa.Table) -> pa.Table:
    """By time, then by the given sequence number, then as they came."""
    times = table["ts"].to_numpy()
    if "_seq" in table.column_names:
        return table.take(pa.array(np.lexsort((table["_seq"].to_numpy(), times))))
    if (times[1:] >= times[:-1]).all():
        return table
    return table.take(pa.array(np.argsort(times, kind="stable")))


def wait(head: Head, state: BlobStore, table: pa.Table) -> None:
    """Keep these events for later."""
    number, _ = state.write(head, table)
    head.waiting.append(WaitingBlob(number, pc.min(table["ts"]).as_py(), table.num_rows))

"""Ordering: by time, late rows apart, and the same however the stream is cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from app.cleaning.order import Order

SCHEMA = pa.schema([("position", pa.int64()), ("ts", pa.int64())])


def rows(times: Sequence[int], first: int = 0) -> pa.RecordBatch:
    positions = list(range(first, first + len(times)))
    return pa.RecordBatch.from_pydict({"position": positions, "ts": list(times)}, schema=SCHEMA)


def times(batch: pa.RecordBatch) -> list[int]:
    return [int(ts) for ts in batch["ts"].to_pylist()]


def test_rows_wait_for_the_lateness_and_come_in_order() -> None:
    order = Order(SCHEMA, 100)
    assert times(order.push(rows([1050, 1000, 1120]))[0]) == [1000]
    assert times(order.push(rows([1200]))[0]) == [1050]
    assert times(order.finish()) == [1120, 1200]


def test_rows_of_one_time_keep_the_order_of_the_log() -> None:
    order = Order(SCHEMA, 0)
    ordered, _ = order.push(rows([5, 5, 5]))
    assert ordered["position"].to_pylist() == [0, 1, 2]


def test_a_row_later_than_allowed_is_late() -> None:
    order = Order(SCHEMA, 100)
    _, late = order.push(rows([1000, 1101, 1000, 1001]))
    assert late["position"].to_pylist() == [2]


def test_passing_time_lets_rows_go() -> None:
    order = Order(SCHEMA, 100)
    order.push(rows([1000]))
    assert times(order.advance(1099)) == []
    assert times(order.advance(1100)) == [1000]
    assert order.now == 1000


@given(st.lists(st.integers(1, 400), max_size=40), st.sets(st.integers(0, 40)), st.integers(0, 100))
def test_the_cuts_between_batches_change_nothing(stream: list[int], cuts: set[int], lateness: int) -> None:
    whole, pieces = Order(SCHEMA, lateness), Order(SCHEMA, lateness)
    ordered, late = whole.push(rows(stream))
    expected = times(ordered) + times(whole.finish()), times(late)
    edges = sorted({0, len(stream)} | {cut for cut in cuts if cut < len(stream)})
    parts = [pieces.push(rows(stream[low:high], low)) for low, high in pairwise(edges)]
    together = [ts for part, _ in parts for ts in times(part)] + times(pieces.finish())
    assert (together, [ts for _, part in parts for ts in times(part)]) == expected

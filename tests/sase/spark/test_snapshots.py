"""Queries that begin from a snapshot write it seldom, and keep the events that came after it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sase.spark.bucket import query
from tests.sase.spark.workers import Workers

QUERY = "EVENT SEQ(A x, B y) WHERE [id] WITHIN 1 hour OUTPUT NON-OVERLAP"
BATCHES, SIZE = 40, 10


def head(stream: Workers) -> dict[str, Any]:
    (state,) = stream.tester.handle.value_states["head"].state.values()
    found: dict[str, Any] = json.loads(state[0])
    return found


def played(stream: Workers) -> list[dict[str, Any]]:
    """The state after each micro-batch of a stream in which nothing leaves the window."""
    heads = []
    for batch in range(BATCHES):
        events = range(batch * SIZE, (batch + 1) * SIZE)
        stream.batch([{"event": "A", "ts": n, "id": n % 7, "_id": str(n)} for n in events])
        heads.append(head(stream))
    return heads


def test_a_snapshot_is_written_each_time_as_much_again_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Workers({"once": QUERY}, monkeypatch, buckets=1)
    monkeypatch.setattr(query, "_FEW", SIZE)
    written = {one["snapshots"]["once"] for one in played(stream)}
    assert len(written) <= 7  # 400 events: 10, 20, 40, ...


def test_what_came_after_the_snapshot_is_kept_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Workers({"once": QUERY}, monkeypatch, buckets=1)
    monkeypatch.setattr(query, "_FEW", SIZE)
    for one in played(stream):
        after = [segment for segment in one["segments"] if segment["last"] >= one["bases"]["once"]]
        assert sum(segment["rows"] for segment in after) >= one["position"] - one["bases"]["once"]
        assert len(one["segments"]) - len(after) <= 1

"""What lies in a checkpoint has names of its own: later versions must read what earlier ones wrote."""

from __future__ import annotations

import json

import pytest

from tests.sase.spark.workers import Workers

HEAD = {
    *("buckets", "lineage", "now", "position", "numbers", "steps", "segments", "waiting"),
    *("changes", "coming", "snapshots", "bases", "snapshot_rules", "aside", "timer"),
    *("made", "reads_events", "dealt", "version"),
}
SEGMENT = {"number", "low", "high", "first", "last", "rows", "size", "slice", "rank"}
WAITING = {"number", "low", "rows"}


def test_the_head_of_a_bucket_keeps_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Workers(
        {"q": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 1 sec"}, monkeypatch, buckets=1, lateness=50
    )
    stream.batch([{"event": "A", "ts": ts, "id": 1, "_id": str(ts)} for ts in (10, 100)])
    ((text,),) = stream.tester.handle.value_states["head"].state.values()
    head = json.loads(text)
    assert head.keys() == HEAD
    assert [segment.keys() for segment in head["segments"]] == [SEGMENT]
    assert [waiting.keys() for waiting in head["waiting"]] == [WAITING]

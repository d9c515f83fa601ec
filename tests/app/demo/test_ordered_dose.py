"""A missed dose as a demo stages it: from the order in the log to the alert, by the place that is played."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from app.cleaning.stream import CleanedStream
from app.demo.hurried_place import hurried
from app.detection.in_process import InProcess
from app.log.row import ROW_SCHEMA, control_row, to_batch
from app.place.find import find_scenario
from app.place.scenario import load
from tests.app.rows import NOON, online


def test_a_dose_that_is_ordered_and_that_nobody_takes_is_told_within_a_minute(tmp_path: Path) -> None:
    ward = load(hurried(find_scenario("ward"), tmp_path))
    order = control_row(NOON + 5_000, json.dumps({"scenario": "ward", "dose": "INSULIN-4"}), "control")
    lives = [online("station-reader", NOON + 1_000 * second) for second in (0, 20, 40, 60)]
    stored = to_batch([lives[0], order, *lives[1:]])
    positions = pa.array(range(stored.num_rows), pa.int64())
    rows = pa.RecordBatch.from_arrays([positions, *stored.columns], schema=ROW_SCHEMA)
    [missed] = InProcess(ward).push(CleanedStream(ward, 500).push(rows))
    assert (missed.detector, missed.subject) == ("missed_dose", "INSULIN-4")
    assert missed.explanation.startswith("David Wolf was due Insulin")
    assert missed.detected_ms - missed.occurred_ms == 30_000

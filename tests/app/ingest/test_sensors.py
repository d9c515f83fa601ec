"""Barcode scanners and motion sensors on their way into the log: dry run, duplicates, health, replay."""

from __future__ import annotations

import json
from pathlib import Path

from app.ingest import dry_run, payloads, recording
from app.ingest.intake import Counts
from app.mqtt.message import Message
from tests.app.ingest.intakes import START, Time, opened, rows, statuses

SCAN = {"reader": "scanner", "barcode": "31207000000012", "ts": START, "seq": 7}
MOTION = {"reader": "inside", "motion": True, "ts": START, "seq": 8}


def message(said: dict[str, object]) -> Message:
    return Message(f"vigil/readings/{said['reader']}", json.dumps(said).encode())


def test_the_dry_run_says_what_was_scanned_and_where_somebody_moves() -> None:
    said = [line for one in (SCAN, MOTION) for line in dry_run.explain(message(one), payloads.DEFAULT, START)]
    assert said[1].startswith("  barcode scanner 31207000000012 at ")
    assert said[3].startswith("  motion inside at ")
    assert said[3].endswith(", seq 8")


def test_a_numbered_scan_is_kept_once_and_two_codes_are_two_scans(tmp_path: Path) -> None:
    ingest = opened(tmp_path, Time())
    ingest.take(
        [message(SCAN), message(SCAN), message(SCAN | {"barcode": "31207000000020"}), message(MOTION)]
    )
    ingest.close()
    assert ingest.counts == Counts(messages=4, rows=3, duplicates=1)
    assert [row["tag"] for row in rows(tmp_path, "barcode")] == ["31207000000012", "31207000000020"]
    assert len(rows(tmp_path, "motion")) == 1


def test_their_figures_are_counted_like_those_of_any_reader(tmp_path: Path) -> None:
    time = Time()
    ingest = opened(tmp_path, time)
    ingest.tick()
    ingest.take([message(SCAN), message(MOTION)])
    time.pass_by(10)
    ingest.tick()
    ingest.close()
    assert [row["readings"] for row in statuses(tmp_path) if row["status"] == "health"] == [1, 1]


def test_a_log_plays_them_back_as_they_came(tmp_path: Path) -> None:
    ingest = opened(tmp_path, Time())
    ingest.take([message(SCAN), message(MOTION)])
    ingest.close()
    assert [each.payload for each in recording.read(tmp_path)] == [SCAN, MOTION]

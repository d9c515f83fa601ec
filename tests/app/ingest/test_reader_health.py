"""Readers that fall silent, and their figures, as the log tells them."""

from __future__ import annotations

from pathlib import Path

from app.mqtt.message import Message
from tests.app.ingest.intakes import START, Time, opened, reading, rows, statuses


def test_a_silent_reader_is_told_once_and_so_is_its_return(tmp_path: Path) -> None:
    time = Time()
    ingest = opened(tmp_path, time)
    ingest.take([reading(1)])
    for seconds in (30, 31, 100):
        time.pass_by(seconds)
        ingest.tick()
    ingest.take([reading(2)])
    ingest.tick()
    ingest.close()
    told = [row for row in statuses(tmp_path) if row["status"] != "health"]
    assert [row["status"] for row in told] == ["silent", "active"]
    assert told[0]["silent_since_ms"] == START


def test_health_has_rate_and_faults_and_survives_a_restart(tmp_path: Path) -> None:
    time = Time()
    overflow = Message("vigil/status/r1", b'{"status": "overflow"}')
    lost = Message("vigil/status/r1", b'{"status": "antenna-disconnected", "antenna": 2}')
    first = opened(tmp_path, time)
    first.tick()
    first.take([*(reading(seq) for seq in range(50)), overflow, lost])
    time.pass_by(10)
    first.tick()
    first.close()
    second = opened(tmp_path, time)
    second.take([reading(50)])
    time.pass_by(10)
    second.tick()
    second.close()
    before, after = (row for row in statuses(tmp_path) if row["status"] == "health")
    assert (before["per_second"], before["readings"]) == (5.0, 50)
    assert (after["readings"], after["overflows"], after["antenna_faults"]) == (51, 1, 1)


def test_a_wall_clock_that_is_set_silences_nobody(tmp_path: Path) -> None:
    time = Time()
    ingest = opened(tmp_path, time)
    ingest.take([reading(1)])
    time.wall_ms += 3_600_000
    ingest.tick()
    time.wall_ms -= 7_200_000
    ingest.take([reading(2)])
    ingest.tick()
    ingest.close()
    assert [row["status"] for row in statuses(tmp_path) if row["status"] == "silent"] == []
    assert [(row["seq"], row["received"]) for row in rows(tmp_path)] == [(1, START), (2, START)]


def test_a_reader_whose_only_word_is_a_status_counts_as_heard(tmp_path: Path) -> None:
    time = Time()
    ingest = opened(tmp_path, time)
    ingest.tick()
    for _ in range(4):
        ingest.take([Message("vigil/status/till", b'{"status": "online"}')])
        time.pass_by(30)
        ingest.tick()
    ingest.close()
    told = [row for row in statuses(tmp_path) if "last_seen_ms" in row]
    assert {row["status"] for row in told} == {"health"}
    assert [row["last_seen_ms"] - START for row in told] == [0, 30_000, 60_000, 90_000]

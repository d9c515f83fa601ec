"""Publishing recordings: what a file may hold, at which pace and with which times it is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.ingest import recording
from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.message import Message
from app.mqtt.publish import Publication, PublishError
from tests.app.brokers import Mosquitto, until
from tests.app.processes import numbers, vigil

READING = {"reader": "r1", "tag": "AABB", "ts": 1_786_612_500_000}


def written(path: Path, *values: Any) -> Path:
    path.write_text("\n".join(json.dumps(value) for value in values) + "\n\n")
    return path


def test_a_line_is_a_reading_a_status_or_any_message(tmp_path: Path) -> None:
    status = {"reader": "r1", "status": "online", "ts": "2026-08-13T09:15:00Z"}
    path = written(tmp_path / "file", READING, status, {"topic": "a/b", "payload": "text"})
    assert list(recording.read(path)) == [
        Publication("vigil/readings/r1", READING, READING["ts"]),
        Publication("vigil/status/r1", status, READING["ts"]),
        Publication("a/b", "text", None),
    ]


def test_a_line_that_is_none_of_these_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "file", READING, {"tag": "AA"})
    with pytest.raises(PublishError, match=r"file:2: no reading, status or"):
        list(recording.read(path))


def test_a_log_is_a_recording_too(tmp_path: Path) -> None:
    ingest = Ingest(IngestSettings(tmp_path))
    ingest.take([Message("vigil/readings/r1", json.dumps(READING).encode())])
    ingest.close()
    [only] = recording.read(tmp_path)
    assert only == Publication(
        "vigil/readings/r1", {**READING, "antenna": 1, "rssi": None, "seq": None}, READING["ts"]
    )


def test_times_can_be_moved_to_the_present() -> None:
    later = {**READING, "ts": 1_786_612_501_500}
    recorded = [Publication("t", READING, READING["ts"]), Publication("t", later, 1_786_612_501_500)]
    moved = list(recording.shifted(recorded, 2_000_000_000_000))
    assert [each.ts for each in moved] == [2_000_000_000_000, 2_000_000_001_500]
    assert [json.loads(each.encoded())["ts"] for each in moved] == [2_000_000_000_000, 2_000_000_001_500]


@pytest.mark.parametrize(("speed", "pauses"), [(1.0, [2.0, 3.0]), (10.0, [0.2, 0.3])])
def test_the_pace_is_that_of_the_recording_times_the_speed(speed: float, pauses: list[float]) -> None:
    clock, waited = [100.0], []

    def wait(seconds: float) -> None:
        waited.append(round(seconds, 6))
        clock[0] += seconds

    recorded = [Publication("t", {}, ts) for ts in (0, 2_000, 2_000, 5_000)]
    assert list(recording.paced(recorded, speed, lambda: clock[0], wait)) == recorded
    assert waited == pauses


def test_the_command_publishes_a_file_that_ingest_receives(
    mosquitto: Mosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "file", *({**READING, "seq": seq} for seq in range(100)))
    with vigil("ingest", "--broker", mosquitto.url, "--log", tmp_path / "log"):
        until(lambda: mosquitto.knows("vigil-ingest"), 60)
        assert cli.main(["publish", str(path), "--broker", mosquitto.url, "--speed", "0"]) == 0
        until(lambda: len(numbers(tmp_path / "log")) == 100)
    assert "100 messages published" in capsys.readouterr().out


def test_a_broker_that_is_not_there_is_told_plainly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "file", READING)
    assert cli.main(["publish", str(path), "--broker", "mqtt://127.0.0.1:1"]) == 1
    assert "vigil publish: " in capsys.readouterr().err

"""Ingest without a network: counts that add up, duplicates, dead letters, health and the tail of the log."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app import log
from app.clock import Clock
from app.ingest import dead_letters
from app.ingest.intake import Counts, Ingest, IngestSettings
from app.ingest.payloads import DEFAULT, Route
from app.mqtt.message import Message

START = 1_786_612_500_000


@dataclass
class Time:
    """Both clocks in the test's hands: the wall clock can be set without the other noticing."""

    wall_ms: int = START
    elapsed_s: float = 1000.0

    def pass_by(self, seconds: float) -> None:
        self.wall_ms += int(seconds * 1000)
        self.elapsed_s += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.wall_ms, lambda: self.elapsed_s)


def reading(seq: int | None, tag: str = "AABB", reader: str = "r1", **extra: Any) -> Message:
    value = {"reader": reader, "tag": tag, "ts": START + (seq or 0), "seq": seq, **extra}
    return Message(f"vigil/readings/{reader}", json.dumps(value).encode(), extra.pop("repeated", False))


def again(message: Message) -> Message:
    return Message(message.topic, message.payload, repeated=True)


def opened(folder: Path, time: Time | None = None, routes: tuple[Route, ...] = DEFAULT) -> Ingest:
    return Ingest(IngestSettings(folder, routes), (time or Time()).clock)


def rows(folder: Path, kind: str = "reading") -> list[dict[str, Any]]:
    found = [row for batch in log.read(folder, 0, log.end(folder)) for row in batch.to_pylist()]
    return [row for row in found if row["kind"] == kind]


def statuses(folder: Path) -> list[dict[str, Any]]:
    return [{"reader": row["reader"], **json.loads(row["detail"])} for row in rows(folder, "status")]


def test_every_message_is_logged_or_dead_lettered(tmp_path: Path) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(1), Message("vigil/readings/r1", b"junk"), reading(2), Message("nowhere", b"{}")])
    ingest.close()
    assert ingest.counts == Counts(messages=4, rows=2, rejected=2)
    assert [row["seq"] for row in rows(tmp_path)] == [1, 2]
    assert [entry.letter.topic for entry in dead_letters.pending(tmp_path)] == [
        "vigil/readings/r1",
        "nowhere",
    ]


def test_a_numbered_reading_is_kept_once_however_it_comes_again(tmp_path: Path) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(1), reading(1)])
    ingest.take([reading(1), again(reading(1)), reading(2)])
    ingest.close()
    assert [row["seq"] for row in rows(tmp_path)] == [1, 2]
    assert ingest.counts.duplicates == 3


def test_duplicates_are_known_after_a_restart(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.take([reading(1), reading(None), Message("vigil/readings/r1", b"junk")])
    first.close()
    second = opened(tmp_path)
    second.take([reading(1), again(reading(None)), again(Message("vigil/readings/r1", b"junk"))])
    second.close()
    assert (second.counts.rows, second.counts.rejected, second.counts.duplicates) == (0, 0, 3)


def test_equal_readings_without_numbers_are_dropped_only_if_the_broker_says_it_repeats(
    tmp_path: Path,
) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(None), reading(None)])
    ingest.take([again(reading(None))])
    ingest.close()
    assert (ingest.counts.rows, ingest.counts.duplicates) == (2, 1)


def test_two_equal_readings_in_one_repeated_message_are_both_kept_if_they_are_new(tmp_path: Path) -> None:
    pair = json.dumps([{"tag": "AA", "ts": START}, {"tag": "AA", "ts": START}]).encode()
    ingest = opened(tmp_path)
    ingest.take([Message("vigil/readings/r1", pair, repeated=True)])
    ingest.close()
    assert ingest.counts.rows == 2


def test_a_reader_that_starts_counting_again_loses_nothing(tmp_path: Path) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(1), reading(1, ts=START + 60_000)])
    ingest.close()
    assert ingest.counts.rows == 2


def test_numbers_that_come_out_of_order_are_all_kept(tmp_path: Path) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(seq) for seq in (5, 3, 4, 1, 2)])
    ingest.close()
    assert [row["seq"] for row in rows(tmp_path)] == [5, 3, 4, 1, 2]


def test_dead_letters_are_read_after_the_fix_and_only_once(tmp_path: Path) -> None:
    odd = Message("dock/7/tags", reading(1).payload)
    before = opened(tmp_path)
    before.take([odd, Message("dock/7/tags", b"junk")])
    before.close()
    fixed = opened(tmp_path, routes=(*DEFAULT, Route("dock/+/tags")))
    assert fixed.replay() == Counts(messages=2, rows=1, rejected=1)
    assert fixed.replay() == Counts(messages=1, rows=0, rejected=1)
    fixed.close()
    assert [row["seq"] for row in rows(tmp_path)] == [1]
    assert [entry.letter.payload for entry in dead_letters.pending(tmp_path)] == [b"junk"]


def test_a_replay_that_dies_after_the_write_is_not_done_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(tmp_path, routes=(Route("elsewhere"),))
    before.take([reading(1)])
    before.close()
    dying = opened(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(dead_letters, "settle", _die)
        with pytest.raises(KeyboardInterrupt):
            dying.replay()
    dying.close()
    after = opened(tmp_path)
    assert after.replay() == Counts(messages=0, rows=0, rejected=0)
    after.close()
    assert len(rows(tmp_path)) == 1


def _die(_folder: Path) -> None:
    raise KeyboardInterrupt


def test_nobody_can_pretend_that_dead_letters_were_replayed(tmp_path: Path) -> None:
    forged = json.dumps({"command": dead_letters.REPLAYED, "letters": [0]}).encode()
    ingest = opened(tmp_path)
    ingest.take([Message("vigil/readings/r1", b"junk"), Message("vigil/control", forged)])
    ingest.close()
    assert len(dead_letters.pending(tmp_path)) == 1


def test_a_command_stands_between_the_readings_it_came_between(tmp_path: Path) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(1), Message("vigil/control", b'{"detector": "x", "on": false}'), reading(2)])
    ingest.close()
    [command] = rows(tmp_path, "control")
    assert command["position"] == 1


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
    assert [row["seq"] for row in rows(tmp_path)] == [1]
    assert "ahead of this machine's clock" in dead_letters.pending(tmp_path)[0].letter.reason


def test_retention_runs_now_and_then_and_respects_the_readers_of_the_log(tmp_path: Path) -> None:
    time = Time()
    settings = IngestSettings(tmp_path, retention=log.LogRetention(max_bytes=1), segment_bytes=4096)
    ingest = Ingest(settings, time.clock)
    for group in range(20):
        ingest.take([reading(group * 10 + seq) for seq in range(10)])
    log.commit(tmp_path, "spark", 100)
    time.pass_by(61)
    ingest.tick()
    ingest.close()
    assert 0 < log.earliest(tmp_path) <= 100


DISK_FULL = """
import json, resource, sys
from pathlib import Path
from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.message import Message
ingest = Ingest(IngestSettings(Path(sys.argv[1])))
group = lambda n: [Message("vigil/readings/r", json.dumps({"tag": "AA", "ts": 1, "seq": n * 50 + i}).encode())
                   for i in range(50)]
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, resource.RLIM_INFINITY))
n = 0
try:
    while True:
        ingest.take(group(n))
        n += 1
except OSError as error:
    print(type(error).__name__, n, ingest.counts.rows)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
ingest.take(group(n))
print(ingest.counts.rows, ingest.counts.duplicates)
"""


def test_a_full_disk_takes_nothing_back_and_what_comes_again_is_no_duplicate(tmp_path: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", DISK_FULL, str(tmp_path)], capture_output=True, text=True, check=True
    )
    (kind, groups, before), (after, duplicates) = (line.split() for line in child.stdout.splitlines())
    assert (kind, int(before), int(after), duplicates) == (
        "OSError",
        int(groups) * 50,
        int(groups) * 50 + 50,
        "0",
    )
    assert len(rows(tmp_path)) == int(after)

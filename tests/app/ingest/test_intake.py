"""Ingest without a network: counts that add up, duplicates, retention, a full disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from app import log
from app.ingest import dead_letters
from app.ingest.intake import Counts, Ingest, IngestSettings
from app.mqtt.message import Message
from tests.app.ingest.intakes import START, Time, again, opened, reading, rows


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


def test_a_command_stands_between_the_readings_it_came_between(tmp_path: Path) -> None:
    ingest = opened(tmp_path)
    ingest.take([reading(1), Message("vigil/control", b'{"detector": "x", "on": false}'), reading(2)])
    ingest.close()
    [command] = rows(tmp_path, "control")
    assert command["position"] == 1


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
from tests.app.ingest.intakes import START, Time, again, opened, reading, rows, statuses
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

"""A world that brings its own time, at any speed, forwards, back to 1x and begun anew: no reading is late."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from app import log
from app.cleaning.stream import CleanedStream
from app.ingest.intake import Ingest, IngestSettings
from app.mqtt.message import Message
from app.mqtt.topics import SIMULATOR_CLOCK
from app.place.scenario import Scenario
from tests.app.ingest.intakes import START, Time, rows

READERS = ("till-1-pad", "shelf-denim", "main-exit-gate")


def told(now_ms: int, speed: float) -> Message:
    return Message(SIMULATOR_CLOCK, json.dumps({"now_ms": now_ms, "speed": speed}).encode())


def world(start: int, seconds: int, speed: float, tag: str) -> Iterator[list[Message]]:
    """What comes in a quarter of a second each: every reader reads every two seconds, clocks 150 ms apart."""
    step = int(250 * speed)
    for began in range(start, start + seconds * 1000, step):
        group = []
        for ts in range(-(-began // 2_000) * 2_000, began + step, 2_000):
            group += [told(ts, speed)]
            group += [_read(reader, tag, ts + 150 * (number - 1)) for number, reader in enumerate(READERS)]
        yield [*group, told(began + step, speed)]


def _read(reader: str, tag: str, ts: int) -> Message:
    value = {"reader": reader, "tag": tag, "ts": ts, "rssi": -40.0}
    return Message(f"vigil/readings/{reader}", json.dumps(value).encode())


def play(ingest: Ingest, time: Time, groups: Iterator[list[Message]]) -> None:
    for group in groups:
        time.pass_by(0.25)
        ingest.take(group)
        ingest.listen()
        ingest.tick()


def simulated(folder: Path, time: Time) -> Ingest:
    return Ingest(IngestSettings(folder, simulated=True), time.clock)


def late(folder: Path, shop: Scenario) -> int:
    stream = CleanedStream(shop, 500)
    count = 0
    for batch in log.read(folder, 0, log.end(folder)):
        stream.push(batch)
        count += stream.late.num_rows
    return count


def test_no_reading_is_late_at_any_speed_and_back(tmp_path: Path, shop: Scenario, tag: str) -> None:
    time = Time()
    ingest = simulated(tmp_path, time)
    began = START
    for speed, seconds in ((1.0, 20), (20.0, 900), (200.0, 6_000), (1.0, 20)):
        play(ingest, time, world(began, seconds, speed, tag))
        began += seconds * 1000
    ingest.close()
    found = rows(tmp_path)
    assert late(tmp_path, shop) == 0
    assert found[-1]["ts"] > START + 6_900_000 > time.wall_ms
    assert max(abs(row["ts"] - row["received"]) for row in found) <= 500
    beats = [json.loads(row["detail"]) for row in rows(tmp_path, "heartbeat")]
    assert {beat["speed"] for beat in beats} == {1.0, 20.0, 200.0}
    assert beats[-1]["behind_ms"] < -6_000_000


def test_a_world_that_begins_anew_goes_on_where_the_last_had_come(
    tmp_path: Path, shop: Scenario, tag: str
) -> None:
    time = Time()
    ingest = simulated(tmp_path, time)
    play(ingest, time, world(START, 1_800, 100.0, tag))
    ingest.close()
    again = simulated(tmp_path, time)
    play(again, time, world(START + 60_000, 30, 2.0, tag))
    again.close()
    assert late(tmp_path, shop) == 0
    assert rows(tmp_path)[-1]["ts"] >= START + 1_800_000 + 25_000


def test_silences_are_told_in_the_worlds_time(tmp_path: Path, tag: str) -> None:
    time = Time()
    ingest = simulated(tmp_path, time)
    play(ingest, time, world(START, 60, 20.0, tag))
    for second in range(70, 140, 5):
        time.pass_by(0.25)
        ingest.take([told(START + second * 1000, 20.0), _read("till-1-pad", tag, START + second * 1000)])
        ingest.tick()
    ingest.close()
    said = [(row["reader"], json.loads(row["detail"])["status"]) for row in rows(tmp_path, "status")]
    assert ("shelf-denim", "silent") in said
    assert ("till-1-pad", "silent") not in said


def test_what_is_no_time_changes_nothing_and_a_real_site_does_not_listen(tmp_path: Path, tag: str) -> None:
    time = Time()
    ingest = simulated(tmp_path / "a", time)
    for payload in (b"", b"[]", b"{}", b'{"now_ms": "x", "speed": 1}', b'{"now_ms": 1e999, "speed": 1}'):
        ingest.take([Message(SIMULATOR_CLOCK, payload), _read("till-1-pad", tag, START)])
    ingest.close()
    assert {row["received"] for row in rows(tmp_path / "a")} == {START}
    real = Ingest(IngestSettings(tmp_path / "b"), time.clock)
    real.take([told(START + 3_600_000, 20.0), _read("till-1-pad", tag, START)])
    real.close()
    assert {row["received"] for row in rows(tmp_path / "b")} == {START}

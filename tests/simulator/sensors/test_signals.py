"""Motion sensors and barcode scanners: triggers, scans, and what of it is missed or comes twice."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.place.radio import RadioDials
from app.place.scenario import Scenario, load
from simulator.output.report_file import lines
from simulator.sensors.radio import Radio
from simulator.sensors.reads import MOTION, STATUS, Reads
from simulator.sensors.reports import Reporter
from simulator.sensors.signals import signals
from simulator.worlds.world import Presences

SILENT = RadioDials(misses=0, ghosts=0, repeats=0, crossings=0, skew_ms=0)
NOBODY = np.empty(0, np.int64)
HOUR = 3_600_000


@pytest.fixture(scope="module")
def library() -> Scenario:
    return load(Path("scenarios/library.yaml"))


def seen(
    motions: tuple[tuple[int, int, int], ...] = (),
    scans: tuple[tuple[int, int, int], ...] = (),
    begun: int = 0,
    until: int = HOUR,
) -> Presences:
    return Presences(NOBODY, NOBODY, NOBODY, NOBODY, begun, until, motions=motions, scans=scans)


def test_a_motion_sensor_triggers_at_once_and_again_while_somebody_moves() -> None:
    assert signals(seen(motions=((3, 1000, 2200),)), SILENT, 1).ts.tolist() == [1000, 1500, 2000]


def test_triggers_are_the_same_however_time_is_sliced() -> None:
    motions = tuple((3, start, start + 1300) for start in range(0, 60_000, 7000))
    whole = signals(seen(motions, until=60_000), RadioDials(), 1)
    parts = [
        signals(seen(motions, begun=at, until=at + 700), RadioDials(), 1) for at in range(0, 60_000, 700)
    ]
    assert sorted(whole.ts.tolist()) == sorted(ts for part in parts for ts in part.ts.tolist())


def test_triggers_are_missed_and_scans_come_twice_as_often_as_promised() -> None:
    many = 10_000
    motions = tuple((3, 1000 * number, 1000 * number + 1) for number in range(many))
    scans = tuple((2, number % 50, 1000 * number) for number in range(many))
    dials = RadioDials(misses=0.08, repeats=0.05)
    assert len(signals(seen(motions, until=many * 1000), dials, 1).ts) / many == pytest.approx(0.92, abs=0.01)
    assert len(signals(seen(scans=scans), dials, 1).ts) / many == pytest.approx(1.05, abs=0.01)


def test_only_radios_hear_tags_and_all_sensors_say_that_they_are_there(library: Scenario) -> None:
    count, plan = library.items.num_rows, library.plan
    door = [area.name for area in plan.areas].index("door")
    tags, minute = np.arange(count), np.full(count, 60_000)
    at_door = Presences(tags, np.full(count, door), 0 * tags, minute, 0, 60_000)
    reads = Radio(library, RadioDials(ghosts=0.05), 1).hear(at_door).reads
    sensors = {index for index, reader in enumerate(plan.readers) if reader.sensor != "rfid"}
    assert sensors.isdisjoint(reads.only(reads.tag >= 0).reader.tolist())
    assert set(reads.only(reads.tag == STATUS).reader.tolist()) == set(range(len(plan.readers)))


def test_every_kind_of_report_is_written_as_its_message(library: Scenario) -> None:
    index = {reader.name: number for number, reader in enumerate(library.plan.readers)}
    readers = ("shelf-fiction", "counter-scanner", "door-inside", "door-inside")
    reads = Reads(
        np.arange(4),
        np.array([index[name] for name in readers]),
        np.array([0, 0, MOTION, STATUS]),
        np.full(4, -50.0),
    )
    card = library.items.to_pylist()[0]
    assert [json.loads(line) for line in lines(Reporter(library).batch(reads)).to_pylist()] == [
        {"reader": "shelf-fiction", "antenna": 1, "tag": card["tag"], "ts": 0, "rssi": -50.0, "seq": 1},
        {"reader": "counter-scanner", "barcode": card["barcode"], "ts": 1, "seq": 1},
        {"reader": "door-inside", "motion": True, "ts": 2, "seq": 1},
        {"reader": "door-inside", "status": "online", "ts": 3},
    ]

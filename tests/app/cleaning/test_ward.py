"""A medicine cabinet: who stood there is told again and again, held back or not; what was read once, too."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pytest

from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, reading_row, to_batch
from app.place.scenario import Scenario, load

WARD = """\
title: Small ward
summary: A bed and a cabinet.
timezone: UTC
plan:
  size: [20, 5]
  areas:
    bed:     {title: Bed,     kind: bed,     shape: [0, 0, 4, 4]}
    cabinet: {title: Cabinet, kind: cabinet, shape: [10, 0, 4, 4]}
  readers:
    bed-1: {area: bed,     at: [2, 2],  reach: 2, every: 10 seconds}
    pad:   {area: cabinet, at: [12, 2], reach: 2, every: 1 second}
catalog:
  items:
    - {tag: EE01, id: band-1, kind: patient, patient: p1}
    - {tag: DD01, id: WARFARIN-1, kind: medicine, patient: p1, medicine: Warfarin, times: "12:02"}
cleaning:
  refresh: {cabinet: 10 seconds}
"""
NOON = 1_772_452_800_000
Told = list[tuple[str, str, int]]


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    path: Path = tmp_path_factory.mktemp("ward") / "ward.yaml"
    path.write_text(WARD)
    return load(path)


def reads(reader: str, tag: str, seconds: Iterable[int], comes: int | None = None) -> list[Row]:
    """At each of these seconds after noon; `comes`: all at once, later."""
    arrivals = [(each, each if comes is None else comes) for each in seconds]
    return [
        reading_row(reader, 1, tag, at(when), at(come), rssi=-50.0, seq=None, topic="readings")
        for when, come in arrivals
    ]


def at(seconds: int) -> int:
    return NOON + 1000 * seconds


def told(ward: Scenario, rows: list[Row]) -> pa.Table:
    """In the order in which they came."""
    stream, ordered = CleanedStream(ward, 500), sorted(rows, key=lambda row: (row.received, row.ts))
    numbers = pa.array(range(len(ordered)), pa.int64())
    log = pa.RecordBatch.from_arrays([numbers, *to_batch(ordered).columns], schema=ROW_SCHEMA)
    return pa.Table.from_batches([stream.push(log), stream.finish()])


def brief(events: pa.Table, *types: str) -> Told:
    rows = events.select(["event", "id", "dwell"]).to_pylist()
    return [(row["event"], row["id"], row["dwell"]) for row in rows if row["event"] in types]


def test_who_stood_at_a_cabinet_that_held_back_is_told_although_the_bed_has_read_him_since(
    ward: Scenario,
) -> None:
    in_bed = reads("bed-1", "EE01", [*range(0, 30, 10), *range(65, 130, 10)])
    held = [*reads("pad", "EE01", range(35, 50), 100), *reads("pad", "DD01", range(45, 50), 100)]
    found = brief(told(ward, [*in_bed, *held]), "CABINET-READING")
    assert found[0][1] == "band-1"
    assert ("CABINET-READING", "WARFARIN-1", 0) in found


def test_what_was_held_back_is_told_as_often_as_if_it_had_come_at_once(ward: Scenario) -> None:
    held = reads("pad", "EE01", range(5, 50), 60)
    others = reads("bed-1", "DD01", range(0, 80, 10))
    found = brief(told(ward, [*others, *held]), "CABINET-READING")
    assert len(found) >= 5
    assert [dwell for _, _, dwell in found].count(0) == 1


def test_a_bottle_that_is_read_once_is_glimpsed_and_not_there(ward: Scenario) -> None:
    rows = [*reads("pad", "EE01", range(10)), *reads("pad", "DD01", [5])]
    found = brief(told(ward, rows), "CABINET-GLIMPSE", "CABINET-READING")
    assert ("CABINET-GLIMPSE", "WARFARIN-1", 0) in found
    assert ("CABINET-READING", "WARFARIN-1", 0) not in found


def test_at_a_bed_nobody_is_glimpsed(ward: Scenario) -> None:
    assert brief(told(ward, reads("bed-1", "EE01", [0, 40, 80])), "BED-GLIMPSE") == []


@pytest.mark.parametrize(("lifted", "silent"), [([10, 11, 12], 108_000), ([10], -1), ([], -1)])
def test_a_dose_tells_for_how_long_its_bottle_has_not_been_read(
    ward: Scenario, lifted: list[int], silent: int
) -> None:
    rows = [*reads("bed-1", "EE01", range(0, 200, 10)), *reads("pad", "DD01", lifted)]
    assert brief(told(ward, rows), "DOSE-DUE") == [("DOSE-DUE", "WARFARIN-1", silent)]


@pytest.mark.parametrize(("reader", "area"), [("bed-1", "bed"), ("pad", "cabinet")])
def test_a_dose_is_due_where_its_patient_is(ward: Scenario, reader: str, area: str) -> None:
    events = told(ward, reads(reader, "EE01", range(200)))
    due = [row["area"] for row in events.select(["event", "area"]).to_pylist() if row["event"] == "DOSE-DUE"]
    assert due == [area]

"""Doors where whereabouts are kept: a card read once, a silent sensor, a gate that hears a whole shelf."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, reading_row, status_row, to_batch
from app.place.scenario import Scenario, load
from tests.app.cleaning.small_library import (
    LIBRARY,
    Event,
    at,
    entering,
    hears,
    leaving,
    moves,
    told,
)

BOOKS = [f"B{number:03}" for number in range(12)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    path: Path = tmp_path_factory.mktemp("library") / "library.yaml"
    books = "".join(f"    - {{tag: {tag}, id: {tag}, kind: book, home: shelf}}\n" for tag in BOOKS)
    alive = LIBRARY.replace("side: inside}", "side: inside, alive: heartbeat}")
    alive = alive.replace("side: outside}", "side: outside, alive: heartbeat}")
    path.write_text(alive + books + "cleaning: {method: whereabouts}\n")
    return load(path)


def ways(library: Scenario, rows: list[Row]) -> list[Event]:
    """In the order in which the rows come; gate and shelf say that they are there, but from 55 to 66."""
    there = [row for one in ("gate", "shelf-1") for row in [*signs(one, 0, 55), *signs(one, 66, 120)]]
    ordered = sorted([*there, *rows], key=lambda row: (row.received, row.ts))
    numbers = pa.array(range(len(ordered)), pa.int64())
    log = pa.RecordBatch.from_arrays([numbers, *to_batch(ordered).columns], schema=ROW_SCHEMA)
    stream = CleanedStream(library, 500)
    return [*told(stream.push(log), "-OUT", "-IN"), *told(stream.finish(), "-OUT", "-IN")]


def signs(reader: str, start: float, end: float) -> list[Row]:
    """That it is there, every five seconds."""
    times = [at(start + 5 * step) for step in range(int((end - start) / 5) + 1)]
    return [status_row(reader, ts, ts, '{"status": "online"}', topic="status") for ts in times]


def lying(tag: str, until: int) -> list[Row]:
    """On the shelf, every ten seconds."""
    times = [at(second) for second in range(0, until, 10)]
    return [reading_row("shelf-1", 1, tag, ts, ts, rssi=-50.0, seq=None, topic="readings") for ts in times]


def passing(start: float) -> list[Row]:
    return [moves("inside", start), moves("outside", start + 2)]


def test_a_card_that_is_read_once_goes_with_the_passage(library: Scenario) -> None:
    """Perhaps behind a body: whoever is in and read at the door has gone."""
    rows = [*entering("CC01", 0), *passing(60), *hears("CC01", 61, 61.25)]
    assert ways(library, rows) == [("DOOR-IN", "ann", 2), ("DOOR-OUT", "ann", 62)]


def test_a_card_of_somebody_who_is_out_does_not_go_again(library: Scenario) -> None:
    rows = [*entering("CC01", 0), *leaving("CC01", 20), *passing(60), *hears("CC01", 61, 61.25)]
    assert ways(library, rows) == [("DOOR-IN", "ann", 2), ("DOOR-OUT", "ann", 22)]


def test_a_card_that_is_not_in_and_is_read_once_is_a_ghost(library: Scenario) -> None:
    rows = [*entering("CC02", 0), *passing(60), *hears("CC01", 61, 61.25)]
    assert ways(library, rows) == [("DOOR-IN", "bob", 2)]


def test_a_book_on_its_shelf_that_is_read_once_is_a_ghost(library: Scenario) -> None:
    rows = [*lying(BOOKS[0], 60), *passing(60), *hears(BOOKS[0], 61, 61.25)]
    assert ways(library, rows) == []


def test_a_book_that_somebody_carries_out_goes_with_the_passage(library: Scenario) -> None:
    rows = [*lying(BOOKS[0], 50), *passing(60), *hears(BOOKS[0], 60, 63)]
    assert ways(library, rows) == [("DOOR-OUT", BOOKS[0], 62)]


def test_a_shelf_that_a_gate_hears_while_somebody_passes_stays_where_it_is(library: Scenario) -> None:
    shelf = [row for tag in BOOKS for row in lying(tag, 120)]
    burst = [
        row for number, tag in enumerate(BOOKS) for row in hears(tag, 61 + number / 20, 62 + number / 20)
    ]
    rows = [*shelf, *burst, *entering("CC01", 0), *leaving("CC01", 60)]
    assert ways(library, rows) == [("DOOR-IN", "ann", 2), ("DOOR-OUT", "ann", 62)]


def test_where_one_sensor_is_silent_the_other_one_tells_the_way(library: Scenario) -> None:
    """The inner one has held its reports back since second 50."""
    there = [*signs("inside", 0, 50), *signs("outside", 0, 90)]
    rows = [*there, *entering("CC01", 0), *hears("CC01", 60, 63), moves("outside", 62.5)]
    (_, out) = ways(library, rows)
    assert out[:2] == ("DOOR-OUT", "ann")
    assert 63 < out[2] < 75


def test_who_turns_round_before_two_sensors_that_work_has_gone_nowhere(library: Scenario) -> None:
    there = [row for reader in ("inside", "outside") for row in signs(reader, 0, 90)]
    rows = [*there, *entering("CC01", 0), moves("inside", 60), *hears("CC01", 60, 63), moves("inside", 63)]
    assert ways(library, rows) == [("DOOR-IN", "ann", 2)]


def test_what_a_gate_held_back_for_a_moment_goes_with_the_passage_of_its_time(library: Scenario) -> None:
    held = [row._replace(received=at(66)) for row in hears("CC01", 60, 63)]
    (_, out) = ways(library, [*entering("CC01", 0), *passing(60), *held])
    assert out[:2] == ("DOOR-OUT", "ann")


def test_what_a_gate_held_back_does_not_go_with_a_later_passage(library: Scenario) -> None:
    held = [row._replace(received=at(101)) for row in hears("CC01", 60, 63)]
    rows = [*entering("CC01", 0), *held, *entering("CC02", 80), *leaving("CC02", 97)]
    assert [event for event in ways(library, rows) if event[1] == "ann"] == [("DOOR-IN", "ann", 2)]

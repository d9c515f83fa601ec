"""A door with a gate and a motion sensor on each side, a counter with a scanner, and loans that are told."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from app.cleaning.cleaner import Cleaner
from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, control_row, to_batch
from app.place.cleaning_settings import METHODS
from app.place.scenario import Scenario, load
from tests.app.cleaning.small_library import (
    LIBRARY,
    Event,
    at,
    batch,
    entering,
    hears,
    leaving,
    moves,
    scans,
    told,
)


@pytest.fixture(scope="module", params=METHODS)
def library(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Scenario:
    path: Path = tmp_path_factory.mktemp("library") / "library.yaml"
    path.write_text(LIBRARY + f"cleaning: {{method: {request.param}}}\n")
    return load(path)


def ways(scenario: Scenario, rows: list[Row]) -> list[Event]:
    return told(Cleaner(scenario).push(batch(rows)), "-OUT", "-IN")


def test_who_moves_inside_first_and_then_outside_has_left(library: Scenario) -> None:
    assert ways(library, leaving("CC01", 0)) == [("DOOR-OUT", "ann", 2)]


def test_who_moves_outside_first_has_come_in(library: Scenario) -> None:
    assert ways(library, entering("CC01", 0)) == [("DOOR-IN", "ann", 2)]


def test_everything_in_the_gate_goes_the_same_way_each_once(library: Scenario) -> None:
    both = [*leaving("CC01", 0), *hears("BB01", 0.5, 3)]
    assert ways(library, both) == [("DOOR-OUT", "ann", 2), ("DOOR-OUT", "emma", 2)]


def test_two_who_leave_one_behind_the_other_have_both_left(library: Scenario) -> None:
    pair = [*leaving("CC01", 0), *leaving("CC02", 0.5)]
    assert ways(library, pair) == [("DOOR-OUT", "ann", 2), ("DOOR-OUT", "bob", 2)]


def test_who_turns_round_at_the_door_has_gone_nowhere(library: Scenario) -> None:
    assert ways(library, [moves("inside", 0), *hears("CC01", 0, 3), moves("inside", 3)]) == []


def test_somebody_who_comes_in_long_after_is_not_taken_for_the_end_of_it(library: Scenario) -> None:
    turned = [moves("inside", 0), *hears("CC01", 0, 2)]
    assert ways(library, [*turned, *entering("CC02", 10)]) == [("DOOR-IN", "bob", 12)]


def test_a_tag_that_the_gate_hears_only_at_the_end_has_gone_with_the_others(library: Scenario) -> None:
    late = [*leaving("CC01", 0), *hears("BB01", 2.25, 3)]
    assert ways(library, late) == [("DOOR-OUT", "ann", 2), ("DOOR-OUT", "emma", 2.5)]


def test_a_tag_that_the_gate_has_lost_before_the_end_has_gone_all_the_same(library: Scenario) -> None:
    lost = [moves("inside", 0), *hears("CC01", 0, 1), moves("outside", 3)]
    assert ways(library, lost) == [("DOOR-OUT", "ann", 3)]


def test_who_lingers_in_the_door_goes_through_it_once(library: Scenario) -> None:
    lingers = [*entering("CC01", 0), *hears("CC01", 3, 16), *leaving("CC02", 12)]
    assert ways(library, lingers) == [("DOOR-IN", "ann", 2), ("DOOR-OUT", "bob", 14)]


def test_what_the_gate_held_back_goes_with_nobody_who_passes_later(library: Scenario) -> None:
    held = [row._replace(received=at(40)) for row in hears("CC01", 0, 3)]
    rows = sorted([*held, *leaving("CC02", 39)], key=lambda row: row.received)
    numbers = pa.array(range(len(rows)), pa.int64())
    log = pa.RecordBatch.from_arrays([numbers, *to_batch(rows).columns], schema=ROW_SCHEMA)
    stream = CleanedStream(library, 500)
    events = [*told(stream.push(log), "-OUT"), *told(stream.finish(), "-OUT")]
    assert events == [("DOOR-OUT", "bob", 41)]


def test_a_status_of_a_motion_sensor_is_no_motion(library: Scenario) -> None:
    status = Row("status", "inside", 0, "", at(0), None, None, '{"status": "online"}', at(0), "status")
    assert ways(library, [status, *hears("CC01", 0, 3), moves("outside", 2)]) == []


def test_a_known_barcode_is_told_where_it_is_scanned_and_an_unknown_one_is_not(library: Scenario) -> None:
    events = Cleaner(library).push(batch([scans("2001", 1), scans("9999", 2), scans("3001", 3)]))
    assert told(events, "-SCAN") == [("COUNTER-SCAN", "ann", 1), ("COUNTER-SCAN", "emma", 3)]
    assert set(events.filter(pa.compute.ends_with(events["event"], "-SCAN"))["area"].to_pylist()) == {
        "counter"
    }


def test_the_catalogs_loans_are_told_once_before_anything_else_by_patron(library: Scenario) -> None:
    cleaner = Cleaner(library)
    first = cleaner.push(batch([scans("2001", 1)]))
    assert [event[:2] for event in told(first, "-TOLD", "-SCAN")] == [
        *(("LOAN-TOLD", name) for name in ("ann", "emma", "faust", "bob", "ulysses")),
        ("COUNTER-SCAN", "ann"),
    ]
    assert told(cleaner.push(batch([scans("2001", 2)])), "-TOLD") == []


def test_a_door_half_way_through_is_kept_and_restored(library: Scenario) -> None:
    rows = [*leaving("CC01", 0), *leaving("CC02", 20)]
    whole, first, second = Cleaner(library), Cleaner(library), Cleaner(library)
    expected = told(whole.push(batch(rows)), "-OUT", "-TOLD")
    begun = told(first.push(batch([row for row in rows if row.ts < at(1)])), "-OUT", "-TOLD")
    second.restore(first.state())
    rest = told(second.push(batch([row for row in rows if row.ts >= at(1)])), "-OUT", "-TOLD")
    assert begun + rest == expected


def test_a_loan_booked_at_the_desk_is_told_where_it_stands_in_the_log(library: Scenario) -> None:
    stream = CleanedStream(library, 500)
    asked = {"scenario": "library", "loan": {"patron": "bob", "item": "iliad"}}
    rows = to_batch([scans("2001", 1), scans("2002", 5), control_row(at(6), json.dumps(asked), "control")])
    events = stream.push(with_positions(rows))
    assert told(events, "-TOLD")[-2:] == [("LOAN-TOLD", "bob", 4.5), ("LOAN-TOLD", "iliad", 4.5)]


def test_what_follows_a_booked_loan_in_the_log_follows_it_in_time_however_the_log_is_cut(
    library: Scenario,
) -> None:
    asked = {"scenario": "library", "loan": {"patron": "bob", "item": "iliad"}}
    rows = [scans("2001", 1), scans("2002", 5), control_row(at(6), json.dumps(asked), "control")]
    gone = sorted(leaving("BB04", 10), key=lambda row: row.ts)
    whole = with_positions(to_batch([*rows, *gone, scans("2001", 20)]))
    at_once = told(CleanedStream(library, 500).push(whole), "-TOLD", "-OUT")
    bit_by_bit = CleanedStream(library, 500)
    pieces = [bit_by_bit.push(whole.slice(number, 1)) for number in range(whole.num_rows)]
    assert at_once[-3:] == [("LOAN-TOLD", "bob", 4.5), ("LOAN-TOLD", "iliad", 4.5), ("DOOR-OUT", "iliad", 12)]
    assert [event for piece in pieces for event in told(piece, "-TOLD", "-OUT")] == at_once


@pytest.mark.parametrize(
    "asked",
    [
        {"scenario": "elsewhere", "loan": {"patron": "bob", "item": "iliad"}},
        {"scenario": "library", "loan": {"patron": "nobody", "item": "iliad"}},
        {"scenario": "library", "loan": "iliad"},
    ],
)
def test_a_loan_that_cannot_be_booked_changes_nothing(library: Scenario, asked: object) -> None:
    stream = CleanedStream(library, 500)
    rows = to_batch([scans("2001", 1), control_row(at(2), json.dumps(asked), "control")])
    events = stream.push(with_positions(rows))
    assert told(events, "-TOLD", "CONTROL") == []


def with_positions(rows: pa.RecordBatch) -> pa.RecordBatch:
    positions = pa.array(range(rows.num_rows), ROW_SCHEMA.field("position").type)
    return pa.RecordBatch.from_arrays([positions, *rows.columns], schema=ROW_SCHEMA)

"""A dose that somebody orders: due where the order stands in the log, whatever the catalog's times say."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from app.cleaning.cleaner import Cleaner
from app.cleaning.stream import CleanedStream
from app.log.row import ROW_SCHEMA, Row, control_row, to_batch
from app.place.find import find_scenario
from app.place.scenario import Scenario, load
from tests.app.rows import NOON, online


@pytest.fixture(scope="module")
def ward() -> Scenario:
    return load(find_scenario("ward"))


def due(ward: Scenario, asked: object) -> list[tuple[int, str, str]]:
    """The doses that an order and two signs of life round it bring."""
    rows: list[Row] = [
        online("station-reader", NOON),
        control_row(NOON + 5_000, json.dumps(asked), "control"),
        online("station-reader", NOON + 20_000),
    ]
    stored = to_batch(rows)
    positions = pa.array(range(len(rows)), pa.int64())
    out = CleanedStream(ward, 500).push(
        pa.RecordBatch.from_arrays([positions, *stored.columns], schema=ROW_SCHEMA)
    )
    found = [row for row in out.to_pylist() if row["event"] == "DOSE-DUE"]
    return [(row["ts"] - NOON, row["patient"], row["medicine"]) for row in found]


def test_a_dose_is_due_where_its_order_stands_in_the_log(ward: Scenario) -> None:
    [(after, patient, medicine)] = due(ward, {"scenario": "ward", "dose": "PARACETAMOL-1"})
    assert (patient, medicine) == ("patient-1", "Paracetamol")
    assert after == -500  # the log had come to NOON, less what a reading may be late


@pytest.mark.parametrize(
    "asked",
    [
        {"scenario": "elsewhere", "dose": "PARACETAMOL-1"},
        {"scenario": "ward", "dose": "RUM-1"},
        {"scenario": "ward", "dose": ["PARACETAMOL-1"]},
        ["dose"],
    ],
)
def test_an_order_that_means_nothing_here_changes_nothing(ward: Scenario, asked: object) -> None:
    assert due(ward, asked) == []


def test_an_order_where_nobody_is_a_patient_stops_nothing() -> None:
    [told] = Cleaner(load(find_scenario("store"))).order(0, NOON).to_pylist()
    assert (told["event"], told["area"]) == ("DOSE-DUE", None)

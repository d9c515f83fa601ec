"""The truth judges deeds: what people do, and when it becomes an incident."""

from pathlib import Path

import pytest

from app.place.scenario import Scenario, load
from simulator.truth.deeds import Truth

MINUTE = 60_000
HOUR = 60 * MINUTE
STORE, WARD = (load(Path("scenarios") / f"{name}.yaml") for name in ("store", "ward"))


def row(scenario: Scenario, name: str) -> int:
    return int(scenario.items.column("id").to_pylist().index(name))


JEAN, BAG = row(STORE, "JEAN-32-001"), row(STORE, "BAG-40-001")
WATCHES = [row(STORE, f"WATCH-38-{number:03}") for number in range(1, 8)]
PARACETAMOL, WARFARIN, IBUPROFEN = (
    row(WARD, f"{name}-1") for name in ("PARACETAMOL", "WARFARIN", "IBUPROFEN")
)


def noted(truth: Truth) -> list[tuple[str, str, int]]:
    return [(one.detector, one.subject, one.ts) for one in truth.incidents]


def test_leaving_without_paying_is_theft_and_leaving_after_it_is_not() -> None:
    truth = Truth(STORE)
    truth.paid([BAG])
    truth.left_store([JEAN, BAG], 5000)
    assert noted(truth) == [("shoplifting", "JEAN-32-001", 5000)]


def test_an_item_on_a_foreign_shelf_is_misplaced_only_after_the_patience() -> None:
    truth = Truth(STORE)
    truth.put_down(BAG, "kids", 0)
    truth.advance(14 * MINUTE)
    assert noted(truth) == []
    truth.advance(15 * MINUTE)
    assert noted(truth) == [("misplaced", "BAG-40-001", 0)]


def test_an_item_that_is_brought_home_in_time_was_never_misplaced() -> None:
    truth = Truth(STORE)
    truth.put_down(BAG, "kids", 0)
    truth.picked_up(BAG, 0)
    truth.put_down(BAG, "accessories", 5 * MINUTE)
    truth.advance(HOUR)
    assert noted(truth) == []


def test_a_product_of_which_few_are_left_is_understocked_once_nobody_has_brought_more_for_a_while() -> None:
    truth = Truth(STORE)
    for watch in WATCHES:
        truth.put_down(watch, "accessories", 0)
    for minute, watch in enumerate(WATCHES[2:]):
        truth.picked_up(watch, minute * MINUTE)
    truth.advance(13 * MINUTE)
    assert noted(truth) == []
    truth.advance(14 * MINUTE)
    assert noted(truth) == [("understocked", "WATCH-38", 4 * MINUTE)]


def test_what_is_restocked_in_time_was_never_understocked() -> None:
    truth = Truth(STORE)
    for watch in WATCHES[:3]:
        truth.put_down(watch, "accessories", 0)
    truth.picked_up(WATCHES[0], MINUTE)
    truth.put_down(WATCHES[0], "accessories", 9 * MINUTE)
    truth.advance(HOUR)
    assert noted(truth) == []


def test_many_of_a_product_leaving_their_shelf_at_once_are_one_sweep() -> None:
    truth = Truth(STORE)
    truth.walked_off(WATCHES, "accessories", 1000)
    truth.walked_off(WATCHES, "kids", 2000)
    assert noted(truth) == [("shelf_sweep", "WATCH-38", 1000)]


@pytest.mark.parametrize(("area", "expected"), [("fitting", 1), ("denim", 0), (None, 0)])
def test_hiding_an_item_is_a_fitting_room_loss_only_there(area: str | None, expected: int) -> None:
    truth = Truth(STORE)
    truth.hid(JEAN, area, 0)
    assert len(noted(truth)) == expected


@pytest.mark.parametrize(("length", "expected"), [(MINUTE, 0), (5 * MINUTE, 1)])
def test_a_short_silence_of_a_reader_is_no_incident(length: int, expected: int) -> None:
    truth = Truth(STORE)
    truth.reader_down("shelf-kids", 0, length)
    truth.advance(10 * MINUTE)
    assert len(noted(truth)) == expected


def test_doses_add_up_to_an_overdose_within_the_window_only() -> None:
    truth = Truth(WARD)
    for hour in (0, 1, 4.5, 5):
        truth.doses.took("patient-1", PARACETAMOL, round(hour * HOUR))
    assert noted(truth) == []
    truth.doses.took("patient-1", PARACETAMOL, round(5.5 * HOUR))
    assert noted(truth) == [("overdose", "patient-1", round(5.5 * HOUR))]


def test_medicines_that_clash_are_an_incident_in_either_order() -> None:
    for first, second in ((WARFARIN, IBUPROFEN), (IBUPROFEN, WARFARIN)):
        truth = Truth(WARD)
        truth.doses.took("patient-1", first, 0)
        truth.doses.took("patient-1", second, HOUR)
        assert noted(truth) == [("drug_interaction", "patient-1", HOUR)]


def test_somebody_elses_bottle_is_the_wrong_patient() -> None:
    truth = Truth(WARD)
    truth.doses.took("patient-2", PARACETAMOL, 0)
    assert noted(truth) == [("wrong_patient", "patient-2", 0)]


@pytest.mark.parametrize(("taken", "expected"), [(HOUR, 0), (10 * MINUTE, 1), (None, 1), (110 * MINUTE, 0)])
def test_a_dose_is_missed_if_it_is_taken_neither_shortly_before_nor_after(
    taken: int | None, expected: int
) -> None:
    truth = Truth(WARD)
    truth.doses.due(WARFARIN, 90 * MINUTE)
    for moment in [taken] if taken is not None else []:
        truth.doses.took("patient-1", WARFARIN, moment)
    truth.advance(4 * HOUR)
    assert [one.detector for one in truth.incidents].count("missed_dose") == expected

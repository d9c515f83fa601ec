"""Barcode scanners, motion sensors and loans in a scenario's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.detection.queries import rules
from app.place.event_types import cleaned_types
from app.place.find import find_scenario
from app.place.scenario import load
from detectors.document import FaultyFileError
from tests.app.cleaning.small_library import LIBRARY


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("sensor: barcode", "sensor: barkode", "unknown 'barkode': one of rfid, barcode, motion"),
        ("sensor: barcode", "sensor: barcode, every: 1 second", "unknown field 'every'"),
        ("side: outside", "side: outdoors", "unknown 'outdoors': one of inside, outside"),
        ("sensor: motion, side: outside", "sensor: motion", "field 'side' is missing"),
        ("side: outside", "side: inside", "area 'door' has a motion sensor: it needs an RFID reader too"),
        ("loaned_to: bob", "loaned_to: bill", "an item is loaned to 'bill', who is not in the catalog"),
        ('barcode: "3002"', 'barcode: "3001"', "barcode '3001' stands in the catalog 2 times"),
        ("home: shelf, loaned_to: bob", "loaned_to: bob", "home None of an item is no area of the plan"),
    ],
)
def test_a_fault_of_a_sensor_or_a_loan_is_told(
    tmp_path: Path, before: str, after: str, expected: str
) -> None:
    assert before in LIBRARY
    path = tmp_path / "library.yaml"
    path.write_text(LIBRARY.replace(before, after))
    with pytest.raises(FaultyFileError) as caught:
        load(path)
    assert expected in str(caught.value)


def test_scanners_and_doors_bring_types_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "library.yaml"
    path.write_text(LIBRARY)
    types = cleaned_types(load(path).plan)
    assert {"COUNTER-SCAN", "DOOR-OUT", "DOOR-IN", "LOAN-TOLD"} <= types
    assert not {"SHELF-SCAN", "SHELF-OUT"} & types


def test_only_the_composite_events_that_can_occur_in_a_place_are_looked_for_there() -> None:
    store, ward, library = (load(find_scenario(name)) for name in ("store", "ward", "library"))
    assert list(rules(store, {})) == ["departed"]
    assert set(rules(ward, {})) == {"medicine_taken", "medicine_glimpsed", "nothing_taken"}
    assert {"person_leaves", "turbo_checkout", "unlent_book", "loan_ends"} < rules(library, {}).keys()

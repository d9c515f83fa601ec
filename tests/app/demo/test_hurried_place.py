"""The place as a demo plays it: shortened where one would have to wait, else the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.demo.hurried_place import hurried
from app.place.find import find_scenario
from app.place.scenario import load


@pytest.mark.parametrize("name", ["store", "library"])
def test_a_demos_catalog_is_the_same_catalog(name: str, tmp_path: Path) -> None:
    usual, short = load(find_scenario(name)), load(hurried(find_scenario(name), tmp_path))
    assert short.items.equals(usual.items)


def test_on_a_demos_ward_doses_are_due_when_they_are_ordered_and_missed_at_once(tmp_path: Path) -> None:
    usual, short = load(find_scenario("ward")), load(hurried(find_scenario("ward"), tmp_path))
    assert short.items.drop_columns("times").equals(usual.items.drop_columns("times"))
    assert (bool(usual.doses), short.doses) == (True, ())
    assert short.detectors["missed_dose"]["grace"] == 30_000


@pytest.mark.parametrize("name", ["store", "ward", "library"])
def test_a_demos_place_is_the_same_place(name: str, tmp_path: Path) -> None:
    usual, short = load(find_scenario(name)), load(hurried(find_scenario(name), tmp_path))
    assert (short.name, short.title, short.plan.areas) == (usual.name, usual.title, usual.plan.areas)
    assert short.detectors.keys() == usual.detectors.keys()


def test_what_one_would_wait_for_comes_in_seconds(tmp_path: Path) -> None:
    short = load(hurried(find_scenario("store"), tmp_path))
    assert short.detectors["misplaced"]["patience"] == 15_000
    assert short.detectors["shoplifting"] == load(find_scenario("store")).detectors["shoplifting"]
    assert short.events["departed"]["away"] == 20_000

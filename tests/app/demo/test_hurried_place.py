"""The place as a demo plays it: shortened where one would have to wait, else the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.demo.hurried_place import hurried
from app.place.find import find_scenario
from app.place.scenario import load


@pytest.mark.parametrize("name", ["store", "ward", "library"])
def test_a_demos_place_is_the_same_place(name: str, tmp_path: Path) -> None:
    usual, short = load(find_scenario(name)), load(hurried(find_scenario(name), tmp_path))
    assert (short.name, short.title, short.plan.areas) == (usual.name, usual.title, usual.plan.areas)
    assert short.items.equals(usual.items)
    assert short.detectors.keys() == usual.detectors.keys()


def test_what_one_would_wait_for_comes_in_seconds(tmp_path: Path) -> None:
    short = load(hurried(find_scenario("store"), tmp_path))
    assert short.detectors["misplaced"]["patience"] == 15_000
    assert short.detectors["shoplifting"] == load(find_scenario("store")).detectors["shoplifting"]
    assert short.events["departed"]["away"] == 20_000

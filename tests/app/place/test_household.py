"""Rooms that adjoin, a household and its display in a scenario's file."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.place.event_types import cleaned_types
from app.place.find import find_scenario
from app.place.household import people
from app.place.scenario import load
from detectors.document import FaultyFileError

HOME = find_scenario("home")
MOVES = "moves: [[outside, hall], [hall, living], [hall, bedroom], [hall, bathroom]]"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("[hall, living]", "[hall, kitchen]", "unknown 'kitchen': one of outside, hall, living"),
        ("[hall, living], [hall, bedroom]", "[hall], [hall, bedroom]", "two rooms that adjoin expected"),
        (
            "between: [hall, living]",
            "between: [living, bedroom]",
            "reader 'living-door' hangs between living and bedroom, which do not adjoin",
        ),
        (MOVES, "moves: []", "reader 'living-camera' needs a plan that says in 'moves' which rooms adjoin"),
        ("hall: 1 minute, ", "", "'stays' does not say how long somebody typically stays in: hall"),
        ("hall: 1 minute", "hall: 0 seconds", "how long somebody stays is longer than nothing"),
        ("hall: 1 minute", "attic: 1 minute, hall: 1 minute", "no room is of the kind 'attic'"),
        ("badges: 0.3 ", "badges: 3 ", "3 is outside at least 0 and at most 1"),
        ("badges: 0.3 ", "above: 0.05 ", "'below' must not be above 'above'"),
        ("to: junior", "to: dora", "unknown 'dora': one of everybody, anna, senior, ben, clara, junior"),
        (
            "    area: living\n",
            "    area: attic\n",
            "unknown 'attic': one of hall, living, bedroom, bathroom",
        ),
        ("household:\n", "unknown:\n", "field 'household' is missing"),
    ],
)
def test_a_fault_of_a_home_is_told(tmp_path: Path, before: str, after: str, expected: str) -> None:
    text = HOME.read_text()
    assert before in text
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "people.csv").write_text((HOME.parent / "home" / "people.csv").read_text())
    path = tmp_path / "home.yaml"
    path.write_text(text.replace(before, after, 1))
    with pytest.raises(FaultyFileError) as caught:
        load(path)
    assert expected in str(caught.value)


def test_somebody_must_live_there(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "people.csv").write_text(
        "tag,id,name,kind,role,room\nAA01,anna,Anna,cat,senior,living\n"
    )
    path = tmp_path / "home.yaml"
    path.write_text(HOME.read_text())
    with pytest.raises(FaultyFileError) as caught:
        load(path)
    assert "nobody lives here: no row of the catalog has the kind 'person'" in str(caught.value)
    assert "column 'room' of the catalog: that name belongs to what people do" in str(caught.value)


def test_where_people_are_followed_there_are_no_readings_but_what_they_do() -> None:
    types = cleaned_types(load(HOME).plan)
    assert {"ENTERED", "LEFT", "EMPTY", "OCCUPIED", "MOTION", "LEAK", "PRESENT"} <= types
    assert not {kind for kind in types if kind.endswith("-READING")}


def test_the_household_is_who_stands_in_the_catalog() -> None:
    home = load(HOME)
    assert [(one["id"], one["role"]) for one in people(home.items)] == [
        *(("anna", "senior"), ("ben", "senior"), ("clara", "junior"))
    ]
    assert home.household is not None
    assert home.household.display is not None
    assert home.household.display.area == "living"

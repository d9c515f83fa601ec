"""Every scenario that comes with Vigil is in order: one loop over all of them, which lists every offender."""

from pathlib import Path

import detectors
from app.place.scenario import Scenario, load

UNWATCHED = ("reading",)  # where people sit and read
PATHS = sorted(Path("scenarios").glob("*.yaml"))
SCENARIOS = {path.stem: load(path) for path in PATHS}


def kinds(scenario: Scenario) -> list[str]:
    return [area.kind for area in scenario.plan.areas]


def test_the_scenarios_that_were_promised_are_there() -> None:
    places = {"store", "ward", "library", "home", "quiet_day", "quiet_library", "quiet_home"}
    assert places <= SCENARIOS.keys()


def test_the_store_is_as_large_as_promised() -> None:
    store = SCENARIOS["store"]
    assert (len(store.plan.areas), store.items.num_rows) == (12, 2000)
    assert len(set(store.items.column("product").to_pylist())) == 150
    assert [kinds(store).count(kind) for kind in ("counter", "exit", "fitting", "stock")] == [2, 2, 1, 1]


def test_the_ward_is_as_large_as_promised() -> None:
    ward = SCENARIOS["ward"]
    assert [kinds(ward).count(kind) for kind in ("bed", "cabinet")] == [12, 2]
    medicines = Path("scenarios/ward/medicines.csv").read_text().splitlines()
    assert len(medicines) == 21


def test_the_library_is_as_large_as_promised() -> None:
    library = SCENARIOS["library"]
    whose = library.items.column("kind").to_pylist()
    assert [whose.count(kind) for kind in ("book", "patron")] == [1500, 120]
    assert [kinds(library).count(kind) for kind in ("shelf", "counter", "returns", "door")] == [8, 1, 2, 1]


def test_nobody_has_borrowed_more_than_the_limit_when_the_library_opens() -> None:
    rows = SCENARIOS["library"].items.to_pylist()
    lent = [row["loaned_to"] for row in rows if row["loaned_to"]]
    cards = [row for row in rows if row["kind"] == "patron"]
    assert [card["id"] for card in cards if card["loans"] != lent.count(card["id"])] == []
    assert max(card["loans"] - card["limit"] for card in cards) == 0


def test_the_home_is_as_large_as_promised() -> None:
    home = SCENARIOS["home"]
    assert (len(home.plan.areas), home.items.num_rows) == (4, 3)
    sensors = [reader.sensor for reader in home.plan.readers]
    assert [sensors.count(one) for one in ("rfid", "motion", "camera", "leak")] == [4, 4, 1, 2]


def test_every_area_is_watched_and_lies_on_the_plan() -> None:
    offenders = [
        (name, area.name)
        for name, one in SCENARIOS.items()
        for area in one.plan.areas
        if (area.name not in {reader.area for reader in one.plan.readers} and area.kind not in UNWATCHED)
        or not all(0 <= x <= one.plan.width and 0 <= y <= one.plan.height for x, y in area.shape)
    ]
    assert offenders == []


def test_every_reader_stands_on_the_plan() -> None:
    offenders = [
        (name, reader.name)
        for name, one in SCENARIOS.items()
        for reader in one.plan.readers
        if not (0 <= reader.at[0] <= one.plan.width and 0 <= reader.at[1] <= one.plan.height)
    ]
    assert offenders == []


def test_every_detector_is_switched_on_somewhere() -> None:
    used = {name for one in SCENARIOS.values() for name in one.detectors}
    assert used == set(detectors.load())


def test_expectations_name_detectors_that_are_on() -> None:
    offenders = [
        (name, detector)
        for name, one in SCENARIOS.items()
        for detector in (one.simulation and one.simulation.expectation) or ()
        if detector not in one.detectors
    ]
    assert offenders == []


def test_medicines_that_clash_say_so_on_both_sides() -> None:
    rows = [row.split(",") for row in Path("scenarios/ward/medicines.csv").read_text().splitlines()[1:]]
    avoids = {(row[1], row[2]) for row in rows if row[2] != "none"}
    assert {(other, one) for one, other in avoids} == avoids

"""Scenario files: what is read, and every fault with its place."""

import shutil
from pathlib import Path

import pytest

from app.detection.queries import rules
from app.place.find import find_scenario
from app.place.scenario import load
from detectors.document import FaultyFileError

GOOD = """\
title: Corner shop
summary: One shelf and one door.
timezone: Europe/Berlin
plan:
  size: [10, 5]
  areas:
    shelf: {title: Shelf, kind: shelf, shape: [0, 0, 4, 4]}
    door:  {title: Door,  kind: exit,  shape: [[6, 0], [9, 0], [9, 2]]}
  readers:
    shelf-1: {area: shelf, at: [2, 2], reach: 3, every: 10 seconds, antennas: 2}
    door-1:  {area: door,  at: [8, 1], reach: 3, every: 250 ms}
catalog:
  items:
    - {tag: E200AA01, id: TEA-1, product: TEA, home: shelf}
    - {tag: E200AA02, id: TEA-2, product: TEA, home: shelf}
detectors:
  shoplifting: {memory: 1 hour}
simulation:
  start: 2026-03-02 09:00:00
  length: 1 hour
  hours: "08:00-20:00"
  noise: {misses: 0.1}
  rates: {shopper: 10}
  script:
    - "09:20 shopper-7 takes TEA from shelf"
  expectation: {shoplifting: 0}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "corner.yaml"
    path.write_text(text)
    return path


def faults(path: Path) -> list[str]:
    with pytest.raises(FaultyFileError) as caught:
        load(path)
    return [str(fault).removeprefix(str(path)) for fault in caught.value.faults]


def test_a_composite_event_takes_its_parameters_from_the_scenario(tmp_path: Path) -> None:
    ward = find_scenario("ward")
    shutil.copytree(ward.parent / "ward", tmp_path / "ward")
    changed = "events: {medicine_taken: {presence: 1 minute}}\n"
    slow = load(written(tmp_path, f"like: {ward}\n{changed}"))
    assert rules(slow, {})["medicine_taken"].parameters == {"presence": 60_000}


def test_a_composite_event_that_does_not_exist_is_a_fault(tmp_path: Path) -> None:
    found = faults(written(tmp_path, GOOD + "events: {medicine_stolen: {}}\n"))
    [fault] = found
    assert fault.startswith(":27: unknown composite event 'medicine_stolen': one of book_gone, book_leaves, ")


def test_a_scenario_holds_all_that_its_file_says(tmp_path: Path) -> None:
    shop = load(written(tmp_path, GOOD))
    assert (shop.name, shop.title, shop.timezone) == ("corner", "Corner shop", "Europe/Berlin")
    assert shop.plan.area("shelf").shape == ((0, 0), (4, 0), (4, 4), (0, 4))
    assert shop.plan.area("door").centre == (8.0, pytest.approx(2 / 3))
    assert [reader.every_ms for reader in shop.plan.readers] == [10_000, 250]
    assert shop.items.column("id").to_pylist() == ["TEA-1", "TEA-2"]
    assert shop.detectors == {"shoplifting": {"memory": 3_600_000, "sure": 0.5}}
    assert shop.simulation is not None
    assert shop.simulation.radio.misses == 0.1
    assert shop.simulation.script[0].words == {"who": "shopper-7", "product": "TEA", "area": "shelf"}


def test_a_real_place_is_the_same_file_without_the_simulation(tmp_path: Path) -> None:
    assert load(written(tmp_path, GOOD[: GOOD.index("simulation:")])).simulation is None


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Europe/Berlin", "Europe/Berlim", ":3: unknown time zone 'Europe/Berlim'"),
        ("size: [10, 5]", "size: [10]", ":5: two numbers expected"),
        ("kind: shelf", "kind: My Shelf", ":7: 'My Shelf': names and kinds are lower-case words"),
        ("shape: [0, 0, 4, 4]", "shape: [0, 0]", ":7: a shape is"),
        ("kind: shelf", "kind: shelv", ":7: no detector knows the kind 'shelv'. did you mean shelf?"),
        ("area: shelf,", "area: shelv,", ":10: unknown 'shelv': one of shelf, door. did you mean shelf?"),
        ("every: 250 ms", "every: often", ":11: a duration such as '5 minutes' expected, not 'often'"),
        ("E200AA02", "E200AA01", ":14: tag 'E200AA01' stands in the catalog 2 times"),
        ("E200AA02", "tea", ":14: tag 'tea': upper-case hexadecimal digits expected"),
        ("id: TEA-2", "area: x, id: TEA-2", ":14: column 'area': that name belongs to the event itself"),
        (
            "id: TEA-2, product: TEA, home: shelf",
            "id: TEA-2, product: TEA, home: attic",
            "home 'attic' of an item",
        ),
        ("shoplifting: {memory", "shoplifted: {memory", ":17: unknown detector 'shoplifted'"),
        ("memory: 1 hour", "memory: 1 year", ":17: memory: '1 year' is no duration"),
        ("memory: 1 hour", "memori: 1 hour", ":17: unknown parameter 'memori'"),
        ("shoplifting: {memory: 1 hour}", "overdose: {}", ":17: overdose needs MEDICINE-TAKEN, but no area"),
        ("2026-03-02 09:00:00", "soon", ":19: a date and time such as"),
        ("08:00-20:00", "always", ":21: opening hours such as 09:00-20:00 expected"),
        ("misses: 0.1", "misses: 10", ":22: 10 is outside at least 0 and at most 1"),
        ("misses: 0.1", "mises: 0.1", ":22: unknown field 'mises'. did you mean misses?"),
        ("shopper: 10", "shoppers: 10", ":23: unknown field 'shoppers'. did you mean shopper?"),
        ("takes TEA from shelf", "eats TEA", ":25: no sentence of a script"),
        (
            "takes TEA from shelf",
            "takes TEE from shelf",
            ":25: there is no product 'TEE' in this place. did you mean TEA?",
        ),
        ("title: Corner shop", "titel: Corner shop", ":1: unknown field 'titel'. did you mean title?"),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, before: str, after: str, expected: str) -> None:
    assert before in GOOD
    found = faults(written(tmp_path, GOOD.replace(before, after)))
    assert any(expected in fault for fault in found), found


def test_a_column_that_a_detector_reads_is_asked_for(tmp_path: Path) -> None:
    """Without a home every item would lie on a foreign shelf."""
    homeless = GOOD.replace(", home: shelf", ", hoem: shelf")
    assert load(written(tmp_path, homeless)).items.num_rows == 2, "shoplifting needs none"
    found = faults(written(tmp_path, homeless.replace("shoplifting: {memory: 1 hour}", "misplaced: {}")))
    assert found == [
        ":17: misplaced reads 'home', but the catalog has no such column. did you mean hoem?",
    ]


def test_what_a_composite_event_reads_is_asked_for_too(tmp_path: Path) -> None:
    ward = find_scenario("ward")
    shutil.copytree(ward.parent / "ward", tmp_path / "ward")
    medicines = tmp_path / "ward" / "medicines.csv"
    medicines.write_text(medicines.read_text().replace(",dose,", ",portion,"))
    found = faults(written(tmp_path, f"like: {ward}\n"))
    assert any("overdose reads 'dose', but the catalog has no such column" in fault for fault in found)


def test_a_kind_of_ones_own_is_no_fault(tmp_path: Path) -> None:
    greenhouse = GOOD.replace(
        "    door:", "    glass: {title: Glass, kind: greenhouse, shape: [0, 4, 1, 1]}\n    door:"
    )
    assert load(written(tmp_path, greenhouse)).plan.area("glass").kind == "greenhouse"


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    broken = (
        GOOD.replace("Berlin", "Berlim")
        .replace("every: 250 ms", "every: 0 ms")
        .replace("shopper: 10", "x: 1")
    )
    assert [fault.split(": ")[0] for fault in faults(written(tmp_path, broken))] == [":3", ":11", ":23"]


def test_details_are_joined_to_the_items_of_a_csv_file(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("tag,id,product\nE200AA01,TEA-1,TEA\n0012,POT-1,POT\n")
    (tmp_path / "products.csv").write_text("product,price,home\nTEA,2.5,shelf\nPOT,12,shelf\n")
    start, end = GOOD.index("  items:"), GOOD.index("detectors:")
    catalog = "  items: items.csv\n  details: {product: products.csv}\n"
    shop = load(written(tmp_path, GOOD[:start] + catalog + GOOD[end:]))
    assert shop.items.column("price").to_pylist() == [2.5, 12.0]
    assert shop.items.column("tag").to_pylist() == ["E200AA01", "0012"]


def test_a_product_without_details_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("tag,id,product\nE200AA01,TEA-1,TEA\n0012,POT-1,POT\n")
    (tmp_path / "products.csv").write_text("product,home\nTEA,shelf\n")
    start, end = GOOD.index("  items:"), GOOD.index("detectors:")
    catalog = "  items: items.csv\n  details: {product: products.csv}\n"
    found = faults(written(tmp_path, GOOD[:start] + catalog + GOOD[end:]))
    assert any("product 'POT' of an item is not in products.csv" in fault for fault in found)


def test_a_scenario_like_another_takes_over_what_it_does_not_say(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    (tmp_path / "sunday.yaml").write_text("like: corner.yaml\ntitle: Sunday\n")
    sunday = load(tmp_path / "sunday.yaml")
    assert (sunday.name, sunday.title, sunday.summary) == ("sunday", "Sunday", "One shelf and one door.")


def test_readers_are_neighbours_if_their_fields_overlap(tmp_path: Path) -> None:
    far = load(written(tmp_path, GOOD)).plan
    near = load(written(tmp_path, GOOD.replace("reach: 3", "reach: 4"))).plan
    assert [len(far.neighbours(reader)) for reader in far.readers] == [0, 0]
    assert [len(near.neighbours(reader)) for reader in near.readers] == [1, 1]


def test_constraints_are_a_text_or_a_list_of_texts(tmp_path: Path) -> None:
    block = "constraints: |\n  -- never\n  prior(SHELF-READING, EXIT-LEFT)\n  BY id\n"
    assert load(written(tmp_path, GOOD)).constraints is None
    assert load(written(tmp_path, GOOD + block)).constraints == (
        "-- never\nprior(SHELF-READING, EXIT-LEFT)\nBY id"
    )
    groups = (
        "constraints:\n- prior(SHELF-READING, EXIT-LEFT) BY id\n- require(SHELF-LEFT, SHELF-READING) BY tag\n"
    )
    assert load(written(tmp_path, GOOD + groups)).constraints == (
        "prior(SHELF-READING, EXIT-LEFT) BY id;\nrequire(SHELF-LEFT, SHELF-READING) BY tag"
    )


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (
            "constraints: |\n  prior(SHELF-READING, EXIT-LEFT),\n  priro(A, B) BY id\n",
            ":29: constraints: priro is no constraint\n  priro(A, B) BY id\n  ^\nhint: write prior(A, B)",
        ),
        ("constraints: prior(SHELF-READING, EXIT-LEFT)\n", ":27: constraints: BY is missing"),
        (
            "constraints: prior(SHELF-READING, EXIT-LEAVE) BY id\n",
            ":27: constraints: no event of the type EXIT-LEAVE comes from this place. did you mean",
        ),
        ("constraints: {a: b}\n", ":27: text expected"),
    ],
)
def test_a_fault_among_constraints_is_told_with_line_and_caret(
    tmp_path: Path, section: str, expected: str
) -> None:
    [fault] = faults(written(tmp_path, GOOD + section))
    assert fault.startswith(expected)


def test_a_detector_that_the_constraints_make_impossible_is_told_with_them(tmp_path: Path) -> None:
    never = "constraints: require(EXIT-READING, EXIT-LEFT), exclusive(EXIT-READING, EXIT-LEFT) BY id\n"
    [fault] = faults(written(tmp_path, GOOD + never))
    assert fault.startswith(
        ":17: shoplifting: this query can never match: "
        "require(EXIT-READING, EXIT-LEFT); exclusive(EXIT-READING, EXIT-LEFT): section 'constraints'"
    )


def test_a_detector_that_tells_what_is_broken_is_impossible_on_purpose(tmp_path: Path) -> None:
    broken = GOOD.replace("shoplifting: {memory: 1 hour}", "impossible: {}").replace("{shoplifting: 0}", "{}")
    broken = broken.replace("product: TEA, home", "product: TEA, name: Tea, home")
    gone = "constraints: prior(SHELF-READING, DEPARTED) BY id FOR 30 days\n"
    assert load(written(tmp_path, broken + gone)).constraints is not None

"""Where something is now, when somebody asks between two looks at it."""

import numpy as np
import pytest

from app.cleaning.cleaner import Cleaner
from app.cleaning.placed import Placed
from app.log.row import to_batch
from app.place.scenario import Scenario
from tests.app.cleaning.whereabouts.boutique import NOON, Heard, boutique, brief, log_rows, steady, told

ON_SHELF = steady("hats-1", "AA01", 0.2, 300, 10)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return boutique(tmp_path_factory.mktemp("boutique"))


def chance(shop: Scenario, place: str, placed: Placed) -> float:
    return float(placed.chances[0, [area.name for area in shop.plan.areas].index(place)])


def followed(shop: Scenario, heard: list[Heard], seconds: float) -> Cleaner:
    cleaner = Cleaner(shop)
    cleaner.push(to_batch([row for row in log_rows(heard, seconds) if row.ts <= NOON + 1000 * seconds]))
    cleaner.advance(NOON + round(1000 * seconds))
    return cleaner


def test_who_was_just_heard_at_the_gate_is_there_when_the_second_ends(shop: Scenario) -> None:
    heard = [*ON_SHELF, *steady("gate-1", "AA01", 330, 333, 0.25)]
    for second in (331, 332):
        assert chance(shop, "gate", followed(shop, heard, second).placed()) > 0.9


def test_one_read_by_another_shelf_counts_at_once_for_who_asks(shop: Scenario) -> None:
    lies = chance(shop, "hats", followed(shop, ON_SHELF, 294).placed())
    stray = chance(shop, "hats", followed(shop, [*ON_SHELF, (293.4, "coats-1", "AA01")], 294).placed())
    assert stray < lies


def test_what_its_shelf_has_missed_more_than_twice_is_less_likely_there_before_anybody_looks(
    shop: Scenario,
) -> None:
    sure, less = (chance(shop, "hats", followed(shop, ON_SHELF, at).placed()) for at in (300, 318))
    assert less < sure


def test_asking_changes_nothing(shop: Scenario) -> None:
    heard = sorted([*ON_SHELF, (293.4, "coats-1", "AA01"), *steady("gate-1", "AA01", 318, 321, 0.25)])
    rows = log_rows(heard, 400)
    silent, asked = Cleaner(shop), Cleaner(shop)
    found = told(silent.push(to_batch(rows)))
    again = []
    for second in range(0, 401, 5):
        due = [row for row in rows if NOON + 1000 * (second - 5) < row.ts <= NOON + 1000 * second]
        again += told(asked.push(to_batch(due), NOON + 1000 * second))
        asked.placed()
    assert brief(again) == brief(found)
    assert np.array_equal(asked.placed().chances, silent.placed().chances)

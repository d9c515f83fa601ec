"""What is told of things by their whereabouts: when it is sure, and not before."""

import pytest

from app.cleaning.cleaner import Cleaner
from app.place.scenario import Scenario
from tests.app.cleaning.whereabouts.boutique import NOON, boutique, brief, events, log_rows, steady

ON_SHELF = steady("hats-1", "AA01", 0, 300, 10)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return boutique(tmp_path_factory.mktemp("boutique"))


def seconds(row: dict[str, object]) -> float:
    return (int(str(row["ts"])) - NOON) / 1000


def test_what_lies_on_its_shelf_is_told_once_and_from_time_to_time_again(shop: Scenario) -> None:
    found = events(Cleaner(shop), log_rows(steady("hats-1", "AA01", 0, 1230, 10), 1230))
    assert brief(found) == [("SHELF-READING", "hats")] * 3
    assert [int(str(row["dwell"])) // 600_000 for row in found] == [0, 1, 2]
    assert [row["prob"] for row in found[1:]] == [None, None]  # what was told before is not doubted again


def test_what_is_carried_out_is_told_within_the_gate_s_reads(shop: Scenario) -> None:
    heard = [*ON_SHELF, *steady("gate-1", "AA01", 330, 333, 0.25)]
    found = events(Cleaner(shop), log_rows(heard, 400))
    assert brief(found)[:3] == [("SHELF-READING", "hats"), ("SHELF-LEFT", "hats"), ("EXIT-READING", "gate")]
    assert 330 <= seconds(found[2]) <= 332


def test_what_a_gate_hears_while_its_shelf_goes_on_reading_it_has_not_left(shop: Scenario) -> None:
    burst = steady("gate-1", "AA01", 303, 305, 0.3)
    heard = sorted([*ON_SHELF, *burst, *steady("hats-1", "AA01", 300, 500, 10)])
    assert brief(events(Cleaner(shop), log_rows(heard, 500))) == [("SHELF-READING", "hats")]


def test_a_doubtful_exit_waits_for_its_shelf_to_speak(shop: Scenario) -> None:
    burst = steady("gate-1", "AA01", 294, 295.5, 0.5)
    found = events(Cleaner(shop), log_rows([*ON_SHELF, *burst], 400))
    assert brief(found)[-1] == ("EXIT-LEFT", "gate")
    out = found[brief(found).index(("EXIT-READING", "gate"))]
    assert 300 < seconds(out) <= 356
    assert 0.9 < float(str(out["prob"])) < 1.0


def test_what_is_paid_is_told_at_the_till_and_at_the_exit(shop: Scenario) -> None:
    till, gate = steady("till-1", "AA01", 330, 345, 0.5), steady("gate-1", "AA01", 360, 364, 0.25)
    found = brief(events(Cleaner(shop), log_rows([*ON_SHELF, *till, *gate], 420)))
    assert [what for what in found if what[0].endswith("READING")] == [
        ("SHELF-READING", "hats"),
        ("COUNTER-READING", "till"),
        ("EXIT-READING", "gate"),
    ]


def test_what_is_lost_is_not_out(shop: Scenario) -> None:
    """Hidden in the fitting room: it has left, and is told nowhere else."""
    fitting = steady("fitting-1", "AA01", 330, 400, 5)
    found = brief(events(Cleaner(shop), log_rows([*ON_SHELF, *fitting], 1600)))
    assert found[-2:] == [("FITTING-READING", "fitting"), ("FITTING-LEFT", "fitting")]


def test_what_hides_behind_other_things_has_not_left(shop: Scenario) -> None:
    heard = [*ON_SHELF, *steady("hats-1", "AA01", 500, 590, 10)]
    assert brief(events(Cleaner(shop), log_rows(heard, 590))) == [("SHELF-READING", "hats")]


def test_nothing_leaves_an_area_whose_reader_is_down(shop: Scenario) -> None:
    fitting = steady("fitting-1", "AA01", 0, 100, 5)
    rows = log_rows(fitting, 1000, down=["fitting-1"])
    assert brief(events(Cleaner(shop), rows)) == [("FITTING-READING", "fitting")]


def test_what_is_carried_to_another_shelf_is_told_there(shop: Scenario) -> None:
    heard = [*ON_SHELF, *steady("coats-1", "AA01", 320, 420, 10)]
    found = brief(events(Cleaner(shop), log_rows(heard, 420)))
    assert found == [("SHELF-READING", "hats"), ("SHELF-LEFT", "hats"), ("SHELF-READING", "coats")]


def test_a_single_stray_read_moves_nothing(shop: Scenario) -> None:
    heard = sorted([*ON_SHELF, (155.0, "coats-1", "AA01"), (201.0, "gate-1", "AA01")])
    assert brief(events(Cleaner(shop), log_rows(heard, 300))) == [("SHELF-READING", "hats")]


def test_the_same_doubt_is_not_told_twice(shop: Scenario) -> None:
    """That it left and that it went out rest on the same reads: both together are as likely as one."""
    burst = steady("gate-1", "AA01", 294, 295.5, 0.5)
    found = events(Cleaner(shop), log_rows([*ON_SHELF, *burst], 400))
    left, out = found[1], found[2]
    assert brief([left, out]) == [("SHELF-LEFT", "hats"), ("EXIT-READING", "gate")]
    product = (left["prob"] or 1.0) * (out["prob"] or 1.0)  # type: ignore[operator]
    assert 0.94 <= product < 0.999


def test_what_walks_out_while_its_shelf_is_down_is_told_as_sure_as_it_can_be(shop: Scenario) -> None:
    """Nobody will say whether it still lies there: a long visit to the gate must do."""
    gate = steady("gate-1", "AA01", 360, 365, 0.25)
    found = events(Cleaner(shop), log_rows([*ON_SHELF, *gate], 500, down=["hats-1"]))
    left, out = found[1], found[2]
    assert brief([left, out]) == [("SHELF-LEFT", "hats"), ("EXIT-READING", "gate")]
    assert 360 < seconds(out) <= 366
    product = (left["prob"] or 1.0) * (out["prob"] or 1.0)  # type: ignore[operator]
    assert 0.9 <= product < 0.97

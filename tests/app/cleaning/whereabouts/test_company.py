"""Who else is heard at a gate, what is read once only, and what is read twice in one poll."""

from pathlib import Path

import pytest

from app.cleaning.cleaner import Cleaner
from app.place.scenario import Scenario, load
from tests.app.cleaning.whereabouts.boutique import BOUTIQUE, Heard, boutique, brief, events, log_rows, steady

RACK = [f"BB{number:02}" for number in range(12)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return boutique(tmp_path_factory.mktemp("boutique"))


@pytest.fixture(scope="module")
def full_shop(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """With a rack of coats near the gate, each of another product."""
    path: Path = tmp_path_factory.mktemp("full") / "boutique.yaml"
    items = "".join(f"\n    - {{tag: {tag}, id: C-{tag}, home: coats}}" for tag in RACK)
    path.write_text(BOUTIQUE.replace("\n    - {tag: AA03, id: COAT-1, home: coats}", items))
    return load(path)


def lying(start: float, end: float) -> list[Heard]:
    """The rack, each tag at its own moment."""
    return [
        one
        for number, tag in enumerate(RACK)
        for one in steady("coats-1", tag, start + number / 4, end + number / 4, 10)
    ]


def gone(full_shop: Scenario, at_gate: list[Heard], after: list[Heard]) -> set[object]:
    found = events(Cleaner(full_shop), log_rows(sorted([*lying(0, 300), *at_gate, *after]), 400))
    return {row["tag"] for row in found if row["event"] == "EXIT-READING"}


def test_a_rack_that_a_gate_hears_together_has_not_gone_out_though_its_reader_is_silent(
    full_shop: Scenario,
) -> None:
    """Long enough to look like a walk through the gate."""
    burst = [one for tag in RACK for one in steady("gate-1", tag, 301, 305, 0.5)]
    assert gone(full_shop, burst, lying(330, 400)) == set()


def test_one_of_the_rack_that_a_gate_hears_alone_has_gone_out(full_shop: Scenario) -> None:
    walk = steady("gate-1", RACK[0], 301, 305, 0.5)
    rest = [one for one in lying(300, 400) if one[2] != RACK[0]]
    assert gone(full_shop, walk, rest) == {RACK[0]}


def test_a_tag_that_was_read_once_in_its_life_is_nowhere(shop: Scenario) -> None:
    """Tags that never answer are read by mistake now and then."""
    assert events(Cleaner(shop), log_rows([(200.0, "hats-1", "AA01")], 400)) == []
    twice = [(200.0, "hats-1", "AA01"), (210.0, "hats-1", "AA01")]
    assert brief(events(Cleaner(shop), log_rows(twice, 220))) == [("SHELF-READING", "hats")]


def test_reads_of_one_poll_count_as_one(shop: Scenario) -> None:
    """What is carried past a shelf is read three times in a second: that is no stay there."""
    shelf, passing = steady("hats-1", "AA01", 0, 300, 10), steady("coats-1", "AA01", 310, 311.2, 0.4)
    found = brief(events(Cleaner(shop), log_rows([*shelf, *passing], 318)))
    assert ("SHELF-READING", "coats") not in found

"""The formulas and the examples of the report, section 4.2."""

from __future__ import annotations

import pytest

from sase import belief
from tests.sase.belief.home import MINUTE, home

PLACES = ("LR", "BR", "outside")


@pytest.fixture
def doubtful() -> belief.State:
    """A and B depend on each other: one of them, nobody knows who, went to the bedroom some minutes ago."""
    state = belief.State(home(), ["A", "B"], start={"A": "LR", "B": {"LR": 0.7, "outside": 0.3}})
    state.see([{"ts": 0, "sensor": "br-door", "to": "BR"}])
    state.advance(7 * MINUTE)
    return state


@pytest.fixture
def p(doubtful: belief.State) -> dict[tuple[str, ...], float]:
    return doubtful.joint("A", "B")


def test_a_joint_distribution_is_no_product(doubtful: belief.State, p: dict[tuple[str, ...], float]) -> None:
    assert sum(p.values()) == pytest.approx(1)
    assert abs(p["BR", "BR"] - doubtful.is_in("A", "BR") * doubtful.is_in("B", "BR")) > 0.05


def test_the_number_of_people_in_the_home(doubtful: belief.State, p: dict[tuple[str, ...], float]) -> None:
    one = p["LR", "outside"] + p["BR", "outside"] + p["outside", "LR"] + p["outside", "BR"]
    two = p["LR", "LR"] + p["LR", "BR"] + p["BR", "LR"] + p["BR", "BR"]
    home_now = doubtful.how_many("LR", "BR")
    assert home_now.expected == pytest.approx(one + 2 * two)
    assert home_now.distribution == pytest.approx([p["outside", "outside"], one, two])


def test_who_is_in_the_bedroom(doubtful: belief.State, p: dict[tuple[str, ...], float]) -> None:
    found = {frozenset(who): share for who, share in doubtful.who("BR")}
    nobody = p["outside", "outside"] + p["outside", "LR"] + p["LR", "outside"] + p["LR", "LR"]
    assert found[frozenset("A")] == pytest.approx(p["BR", "outside"] + p["BR", "LR"])
    assert found[frozenset("B")] == pytest.approx(p["outside", "BR"] + p["LR", "BR"])
    assert found[frozenset("AB")] == pytest.approx(p["BR", "BR"])
    assert found[frozenset()] == pytest.approx(nobody)


def test_is_a_in_the_bedroom(doubtful: belief.State, p: dict[tuple[str, ...], float]) -> None:
    yes = p["BR", "outside"] + p["BR", "LR"] + p["BR", "BR"]
    assert doubtful.is_in("A", "BR") == pytest.approx(yes)
    assert doubtful.where("A")["BR"] == pytest.approx(yes)
    assert doubtful.present("BR")["A"] == pytest.approx(yes)


def test_only_a_is_in_the_living_room_and_somebody_moves_to_the_den() -> None:
    places = {"LR": "room", "den": "room", "BR": "room"}
    model = belief.Model(
        places=places,
        moves=[("LR", "den"), ("LR", "BR")],
        stays={"room": "20 minutes"},
        sensors={"den-door": belief.Gate("LR", "den", hit=0.9)},
    )
    state = belief.State(model, ["A", "B"], start={"A": "LR", "B": "BR"})
    state.see([{"ts": 0, "sensor": "den-door", "to": "den"}])
    assert state.where("A") == pytest.approx({"den": 1})
    assert state.where("B") == pytest.approx({"BR": 1})


def test_one_of_two_is_in_the_bedroom_and_a_fairly_sure_sighting_says_who() -> None:
    state = belief.State(home(), ["A", "B"], start={"A": "LR", "B": "LR"})
    state.see([{"ts": 0, "sensor": "br-door", "to": "BR"}])
    assert state.present("BR") == pytest.approx({"A": 0.5, "B": 0.5})
    state.see([{"ts": 0, "sensor": "br-cam", "entity": "A", "sure": 0.9}])
    assert state.present("BR") == pytest.approx({"A": 0.9, "B": 0.1})
    assert state.how_many("BR").distribution == pytest.approx([0, 1, 0])


def test_a_guess_of_who_it_was_counts_as_much_as_it_says() -> None:
    state = belief.State(home(), ["A", "B"], start={"A": "LR", "B": "LR"})
    state.see([{"ts": 0, "sensor": "br-door", "to": "BR", "entities": {"A": 0.7, "B": 0.3}}])
    assert state.present("BR") == pytest.approx({"A": 0.7, "B": 0.3})


def test_the_answers_of_the_contract() -> None:
    start = {"A": {"LR": 0.8, "BR": 0.2}, "B": {"BR": 0.7, "outside": 0.3}}
    state = belief.State(home(), ["A", "B"], start=start)
    assert state.where("A") == pytest.approx({"LR": 0.8, "BR": 0.2})
    assert state.where("A")["outside"] == 0
    assert state.present("BR") == pytest.approx({"A": 0.2, "B": 0.7})
    sets = state.who("BR", top=10)
    assert [who for who, _ in sets] == [{"B"}, set(), {"A", "B"}, {"A"}]
    assert [share for _, share in sets] == pytest.approx([0.56, 0.24, 0.14, 0.06])
    assert state.how_many("BR").distribution == pytest.approx([0.24, 0.62, 0.14])
    assert (state.how_many("BR").low, state.how_many("BR").high) == (0, 2)
    assert state.joint("A", "B")["LR", "BR"] == pytest.approx(0.56)

"""The home's world: who walks passes every doorway on the way, and what the truth says is what was done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from app.demo.hurried_place import HASTE, hurried
from app.place.scenario import Scenario, load
from simulator.play import Play
from simulator.staging import stage

HOUR, MINUTE, SECOND = 3_600_000, 60_000, 1_000
NOON = 1_772_445_600_000  # 2026-03-02, 11:00 in Berlin
JUDGED = ("leak", "leak_untold", "long_in_bathroom", "motion_nobody_home")


@pytest.fixture(scope="module")
def home() -> Scenario:
    return load(Path("scenarios/home.yaml"))


def test_everything_that_may_go_wrong_does_and_stays_apart(home: Scenario) -> None:
    play = Play(home, 1, length_ms=24 * HOUR, parts=("rates",))
    for _ in play.scenes(30 * MINUTE):
        pass
    told = Counter(one.detector for one in play.world.truth.incidents)
    assert set(JUDGED) <= told.keys()
    assert told["leak"] >= told["leak_untold"] >= 5


@pytest.mark.parametrize("seed", [1, 2])
def test_a_badge_is_only_read_where_its_owner_is_or_next_door(home: Scenario, seed: int) -> None:
    play = Play(home, seed, noise=0, length_ms=3 * HOUR, parts=("rates",))
    names = dict(zip(home.items["tag"].to_pylist(), home.items["id"].to_pylist(), strict=True))
    for scene in play.scenes(10_000):
        for row in scene.reports.to_pylist():
            if row["kind"] == "reading":
                place, since = play.world.truth.household.where[names[row["tag"]]]
                assert row["reader"] == f"{place}-badges" or since >= row["ts"] - 10_000


def test_a_walk_passes_every_doorway_in_its_direction(home: Scenario) -> None:
    play = Play(home, 1, noise=0, length_ms=3 * MINUTE, parts=())
    stage.command(play.cast, {"script": "anna goes out"})
    rows = [row for scene in play.scenes() for row in scene.reports.to_pylist() if row["kind"] == "motion"]
    assert [(row["reader"], row["detail"]) for row in rows] == [
        ("living-door", '{"to": "hall"}'),
        ("front-door", '{"to": "outside"}'),
    ]


def test_nobody_knows_of_a_leak_as_long_as_no_senior_is_before_the_display(home: Scenario) -> None:
    play = Play(home, 1, length_ms=40 * MINUTE, parts=())
    play.cast.home.life_from = play.end  # everybody stays where the script says
    for who in ("anna", "ben"):
        stage.command(play.cast, {"script": f"{who} goes out"})
    play.step(2 * MINUTE)
    stage.command(play.cast, {"script": "water leaks in the bathroom"})
    play.step(15 * MINUTE)
    told = [(one.detector, one.subject) for one in play.world.truth.incidents]
    assert told == [("leak", "bathroom"), ("leak_untold", "bathroom")]


def test_a_senior_before_the_display_knows_of_the_leak(home: Scenario) -> None:
    play = Play(home, 1, length_ms=40 * MINUTE, parts=())
    play.cast.home.life_from = play.end
    stage.command(play.cast, {"script": "water leaks in the living"})
    play.step(15 * MINUTE)
    assert [one.detector for one in play.world.truth.incidents] == ["leak"]


def test_a_stranger_in_an_empty_home_is_an_incident_and_a_guest_is_none(home: Scenario) -> None:
    for out, expected in ((("anna", "ben", "clara"), ["motion_nobody_home"]), (("anna", "ben"), [])):
        play = Play(home, 1, length_ms=40 * MINUTE, parts=())
        play.cast.home.life_from = play.end
        for who in out:
            stage.command(play.cast, {"script": f"{who} goes out"})
        play.step(3 * MINUTE)
        stage.command(play.cast, {"script": "a stranger comes in"})
        play.step(5 * MINUTE)
        assert [one.detector for one in play.world.truth.incidents] == expected


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [("dora goes out", "nobody here is called dora"), ("water leaks in the hall", "no leak sensor in hall")],
)
def test_what_cannot_be_played_is_told(home: Scenario, sentence: str, fault: str) -> None:
    play = Play(home, 1, length_ms=HOUR, parts=())
    stage.command(play.cast, {"script": sentence})
    with pytest.raises(stage.CommandError, match=fault):
        play.step(MINUTE)


@pytest.mark.parametrize("role", ["leak", "leak_untold", "long_in_bathroom", "intruder"])
def test_every_incident_can_be_staged(home: Scenario, role: str) -> None:
    play = Play(home, 3, length_ms=8 * HOUR, parts=())
    assert stage.command(play.cast, {"incident": role}) == role
    for _ in play.scenes(30 * MINUTE):
        pass
    expected = {"intruder": "motion_nobody_home"}.get(role, role)
    assert expected in {one.detector for one in play.world.truth.incidents}


def test_in_a_demo_nobody_who_lives_there_stays_in_the_bathroom_for_as_long_as_its_short_patience(
    tmp_path: Path,
) -> None:
    short = load(hurried(Path("scenarios/home.yaml"), tmp_path))
    play = Play(short, 1, length_ms=8 * HOUR, start=NOON, parts=(), haste=HASTE)
    visited = 0
    for _ in play.scenes(SECOND):
        visited += "bathroom" in {room for room, _ in play.world.truth.household.where.values()}
    assert visited > 60
    assert play.world.truth.incidents == []

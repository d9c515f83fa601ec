"""The sensors of a home: a camera is as right as it says, badges are often missed, doorways now and then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.place.radio import PRESETS
from app.place.scenario import Scenario, load
from simulator.play import Play
from simulator.sensors.at_home import LEVELS, NO_ONE, Guess, distribution
from simulator.staging import stage

HOUR, MINUTE = 3_600_000, 60_000
PEOPLE = ["anna", "ben", "clara"]


@pytest.fixture(scope="module")
def home() -> Scenario:
    return load(Path("scenarios/home.yaml"))


def reports(play: Play, length: int = 10_000) -> list[dict[str, Any]]:
    return [row for scene in play.scenes(length) for row in scene.reports.to_pylist()]


@pytest.mark.parametrize("guess", [Guess(0, 0), Guess(2, 4), Guess(NO_ONE, 0)])
def test_a_guess_goes_through_its_code(guess: Guess) -> None:
    assert Guess.of(guess.code) == guess


def test_a_distribution_leaves_something_to_somebody_else() -> None:
    known = distribution(Guess(1, 4).code, PEOPLE)
    assert max(known, key=known.__getitem__) == "ben"
    assert sum(known.values()) == pytest.approx(0.97, abs=0.01)
    assert sum(distribution(Guess(NO_ONE, 0).code, PEOPLE).values()) == pytest.approx(0.3, abs=0.01)


def test_a_camera_is_right_as_often_as_it_says(home: Scenario) -> None:
    """Only Anna is in view."""
    play = Play(home, 1, length_ms=24 * HOUR, parts=())
    play.cast.home.life_from = play.end
    for who in ("ben", "clara"):
        stage.command(play.cast, {"script": f"{who} stays in the bedroom for 24 hours"})
    guesses = [json.loads(row["detail"])["entities"] for row in reports(play, HOUR) if row["kind"] == "guess"]
    tops = [max(guess, key=guess.__getitem__) for guess in guesses[20:]]
    claimed = [max(guess.values()) for guess in guesses[20:]]
    assert set(claimed) == set(LEVELS)
    assert np.mean([top == "anna" for top in tops]) == pytest.approx(np.mean(claimed) / 0.97, abs=0.03)


def test_badges_are_often_missed_even_by_a_kind_radio(home: Scenario) -> None:
    play = Play(home, 1, noise=0, length_ms=2 * HOUR, parts=())
    play.cast.home.life_from = play.end
    reads = sum(row["kind"] == "reading" for row in reports(play, HOUR))
    assert reads / (3 * 720) == pytest.approx(0.5, abs=0.05)


def test_doorways_miss_some_and_trigger_by_themselves(home: Scenario) -> None:
    dials = replace(PRESETS["kind"], misses=0.3, ghosts=0.05, repeats=0.0)
    play = Play(home, 1, radio=dials, length_ms=24 * HOUR, parts=("rates",))
    passed, told = 0, 0
    for _ in range(24):
        scene = play.step(HOUR)
        passed += len(scene.presences.passes)
        told += sum(kind == "motion" for kind in scene.reports["kind"].to_pylist())
    false = 4 * 24 * 0.05 * 10
    assert told == pytest.approx(passed * 0.7 + false, rel=0.15)


def test_however_time_is_cut_the_same_is_reported(home: Scenario) -> None:
    def keys(length: int) -> list[tuple[Any, ...]]:
        play = Play(home, 2, length_ms=2 * HOUR, parts=("rates",))
        rows = [row for row in reports(play, length) if row["kind"] != "status"]
        return sorted(
            (row["ts"], row["reader"], row["kind"], row["tag"], row["detail"] or "") for row in rows
        )

    assert keys(7_000) == keys(HOUR)

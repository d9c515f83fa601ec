"""Display: the screen of a room in a home, and on Demo what is believed beside what is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import detectors
from app import store
from app.cleaning.placed import ELSEWHERE, LEFT_THE_PLACE, Placed
from app.detection.alert import ReportedMatch, alert
from app.mqtt.topics import SIMULATOR_WHERE
from app.whereabouts import written
from app.whereabouts.written import WrittenWhereabouts
from dashboard.context import Context
from dashboard.facts.belief_score import BeliefScore, judge_of
from dashboard.truth.heard import DemoTruth
from dashboard.words import text
from tests.dashboard import seed
from tests.dashboard.opened import SignIn, opened, words

PLACES = ["hall", "living", "bedroom", "bathroom", "outside"]


def believe(context: Context, *where: tuple[str, float]) -> None:
    """Each person in a place with a chance, and else in the hall."""
    home = seed.shop("home")
    chances = np.zeros((3, 4 + ELSEWHERE), np.float32)
    for row, (place, sure) in enumerate(where):
        column = 4 + LEFT_THE_PLACE if place == "outside" else PLACES.index(place)
        chances[row, column] = sure
        chances[row, 0] += 1 - sure
    figures = (
        np.array([PLACES.index(place) for place, _ in where]),
        *(np.full(3, seed.NOW) for _ in range(2)),
    )
    placed = Placed(chances, *figures, np.zeros(3, np.int64))
    assert context.checkpoint is not None
    context.checkpoint.mkdir(parents=True, exist_ok=True)
    known = WrittenWhereabouts(placed, seed.NOW, seed.NOW - 60_000, "", home.name)
    written.write(context.checkpoint / written.FILE, known)


def leak(context: Context) -> None:
    event = {"event": "LEAK", "ts": seed.NOW, "area": "bathroom", "reader": "bath", "place": "bathroom"}
    match = ReportedMatch("leak", "l1", seed.NOW, seed.NOW, seed.NOW, 1.0, {"x": event})
    told = alert(match, detectors.load()["leak"], {}, context.scenario, [])
    store.record_alerts(context.store, [told], seed.NOW)


@pytest.fixture
def home(empty: Context, tmp_path: Path, sign_in: SignIn) -> Context:
    truth = DemoTruth(lambda: seed.NOW)
    context = replace(
        empty, scenario=seed.shop("home"), checkpoint=tmp_path / "checkpoint", demo=True, truth=truth
    )
    seed.parts(context.store, seed.NOW)
    sign_in(context)
    return context


def test_the_display_shows_who_is_probably_there_and_what_is_meant_for_them(home: Context) -> None:
    believe(home, ("living", 0.97), ("outside", 0.9), ("bedroom", 0.99))
    told = words(opened("display"))
    assert "Living room" in told
    assert "Anna (97%)" in told
    assert "The dentist at three" in told
    assert "bicycle" not in told
    assert "| Ben | Out | 90% |" in told


def test_a_leak_is_shown_as_soon_as_a_senior_is_probably_there(home: Context) -> None:
    leak(home)
    believe(home, ("outside", 0.99), ("outside", 0.99), ("living", 0.95))
    page = opened("display")
    assert [box.value for box in page.warning] == [text.display.WAITING]
    assert not page.error


def test_a_senior_reads_of_the_leak(home: Context) -> None:
    leak(home)
    believe(home, ("living", 0.95), ("outside", 0.99), ("outside", 0.99))
    page = opened("display")
    assert [box.value for box in page.error] == [text.display.LEAK.format("Bathroom")]


def test_before_anything_was_heard_the_display_says_so(home: Context) -> None:
    assert home.checkpoint is not None
    assert [box.value for box in opened("display").info] == [text.display.NOT_YET]


def test_a_place_without_a_household_has_no_display(busy: Context, sign_in: SignIn) -> None:
    sign_in(busy)
    assert [box.value for box in opened("display").info] == [text.display.NONE]


def test_the_demo_of_a_home_stages_its_incidents_and_shows_belief_beside_truth(home: Context) -> None:
    assert home.truth is not None
    where = {"anna": ["living", 1], "ben": ["bathroom", 1], "clara": ["outside", 1]}
    home.truth.hear(SIMULATOR_WHERE, json.dumps({"where": where}).encode())
    believe(home, ("living", 0.97), ("outside", 0.6), ("outside", 0.99))
    page = opened("demo")
    assert page.button(key="stage-leak_untold").label == "Leak that no senior knows of"
    assert "| Anna | Living room | 97% | Living room |" in words(page)
    assert "| Ben | Out | 60% | Bathroom |" in words(page)
    assert judge_of(home).score == BeliefScore(3, 2, pytest.approx(1.96, abs=0.01), 2, 2)


def test_the_truth_of_a_moment_is_where_everybody_was_then() -> None:
    truth = DemoTruth(lambda: seed.NOW)
    for where in ({"anna": ["living", 5]}, {"anna": ["living", 5]}, {"anna": ["hall", 9]}):
        truth.hear(SIMULATOR_WHERE, json.dumps({"where": where}).encode())
    assert [truth.places_at(ts) for ts in (4, 5, 8, 9)] == [
        *({}, {"anna": "living"}, {"anna": "living"}, {"anna": "hall"})
    ]
    truth.hear(SIMULATOR_WHERE, b'{"where": {"anna": 3}}')
    assert truth.places_at(9) == {"anna": "hall"}

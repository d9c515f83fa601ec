"""What a demo's spectators are told: the steps of a staged story, what decides, the alert it became."""

from __future__ import annotations

import json
from dataclasses import replace

from app.mqtt.topics import SIMULATOR_PEOPLE, SIMULATOR_STORY
from dashboard.context import Context
from dashboard.facts import stories
from dashboard.pictures import truth_marks
from dashboard.truth.heard import DemoTruth
from dashboard.truth.stage import StagedStory
from dashboard.views.demo.page import offered
from dashboard.views.demo.story_words import expected, told_story
from tests.dashboard import seed

THEFT = (
    ("begun", "", "", ()),
    ("walks", "shopper-1", "denim", ()),
    ("arrives", "shopper-1", "denim", ()),
    ("takes", "shopper-1", "denim", ("JEAN-28-001",)),
    ("takes", "shopper-1", "denim", ("JEAN-28-002",)),
    ("walks", "shopper-1", "main-exit", ()),
    ("arrives", "shopper-1", "main-exit", ()),
)


class Simulator:
    """Tells a dashboard's truth what a simulator would, a second after the other."""

    def __init__(self) -> None:
        self.now_ms = seed.NOW
        self.truth = DemoTruth(lambda: self.now_ms)

    def tell(self, incident: str, *steps: tuple[str, str, str, tuple[str, ...]]) -> StagedStory:
        for deed, who, area, things in steps:
            said = {"story": 1, "incident": incident, "ts": self.now_ms, "deed": deed}
            self.now_ms += 1_000
            payload = json.dumps({**said, "who": who, "area": area, "things": things})
            self.truth.hear(SIMULATOR_STORY, payload.encode())
        return self.truth.stage.stories()[0]

    def show(self, **people: tuple[float, float]) -> None:
        shown = [{"who": who, "x": x, "y": y, "area": ""} for who, (x, y) in people.items()]
        said = {"now_ms": self.now_ms, "people": shown, "heard": {"till-1-pad": 3}}
        self.truth.hear(SIMULATOR_PEOPLE, json.dumps(said).encode())


def test_a_theft_is_told_step_by_step_with_what_was_taken_together(empty: Context) -> None:
    story = Simulator().tell("shoplift", *THEFT)
    told = told_story(story, None, 2, replace(empty, now_ms=lambda: seed.NOW + 9_000))
    words = [step.words.partition(" ")[2] for step in told.steps]
    assert words[2] == "shopper-1 takes 2 × Jeans size 28"
    assert words[4] == "shopper-1 is at Main exit"
    assert told.steps[4].kind == "decisive"
    assert "within 25 seconds" in told.expect


def test_the_stopwatch_runs_from_the_gate_and_stops_with_the_alert(empty: Context) -> None:
    story = Simulator().tell("shoplift", *THEFT)
    gate = story.steps[-1].heard_ms
    alert = replace(seed.shoplifting(0, gate), subject="JEAN-28-002", stored_ms=gate + 300)
    context = replace(empty, now_ms=lambda: gate + 5_000)
    waiting = told_story(story, None, 2, context)
    assert (waiting.elapsed, waiting.running) == (5_000, True)
    assert stories.told(story, [alert], context) == alert
    ended = told_story(story, alert, 2, context)
    assert (ended.elapsed, ended.running, ended.alert) == (300, False, alert.id)


def test_alerts_about_others_or_from_before_are_not_the_storys(empty: Context) -> None:
    story = Simulator().tell("shoplift", *THEFT)
    other = replace(seed.shoplifting(7, seed.NOW), subject="BAG-40-001", stored_ms=seed.NOW + 9_000)
    before = replace(seed.shoplifting(0, seed.NOW), subject="JEAN-28-001", stored_ms=seed.NOW - 1)
    assert stories.told(story, [other, before], empty) is None


def test_a_sweep_is_told_by_its_product(empty: Context) -> None:
    story = Simulator().tell("sweep", *THEFT)
    alert = replace(
        seed.shoplifting(0, seed.NOW), detector="shelf_sweep", subject="JEAN-28", stored_ms=seed.NOW + 9_000
    )
    assert stories.told(story, [alert], empty) == alert


def test_a_missed_dose_is_told_from_the_order_on(empty: Context) -> None:
    ward = replace(empty, scenario=seed.shop("ward"))
    ordered = ("ordered", "patient-3", "bed-3", ("PARACETAMOL-3",))
    story = Simulator().tell(
        "missed_dose", ("begun", "", "", ()), ordered, ("sleeps", "patient-3", "bed-3", ())
    )
    told = told_story(story, None, 1, ward)
    words = [step.words.partition(" ")[2] for step in told.steps]
    assert words[:2] == [
        "Clara Lang is to take Paracetamol at once: it has just been ordered",
        "Clara Lang sleeps on",
    ]
    assert told.steps[0].kind == "decisive"
    alert = replace(
        seed.shoplifting(0, seed.NOW), detector="missed_dose", subject="PARACETAMOL-3", stored_ms=2**60
    )
    assert stories.told(story, [alert], ward) == alert


def test_people_are_drawn_with_their_trails_and_vanish_with_the_simulator() -> None:
    simulator = Simulator()
    simulator.show(shopper=(1.0, 2.0), thief=(5.0, 5.0))
    simulator.show(shopper=(2.0, 2.0), thief=(5.0, 6.0))
    people = simulator.truth.stage.people(simulator.now_ms)
    trails, _, others, staged = truth_marks.truth(people, {"thief"})
    assert (trails["x"], trails["y"]) == ([1.0, 2.0, None], [2.0, 2.0, None])
    assert (others["ids"], staged["ids"]) == (["shopper"], ["thief"])
    assert simulator.truth.stage.heard(simulator.now_ms) == {"till-1-pad"}
    assert simulator.truth.stage.people(simulator.now_ms + 60_000) == []


def test_the_exit_where_something_was_told_is_filled() -> None:
    plan = seed.shop().plan
    assert truth_marks.flash(plan, ["main-exit"], bright=True)["x"][:2] == [2, 7]
    assert truth_marks.flash(plan, [], bright=True)["x"] == []


def test_at_home_water_and_strangers_decide_though_nothing_was_taken(empty: Context) -> None:
    home = replace(empty, scenario=seed.shop("home"))
    leak = Simulator().tell("leak", ("begun", "", "", ()), ("spills", "bath", "bathroom", ()))
    told = told_story(leak, None, 1, home)
    assert told.steps[0].words.partition(" ")[2] == "There is water at Bathroom (bath)"
    assert told.steps[0].kind == "decisive"
    alert = replace(seed.shoplifting(0, seed.NOW), detector="leak", subject="bathroom", stored_ms=2**60)
    assert stories.told(leak, [alert], home) == alert
    again = Simulator().tell("leak", ("begun", "", "", ()), ("wet", "", "", ()))
    assert "the same leak" in told_story(again, None, 1, home).steps[0].words
    visit = ("begun", "", "", ()), ("arrives", "anna", "hall", ()), ("enters", "", "living", ())
    visited = Simulator().tell("intruder", *visit)
    steps = [step.words.partition(" ")[2] for step in told_story(visited, None, 1, home).steps]
    assert steps[:2] == ["Anna is at Hall", "Somebody who does not live here is in the Living room"]
    seen = replace(alert, detector="motion_nobody_home", subject="home")
    assert stories.told(visited, [seen], home) == seen


def test_every_button_of_every_place_says_when_its_alert_comes(empty: Context) -> None:
    places = [replace(empty, scenario=seed.shop(name)) for name in ("store", "ward", "library", "home")]
    assert [one for place in places for one in offered(place) if not expected(one)] == []
    assert max(staging.seconds for staging in stories.STAGINGS.values()) <= 60

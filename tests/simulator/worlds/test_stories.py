"""What was staged is told, and nothing else; those who are staged need not be waited for."""

from __future__ import annotations

from app.place.find import find_scenario
from app.place.scenario import load
from simulator.output.figures import Onlooking
from simulator.play import Play
from simulator.staging.stage import command
from simulator.worlds.world import MINUTE, SECOND


def play(**options: object) -> Play:
    return Play(load(find_scenario("store")), 1, noise=0, **options)  # type: ignore[arg-type]


def test_a_theft_is_told_from_the_shelf_to_the_exit() -> None:
    one = play(parts=())
    command(one.cast, {"incident": "shoplift"})
    one.step(MINUTE)
    told = one.world.stories.news()
    deeds = list(dict.fromkeys(step.deed for step in told))
    assert deeds == ["begun", "walks", "arrives", "takes", "leaves"]
    assert told[-1].area in ("main-exit", "side-exit")
    assert one.world.stories.news() == []


def test_what_chance_brings_is_not_told() -> None:
    one = play(parts=("rates",))
    one.step(30 * MINUTE)
    assert one.world.stories.news() == []


def test_who_walks_is_on_the_straight_way() -> None:
    one = play(parts=())
    figures = Onlooking(one.world)
    one.world.go("ada", "denim")
    [start] = figures.seen()
    one.world.go("ada", None)
    one.world.head_for("ada", "kids", 10 * SECOND)
    [begun] = figures.seen()
    one.world.run(one.world.now + 5 * SECOND)
    [midway] = figures.seen()
    one.world.go("ada", "kids")
    [end] = figures.seen()
    assert (begun["x"], begun["y"]) == (start["x"], start["y"])
    assert abs(midway["x"] - (start["x"] + end["x"]) / 2) < 0.02


def test_an_unplugged_reader_is_silent_until_it_is_plugged_in_again() -> None:
    one = play(parts=())
    command(one.cast, {"unplug": "till-1-pad"})
    assert not one.world.is_watched("till-1")
    one.step(MINUTE)
    command(one.cast, {"plug": "till-1-pad"})
    one.step(10 * MINUTE)
    assert one.world.is_watched("till-1")
    assert one.world.truth.incidents == []  # a minute is no silence to speak of


def test_the_truth_goes_by_the_parameters_in_force() -> None:
    one = play(parts=())
    one.world.truth.set("reader_silent", {"patience": 30 * SECOND})
    command(one.cast, {"unplug": "till-1-pad"})
    one.step(MINUTE)
    assert [incident.subject for incident in one.world.truth.incidents] == ["till-1-pad"]

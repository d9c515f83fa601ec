"""What the deciding reader has heard: incidents of which it heard nothing are told apart."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.detection.score import Score
from app.place.radio import PRESETS
from app.place.scenario import Scenario, load
from simulator.play import Play
from simulator.trial.deciding import DecidingReads
from simulator.worlds.world import MINUTE


def listened(name: str, mute: float) -> tuple[DecidingReads, Play]:
    place = with_mute(load(Path("scenarios") / f"{name}.yaml"), mute)
    play, reads = Play(place, 1, length_ms=60 * MINUTE), DecidingReads(place)
    for scene in play.scenes(10 * MINUTE):
        reads.scene(scene)
    return reads, play


def with_mute(place: Scenario, share: float) -> Scenario:
    assert place.simulation is not None
    return replace(place, simulation=replace(place.simulation, radio=replace(PRESETS["kind"], mute=share)))


@pytest.mark.parametrize("name", ["store", "library"])
def test_a_kind_radio_hears_every_incident(name: str) -> None:
    reads, play = listened(name, mute=0)
    incidents = play.world.truth.incidents
    assert incidents
    assert [one for one in incidents if not reads.heard(one)] == []


def test_an_item_that_never_answers_is_not_heard_where_it_is_decided() -> None:
    reads, play = listened("store", mute=1.0)
    heard = {one.detector for one in play.world.truth.incidents if reads.heard(one)}
    assert heard <= {"shelf_sweep", "reader_silent"}


def test_recall_is_told_with_and_without_what_nobody_heard() -> None:
    score = Score("shoplifting", right=8, false=0, missed=2, delays=(), unheard=2)
    assert (score.recall, score.recall_of_heard) == (0.8, 1.0)
    assert score.plus(score).unheard == 4

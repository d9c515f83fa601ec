"""A trial's path: reports arrive out of order, and nothing that the product would match is late."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.place.radio import PRESETS, RadioDials
from app.place.scenario import Scenario, load
from simulator.play import Play
from simulator.trial.attempt import attempt
from simulator.trial.delivery import Delivery
from simulator.worlds.world import MINUTE


@pytest.mark.parametrize("name", ["store", "ward"])
def test_clocks_that_are_off_by_seconds_make_nothing_late(name: str) -> None:
    place = load(Path("scenarios") / f"{name}.yaml")
    wrong = with_radio(place, replace(PRESETS["kind"], skew_ms=2_000, drift=50.0))
    assert attempt(wrong, Play(wrong, 1, length_ms=30 * MINUTE)).late == 0


def test_only_what_was_held_back_is_late() -> None:
    place = load(Path("scenarios/store.yaml"))
    holding = with_radio(place, replace(PRESETS["kind"], holds=2.0))
    trial = attempt(holding, Play(holding, 1, length_ms=30 * MINUTE))
    assert 0 < trial.late < 0.05 * trial.readings


def with_radio(place: Scenario, dials: RadioDials) -> Scenario:
    assert place.simulation is not None
    return replace(place, simulation=replace(place.simulation, radio=dials))


def test_reports_come_when_they_were_made_whatever_their_stamps_say() -> None:
    place = load(Path("scenarios/store.yaml"))
    play = Play(place, 1, length_ms=MINUTE)
    delivery = Delivery(500)
    scenes = [play.step(MINUTE // 2) for _ in range(2)]
    first, second = (delivery.rows(scene.reports, scene.arrives) for scene in scenes)
    assert (np.diff(first["received"].to_numpy()) >= 0).all()
    assert (np.diff(first["ts"].to_numpy()) < 0).any()
    assert second["position"][0].as_py() == first.num_rows

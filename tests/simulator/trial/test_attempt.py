"""A trial's path: reports arrive out of order, and nothing that the product would match is late."""

from pathlib import Path

import numpy as np
import pytest

from app.place.scenario import load
from simulator.play import Play
from simulator.trial.attempt import attempt
from simulator.trial.delivery import Delivery
from simulator.worlds.world import MINUTE


@pytest.mark.parametrize("name", ["store", "ward"])
def test_with_the_scenarios_clocks_nothing_is_late_and_with_less_patience_much_is(name: str) -> None:
    place = load(Path("scenarios") / f"{name}.yaml")
    late = [attempt(place, Play(place, 1, length_ms=60 * MINUTE), patience).late for patience in (500, 100)]
    assert late[0] == 0
    assert late[1] > 0


def test_reports_come_when_they_were_made_whatever_their_stamps_say() -> None:
    place = load(Path("scenarios/store.yaml"))
    play = Play(place, 1, length_ms=MINUTE)
    delivery = Delivery(place, play.clock_errors)
    first, second = (delivery.rows(play.step(MINUTE // 2).reports) for _ in range(2))
    assert (np.diff(first["received"].to_numpy()) >= 0).all()
    assert (np.diff(first["ts"].to_numpy()) < 0).any()
    assert second["position"][0].as_py() == first.num_rows

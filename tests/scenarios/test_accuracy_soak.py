"""The same promise over whole days and seeds that nobody has tuned anything to."""

from pathlib import Path

import pytest

from app.place.scenario import load
from simulator.commands.score import measure
from simulator.play import Play
from simulator.trial.attempt import attempt

HOUR = 3_600_000


@pytest.mark.soak
@pytest.mark.parametrize("name", ["store", "ward", "library"])
def test_whole_days_are_as_accurate_as_short_ones(name: str) -> None:
    scores = measure(load(Path("scenarios") / f"{name}.yaml"), 1.0, range(1001, 1006), 24 * HOUR, "kind")
    assert [one for one in scores.values() if min(one.precision, one.recall) < 0.97] == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1001, 1006))
@pytest.mark.parametrize("name", ["quiet_day", "quiet_library"])
def test_every_quiet_day_is_quiet(name: str, seed: int) -> None:
    quiet = load(Path("scenarios") / f"{name}.yaml")
    assert attempt(quiet, Play(quiet, seed, length_ms=24 * HOUR)).alerts == ()

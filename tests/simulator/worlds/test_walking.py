"""Among shelves: what people leave astray, and who brings it home."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.place.scenario import load
from simulator.play import Play
from simulator.worlds.world import MINUTE, World


def lay_astray(world: World) -> None:
    """On every shelf an item that does not belong there, later in the catalog than most."""
    homes = world.rows["home"]
    for number, area in enumerate(world.scenario.plan.of_kind("shelf"), start=1):
        foreign = [row for row, home in enumerate(homes) if home not in (None, area.name)]
        world.put(foreign[-number], area.name)


@pytest.mark.parametrize(
    ("name", "role"), [("store", "misplace_briefly"), ("library", "misplace_book_briefly")]
)
def test_staff_bring_home_what_was_left_astray_and_not_something_else(name: str, role: str) -> None:
    play = Play(load(Path("scenarios") / f"{name}.yaml"), 1, radio="kind", parts=())
    lay_astray(play.world)
    play.world.begin(play.cast.agent(role))
    play.world.run(play.now + 60 * MINUTE)
    assert play.world.truth.incidents == []

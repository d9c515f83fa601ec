"""Whether "between so many and so many" holds as often as it says: products on their shelf, areas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from app.place.radio import RadioDials
from app.place.scenario import Scenario
from app.whereabouts.names import CatalogNames
from benchmarks.believed_places import Grid, Sureness
from benchmarks.places import SETTLED_S, PlaceAnswers
from sase.belief.answers.counting import count, number_of
from simulator.play import Play
from simulator.worlds.world import MINUTE

LOOK_S = 60
OFF = 0.04  # asked at most
Group = tuple[int, np.ndarray]  # an area, and the tags that are counted there


@dataclass(frozen=True)
class HowManyRight:
    """Of intervals that are wider than one number: how many, the mass that they state, the truths inside."""

    wide: int
    stated: float
    inside: float

    def __str__(self) -> str:
        off = abs(self.stated - self.inside)
        met = "met" if off <= OFF else "missed"
        return (
            f"{self.wide} intervals wider than one number state {self.stated:.3f} on average and hold the "
            f"truth {self.inside:.3f} of the time: off by {off:.3f} ({OFF} asked): {met}"
        )


def how_many_right(place: Scenario, radio: RadioDials, seeds: Iterable[int], length_ms: int) -> HowManyRight:
    """Looks every minute; of tags that answer at all."""
    masses: list[float] = []
    right: list[bool] = []
    for seed in seeds:
        play = Play(place, seed, radio=radio, length_ms=length_ms, parts=("rates",))
        answers = PlaceAnswers(place, play.now, length_ms, keep_every_s=LOOK_S)
        for scene in play.scenes(30 * MINUTE):
            answers.scene(scene)
        groups = _groups(place, ~play.mute)
        for second, chances in answers.kept().items():
            if second >= SETTLED_S:
                _compare(groups, chances, answers.truth[:, second], masses, right)
    return HowManyRight(len(right), float(np.mean(masses or [0])), float(np.mean(right or [0])))


def _groups(place: Scenario, answering: np.ndarray) -> list[Group]:
    """Every area with all tags, and every product with the area that is its home."""
    areas, names = [area.name for area in place.plan.areas], CatalogNames(place.items)
    codes, homes = np.asarray(names.titles.indices), np.array(names.homes.to_pylist())
    groups = [(number, np.flatnonzero(answering)) for number in range(len(areas))]
    for number, area in enumerate(areas):
        at_home = answering & (homes == area)
        groups += [(number, np.flatnonzero(at_home & (codes == code))) for code in np.unique(codes[at_home])]
    return groups


def _compare(
    groups: list[Group], chances: Sureness, truth: Grid, masses: list[float], right: list[bool]
) -> None:
    for area, tags in groups:
        found = count(number_of(chances[tags, area].astype(np.float64)))
        if found.high > found.low:
            masses.append(sum(found.distribution[found.low : found.high + 1]))
            right.append(found.low <= int((truth[tags] == area).sum()) <= found.high)

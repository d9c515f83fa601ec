"""A simulated recording: people who walk about and sensors that hear them, with rates that are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sase import belief
from sase.belief.world.hearing import Hearing
from sase.belief.world.motion import Motion


@dataclass(frozen=True)
class Day:
    rows: list[dict[str, Any]]
    places: np.ndarray  # (seconds, people)
    names: list[str]


def simulated(model: belief.Model, people: int, seconds: int, seed: int) -> Day:
    """Second by second; every Watch polls once a second, gates see none."""
    draw = np.random.default_rng(seed)
    motion = Motion(model)
    hearing = Hearing(model, motion)
    step = motion.between(1000)
    states = draw.choice(
        motion.size, people, p=motion.hidden(np.full(len(motion.places), 1 / len(motion.places)))
    )
    names = [f"P{i}" for i in range(people)]
    rows, places = [], np.empty((seconds, people), np.int64)
    for second in range(seconds):
        states = np.minimum(
            (step.cumsum(axis=1)[states] < draw.random((people, 1))).sum(axis=1), motion.size - 1
        )
        places[second] = motion.place_of[states]
        heard = np.argwhere(draw.random((len(hearing.names), people)) < hearing.chance[:, states])
        rows += [
            {"ts": second * 1000, "sensor": hearing.names[s], "entity": names[person]} for s, person in heard
        ]
    return Day(rows, places, names)

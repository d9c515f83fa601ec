"""What each sensor hears: probabilities by place, polls, and moves that a gate sees."""

from __future__ import annotations

import numpy as np

from sase.belief.world.model import Model
from sase.belief.world.motion import Floats, Motion
from sase.belief.world.sensors import Gate, Sensor, Watch
from sase.belief.world.stays import duration

LEAST_MISS = 1e-9  # a sensor that is said to hear always may still miss once


class Hearing:
    """`chance[s, k]`: that a poll of sensor s hears who is in the hidden state k; of a gate 0 everywhere."""

    def __init__(self, model: Model, motion: Motion) -> None:
        self.names = list(model.sensors)
        self.sensors = list(model.sensors.values())
        self.number = {name: i for i, name in enumerate(self.names)}
        by_place = np.array([_chances(sensor, motion.places) for sensor in self.sensors])
        self.by_place = by_place.reshape(len(self.names), len(motion.places))
        self.chance = self.by_place[:, motion.place_of]
        self.miss = np.maximum(1 - self.chance, LEAST_MISS)
        self.every = np.array([_period(sensor) for sensor in self.sensors], np.int64)
        self.is_watch = np.array([isinstance(sensor, Watch) for sensor in self.sensors], np.bool_)
        self._gates: dict[tuple[int, str | None], Floats] = {}
        self.motion = motion

    def factor(self, sensor: int) -> Floats:
        """The chance of being heard by place, beside the place where it is best."""
        chance = self.chance[sensor]
        return np.asarray(chance / max(chance.max(), 1e-300))

    def passing(self, sensor: int, to: str | None) -> Floats:
        """The rates of the moves that a gate sees."""
        found = self._gates.get((sensor, to))
        if found is None:
            gate = self.sensors[sensor]
            assert isinstance(gate, Gate)
            found = self._gates[sensor, to] = self.motion.through(gate, to)
        return found


def _chances(sensor: Sensor, places: list[str]) -> list[float]:
    if isinstance(sensor, Gate):
        return [0.0] * len(places)
    return [sensor.hit if place == sensor.place else sensor.stray.get(place, 0.0) for place in places]


def _period(sensor: Sensor) -> int:
    return duration(sensor.every, "every") if isinstance(sensor, Watch) else 1

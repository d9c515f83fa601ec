"""The numbers of a model that learning changes, as arrays: what is heard where, phases of stays, ways."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sase.belief.world.hearing import Hearing
from sase.belief.world.model import Model
from sase.belief.world.motion import Floats
from sase.belief.world.sensors import Gate, Sensor, Watch
from sase.belief.world.stays import Phase, Stays, duration_text, phases

LEAST_CHANCE = 1e-4  # what is not said to be heard may still be, now and then
MOST_CHANCE = 0.999
PHASES = 3
# Before anything is learned: shares of stays, and how long they are beside the one that the model says.
_FIRST_PHASES = ((0.4, 1 / 20), (0.35, 1 / 2), (0.25, 3.0))


@dataclass(frozen=True)
class Rates:
    chance: Floats  # (sensors, places); of a gate 0
    gates: Floats  # (sensors,): hit; of a Watch 0
    kind_of: NDArray[np.int64]  # by place
    share: Floats  # (kinds, phases)
    stay: Floats  # (kinds, phases), milliseconds
    ways: Floats  # (places, places)

    @property
    def place_of(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.kind_of)), self.share.shape[1])

    @property
    def entry(self) -> Floats:
        return self.share[self.kind_of].ravel()

    def leaving(self, step: int) -> Floats:
        """By hidden state: the chance to leave within one step."""
        stay = self.stay[self.kind_of].ravel()
        gone = 1 - np.exp(-step / stay)
        return np.where(self.ways.sum(axis=1)[self.place_of] > 0, gone, 0.0)

    def transition(self, step: int) -> Floats:
        """From hidden state to hidden state in one step of time."""
        leaving = self.leaving(step)
        into = self.ways[np.ix_(self.place_of, self.place_of)] * self.entry[None, :]
        return np.asarray(leaving[:, None] * into + np.diag(1 - leaving))

    def start(self) -> Floats:
        weight = self.share * self.stay
        resting = (weight / weight.sum(axis=1, keepdims=True))[self.kind_of].ravel()
        return np.asarray(resting / len(self.kind_of))


def rates_of(model: Model, hearing: Hearing) -> Rates:
    kinds = list(model.stays)
    mixed = [_three(phases(model.stays[kind], kind)) for kind in kinds]
    return Rates(
        chance=np.where(hearing.is_watch[:, None], np.clip(hearing.by_place, LEAST_CHANCE, MOST_CHANCE), 0.0),
        gates=np.array([sensor.hit if isinstance(sensor, Gate) else 0.0 for sensor in hearing.sensors]),
        kind_of=np.array([kinds.index(kind) for kind in model.places.values()], np.int64),
        share=np.array([[phase.share for phase in each] for each in mixed]),
        stay=np.array([[float(phase.stay) for phase in each] for each in mixed]),
        ways=hearing.motion.shares,
    )


def spread(rates: Rates) -> Rates:
    """Where all phases of a kind are one, three that can part company while learning."""
    shares, lengths = (np.array(each) for each in zip(*_FIRST_PHASES, strict=True))
    alike = np.ptp(rates.stay, axis=1, keepdims=True) == 0
    return replace(
        rates,
        share=np.where(alike, shares, rates.share),
        stay=np.where(alike, rates.stay * lengths, rates.stay),
    )


def written(rates: Rates, model: Model) -> dict[str, Any]:
    """The rates as the fields of a model."""
    places = list(model.places)
    near = {place: model.adjoining(place) for place in places}
    ways = {
        place: _rounded({to: float(rates.ways[i, places.index(to)]) for to in near[place]})
        for i, place in enumerate(places)
        if near[place]
    }
    stays: dict[str, Stays] = {
        kind: [
            {"share": share, "stay": duration_text(float(stay))}
            for share, stay in zip(_rounded_shares(rates.share[i]), rates.stay[i], strict=True)
        ]
        for i, kind in enumerate(model.stays)
    }
    sensors = {
        name: _sensor(sensor, rates.chance[i], float(rates.gates[i]), places)
        for i, (name, sensor) in enumerate(model.sensors.items())
    }
    return {"sensors": sensors, "stays": stays, "shares": ways}


def _three(given: tuple[Phase, ...]) -> list[Phase]:
    """One that is the same in three parts, unless there are three already."""
    if len(given) >= PHASES:
        return list(given)
    first, *rest = given
    missing = PHASES - len(rest)
    return [Phase(first.share / missing, first.stay)] * missing + rest


def _sensor(sensor: Sensor, chance: Floats, hit: float, places: list[str]) -> Sensor:
    if isinstance(sensor, Gate):
        return replace(sensor, hit=round(hit, 4))
    heard = {place: float(f"{chance[i]:.4g}") for i, place in enumerate(places)}
    own = heard.pop(sensor.place)
    assert isinstance(sensor, Watch)
    return replace(sensor, hit=own, stray=heard)


def _rounded(shares: dict[str, float]) -> dict[str, float]:
    return dict(zip(shares, _rounded_shares(np.array(list(shares.values()))), strict=True))


def _rounded_shares(shares: Floats) -> list[float]:
    """To five digits, and adding up to 1 all the same."""
    digits = [round(float(share), 5) for share in shares / shares.sum()]
    largest = int(np.argmax(digits))
    digits[largest] = round(1 - sum(digits[:largest] + digits[largest + 1 :]), 5)
    return digits

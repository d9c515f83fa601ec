"""What one sighting says about those whom it may concern, as an operator on their distribution.

It is a mixture over whom it is about: with the weight of an entity it does to that entity what the sensor saw
(a Watch multiplies by its chances, a Gate moves what was on one side to the other). A sighting that is not
quite sure is, for the rest, about none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sase.belief.world.motion import Floats

UNCONCERNED = 1e-12  # part of the likelihood below which a sighting is not about somebody
NO_TELLING = 0.5  # a Watch that is no surer of its sighting than this says nothing with it


@dataclass(frozen=True)
class Testimony:
    weights: Mapping[int, float]  # by entity
    stranger: float  # the weight of somebody who is not among the entities
    sure: float
    factor: Floats | None  # of a Watch, over hidden states
    passing: Floats | None  # of a Gate, from hidden state to hidden state
    said: Mapping[int, float]  # how likely what was seen is of each entity, as it was believed
    unsaid: Mapping[int, float]  # and how likely it is that it was not about them

    def on(self, joint: Floats, members: Sequence[int]) -> Floats:
        """The joint distribution of some members times the likelihood; others count as they are believed."""
        others = [e for e in self.weights if e not in members]
        about_others = self.stranger + sum(self.weights[e] * self.said[e] for e in others)
        about: Floats = joint * about_others
        for axis, member in enumerate(members):
            if member in self.weights:
                about = about + self.weights[member] * self.act(joint, axis)
        if self.sure == 1:
            return about
        rest = joint * self.typical * float(np.prod([self.unsaid[e] for e in others]))
        for axis, member in enumerate(members):
            if member in self.weights:
                rest = self._without(rest, axis)
        return self.sure * about + (1 - self.sure) * rest

    def backwards(self) -> Testimony:
        """The same as it acts on what comes after."""
        return self if self.passing is None else replace(self, passing=self.passing.T)

    def act(self, joint: Floats, axis: int) -> Floats:
        """Suppose that it is about this member."""
        if self.factor is not None:
            return joint * _shaped(self.factor, joint, axis)
        assert self.passing is not None
        return along(joint, axis, self.passing)

    @property
    def likelihood(self) -> float:
        """Of what was seen, as everybody was believed to be."""
        return self.stranger + sum(self.weights[e] * self.said[e] for e in self.weights)

    @property
    def concerned(self) -> list[int]:
        least = UNCONCERNED * self.likelihood
        return [e for e, weight in self.weights.items() if weight * self.said[e] > least]

    @property
    def typical(self) -> float:
        total = sum(self.weights.values())
        return sum(weight * weight for weight in self.weights.values()) / total if total else self.stranger

    def _without(self, joint: Floats, axis: int) -> Floats:
        return joint if self.factor is None else joint * _shaped(1 - self.factor, joint, axis)


def weighed(
    believed: Mapping[int, Floats],
    weights: Mapping[int, float],
    stranger: float,
    sure: float,
    factor: Floats | None,
    passing: Floats | None,
) -> Testimony:
    """The evidence beside what is believed of each entity that it may concern."""
    if factor is not None:
        said = {e: float(believed[e] @ factor) for e in weights}
        return Testimony(
            weights, stranger, max(sure, NO_TELLING), factor, None, said, {e: 1 - said[e] for e in weights}
        )
    assert passing is not None
    passing = passing * _scale(believed, weights, passing)
    said = {e: float((believed[e] @ passing).sum()) for e in weights}
    return Testimony(weights, stranger, sure, None, passing, said, dict.fromkeys(weights, 1.0))


def along(joint: Floats, axis: int, matrix: Floats) -> Floats:
    """One member's part of a joint distribution goes through a matrix."""
    return np.moveaxis(np.moveaxis(joint, axis, -1) @ matrix, -1, axis)


def multiplied(joint: Floats, axis: int, factor: Floats) -> Floats:
    return joint * _shaped(factor, joint, axis)


def _shaped(factor: Floats, joint: Floats, axis: int) -> Floats:
    return factor.reshape([-1 if i == axis else 1 for i in range(joint.ndim)])


def _scale(believed: Mapping[int, Floats], weights: Mapping[int, float], passing: Floats) -> float:
    """Rates become likelihoods: who is surely on the near side passes with 1."""
    near = passing.sum(axis=1) > 0
    rate = sum(weight * float((believed[e] @ passing).sum()) for e, weight in weights.items())
    share = sum(weight * float(believed[e][near].sum()) for e, weight in weights.items())
    if rate > 0:
        return share / rate
    return 1 / passing.max() if passing.max() > 0 else 0.0

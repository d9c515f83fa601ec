"""How one moves in time: a Markov process over places and the phases of their stays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sase.belief.world.model import Model
from sase.belief.world.sensors import Gate
from sase.belief.world.stays import phases

Floats = NDArray[np.float64]
_KEPT = 4096  # lengths of time whose transitions are remembered
_TERMS = 14  # of the exponential's series, for a matrix of norm below a half: exact to the last digit


class Motion:
    """`place_of[k]` is the place of the hidden state k; who enters a place draws one of its phases."""

    def __init__(self, model: Model) -> None:
        self.places = list(model.places)
        kinds = {kind: phases(stays, kind) for kind, stays in model.stays.items()}
        mixed = [kinds[model.places[place]] for place in self.places]
        self.place_of = np.repeat(np.arange(len(mixed)), [len(each) for each in mixed])
        self.entry = np.array([phase.share for each in mixed for phase in each])
        self.leave = np.array([1 / phase.stay for each in mixed for phase in each])
        self.shares = _shares(model, self.places)
        self.leave[self.shares.sum(axis=1)[self.place_of] == 0] = 0.0
        self.membership = (self.place_of[:, None] == np.arange(len(mixed))).astype(float)
        self._between: dict[int, Floats] = {}

    @property
    def size(self) -> int:
        return len(self.place_of)

    @property
    def jumps(self) -> Floats:
        """The rates from each hidden state to each other, per millisecond."""
        into: Floats = self.shares[np.ix_(self.place_of, self.place_of)] * self.entry[None, :]
        return self.leave[:, None] * into

    @property
    def resting(self) -> Floats:
        """Of those who are in a place, the share in each phase: long stays are met more often."""
        weight = self.entry / np.where(self.leave > 0, self.leave, 1.0)
        total = np.bincount(self.place_of, weight)[self.place_of]
        return np.asarray(weight / total)

    def between(self, length: int) -> Floats:
        """The probabilities of going from state to state in this time."""
        found = self._between.get(length)
        if found is None:
            if len(self._between) >= _KEPT:
                self._between.clear()
            found = self._between[length] = exponential(self._generator() * length)
        return found

    def through(self, gate: Gate, to: str | None) -> Floats:
        """The rates of the moves that a gate sees; with `to`, only of those that end there."""
        a, b = self.places.index(gate.a), self.places.index(gate.b)
        ways = [(a, b), (b, a)] if to is None else [(a, b) if to == gate.b else (b, a)]
        seen = np.zeros((len(self.places), len(self.places)))
        for way in ways:
            seen[way] = 1.0
        return np.asarray(self.jumps * seen[np.ix_(self.place_of, self.place_of)])

    def hidden(self, over_places: Floats) -> Floats:
        """A distribution over places as one over hidden states."""
        return np.asarray(over_places[..., self.place_of] * self.resting)

    def _generator(self) -> Floats:
        jumps = self.jumps
        return jumps - np.diag(jumps.sum(axis=1))


def exponential(matrix: Floats) -> Floats:
    """Of a generator times a length of time, by scaling and squaring; its rows keep adding up to 1."""
    norm = float(np.abs(matrix).sum(axis=1).max())
    halvings = max(0, int(np.ceil(np.log2(norm))) + 1) if norm > 0 else 0
    small = matrix / 2.0**halvings
    term = result = np.eye(len(matrix))
    for n in range(1, _TERMS):
        term = term @ small / n
        result = result + term
    for _ in range(halvings):
        result = result @ result
        result /= result.sum(axis=1, keepdims=True)
    return np.maximum(result, 0.0)


def _shares(model: Model, places: list[str]) -> Floats:
    """Of those who leave a place, how many go where; unlearned to each adjoining place alike."""
    shares = np.zeros((len(places), len(places)))
    for i, place in enumerate(places):
        near = model.adjoining(place)
        known = model.shares.get(place) or dict.fromkeys(near, 1 / max(len(near), 1))
        for target, share in known.items():
            shares[i, places.index(target)] = share
    return shares

"""One round of learning (Baum-Welch): what probably happened under some rates, and better rates from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sase.belief.learning.rates import LEAST_CHANCE, MOST_CHANCE, Rates
from sase.belief.learning.recording import Heard, Recording
from sase.belief.world.hearing import Hearing
from sase.belief.world.motion import Floats
from sase.belief.world.sensors import Gate
from sase.kernels.chains import backward, forward

# How much is known beforehand: a rate that was hardly seen stays near its default.
_POLLS = 200.0
_STAYS = 5.0
_MOVES = 10.0


@dataclass(frozen=True)
class Expected:
    """What probably happened: hits and polls by sensor and place, moves between states, time in them."""

    likelihood: float
    hits: Floats
    polls: Floats
    moves: Floats
    time: Floats
    passed: Floats  # by sensor: moves that a gate saw


def log_likelihood(recording: Recording, rates: Rates, hearing: Hearing) -> float:
    chain = _Chain(recording, rates, hearing)
    return sum(chain.ahead(heard)[1] for heard in recording.heard)


def expect(recording: Recording, rates: Rates, hearing: Hearing) -> Expected:
    chain = _Chain(recording, rates, hearing)
    places, states = len(rates.kind_of), len(rates.place_of)
    found = Expected(
        0.0,
        np.zeros((len(hearing.names), places)),
        np.zeros((len(hearing.names), places)),
        np.zeros((states, states)),
        np.zeros(states),
        np.zeros(len(hearing.names)),
    )
    total = 0.0
    for heard in recording.heard:
        total += chain.gather(heard, found)
    return replace(found, likelihood=total)


def better(expected: Expected, before: Rates, default: Rates, step: int, hearing: Hearing) -> Rates:
    """The rates that what happened speaks for, held near the defaults as far as little happened."""
    chance = (expected.hits + _POLLS * default.chance) / (expected.polls + _POLLS)
    chance = np.where(hearing.is_watch[:, None], np.clip(chance, LEAST_CHANCE, MOST_CHANCE), 0.0)
    share, stay = _phases(expected, before, default, step)
    return replace(
        before,
        chance=chance,
        gates=_gates(expected, before, default, hearing),
        ways=_ways(expected, before, default),
        share=share,
        stay=stay,
    )


class _Chain:
    """The matrices of one round, and room for the chains of all entities."""

    def __init__(self, recording: Recording, rates: Rates, hearing: Hearing) -> None:
        self._recording, self._rates, self._hearing = recording, rates, hearing
        chance = np.where(hearing.is_watch[:, None], rates.chance, 0.0)
        self._miss = np.log1p(-chance)
        with np.errstate(divide="ignore"):
            self._hit = np.where(hearing.is_watch[:, None], np.log(chance), 0.0)
        self._silence = recording.polls @ self._miss
        transition = rates.transition(recording.step)
        self._kinds = [(i, to) for i in range(len(hearing.names)) for to in _targets(hearing, i)]
        passing = [_through(transition, rates, hearing, i, to) for i, to in self._kinds]
        self._transitions = np.stack([transition, *passing])

    def ahead(self, heard: Heard) -> tuple[Floats, float]:
        emission, lost = self._emission(heard)
        ahead = np.empty((heard.steps, len(self._rates.place_of)))
        scale = np.empty(heard.steps)
        forward(
            self._rates.start(), self._transitions, self._chosen(heard), emission, self._rates.place_of,
            ahead, scale,
        )  # fmt: skip
        return ahead, float(scale.sum()) + lost

    def gather(self, heard: Heard, found: Expected) -> float:
        """Add what probably happened to one entity; its log likelihood."""
        ahead, likelihood = self.ahead(heard)
        moves = np.zeros_like(self._transitions)
        room = np.empty((2, ahead.shape[1]))
        emission, _ = self._emission(heard)
        backward(self._transitions, self._chosen(heard), emission, self._rates.place_of, ahead, room, moves)
        found.moves[:] += moves.sum(axis=0)
        found.time[:] += ahead[:-1].sum(axis=0)
        for kind, (sensor, _) in enumerate(self._kinds, 1):
            found.passed[sensor] += moves[kind].sum()
        self._count(heard, ahead, found)
        return likelihood

    def _count(self, heard: Heard, ahead: Floats, found: Expected) -> None:
        places = len(self._rates.kind_of)
        inside = np.add.reduceat(ahead, np.arange(0, ahead.shape[1], ahead.shape[1] // places), axis=1)
        steps, sensors, often = heard.hits.T
        polls = self._polls(heard).copy()
        polls[steps, sensors] = np.maximum(polls[steps, sensors], often)
        found.polls[:] += polls.T @ inside
        np.add.at(found.hits, sensors, inside[steps] * often[:, None])

    def _polls(self, heard: Heard) -> Floats:
        return self._recording.polls[heard.first : heard.first + heard.steps]

    def _emission(self, heard: Heard) -> tuple[Floats, float]:
        """How likely what was heard is, by step and place, beside the likeliest place; the log of that."""
        logs = self._silence[heard.first : heard.first + heard.steps].copy()
        steps, sensors, often = heard.hits.T
        undone = np.minimum(self._polls(heard)[steps, sensors], often)
        np.add.at(logs, steps, self._hit[sensors] * often[:, None] - self._miss[sensors] * undone[:, None])
        most = logs.max(axis=1, keepdims=True)
        return np.exp(logs - most), float(most.sum())

    def _chosen(self, heard: Heard) -> NDArray[np.int64]:
        chosen = np.zeros(heard.steps, np.int64)
        for step, gate, to in heard.passed:
            chosen[step] = 1 + self._kinds.index((self._hearing.number[gate], to))
        return chosen


def _targets(hearing: Hearing, sensor: int) -> Sequence[str | None]:
    gate = hearing.sensors[sensor]
    return [gate.a, gate.b, None] if isinstance(gate, Gate) else []


def _through(transition: Floats, rates: Rates, hearing: Hearing, sensor: int, to: str | None) -> Floats:
    """The moves that a gate saw."""
    gate = hearing.sensors[sensor]
    assert isinstance(gate, Gate)
    ends = [hearing.motion.places.index(gate.a), hearing.motion.places.index(gate.b)]
    target = ends if to is None else [hearing.motion.places.index(to)]
    place = rates.place_of
    seen = (
        np.isin(place[:, None], ends) & np.isin(place[None, :], target) & (place[:, None] != place[None, :])
    )
    return np.asarray(transition * seen * max(gate.hit, LEAST_CHANCE))


def _gates(expected: Expected, before: Rates, default: Rates, hearing: Hearing) -> Floats:
    """Of the moves between its two places, how many a gate saw."""
    found = default.gates.copy()
    for i, gate in enumerate(hearing.sensors):
        if isinstance(gate, Gate):
            a, b = (before.place_of == hearing.motion.places.index(end) for end in (gate.a, gate.b))
            all_moves = expected.moves[np.ix_(a, b)].sum() + expected.moves[np.ix_(b, a)].sum()
            found[i] = (expected.passed[i] + _POLLS * default.gates[i]) / (all_moves + _POLLS)
    return np.clip(found, 0.0, 1.0)


def _ways(expected: Expected, before: Rates, default: Rates) -> Floats:
    places = len(before.kind_of)
    membership = (before.place_of[:, None] == np.arange(places)).astype(float)
    went = membership.T @ expected.moves @ membership
    np.fill_diagonal(went, 0.0)
    went = (went + _MOVES * default.ways) * (default.ways > 0)
    total = went.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(went, total, out=np.zeros_like(went), where=total > 0))


def _phases(expected: Expected, before: Rates, default: Rates, step: int) -> tuple[Floats, Floats]:
    """By kind of place: how often a stay is of each phase, and how long it is then."""
    place, phases = before.place_of, before.share.shape[1]
    stayed = np.diag(expected.moves)
    between = expected.moves - np.diag(stayed)
    kind, phase = before.kind_of[place], np.tile(np.arange(phases), len(before.kind_of))
    left, time, entered = (np.zeros_like(before.share) for _ in range(3))
    np.add.at(left, (kind, phase), between.sum(axis=1))
    np.add.at(time, (kind, phase), expected.time)
    np.add.at(entered, (kind, phase), between.sum(axis=0))
    usual = 1 - np.exp(-step / default.stay)
    leaving = np.clip((left + _STAYS) / (time + _STAYS / usual), 1e-9, 1 - 1e-6)
    share = entered + _STAYS * default.share
    return share / share.sum(axis=1, keepdims=True), -step / np.log1p(-leaving)

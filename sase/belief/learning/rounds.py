"""Learns a model's rates from a recording without labels, by rounds of counting what probably happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sase.belief.learning.expectation import better, expect, log_likelihood
from sase.belief.learning.findings import findings
from sase.belief.learning.rates import rates_of, spread, written
from sase.belief.learning.recording import Recording, name_of, read, recording
from sase.belief.sightings.reading import Sighting
from sase.belief.world.hearing import Hearing
from sase.belief.world.hours import habits
from sase.belief.world.model import Model
from sase.belief.world.motion import Motion

HELD_BACK = 0.2  # the last part of the recording, by time
ROUNDS = 30
ENOUGH = 1e-5  # of the likelihood: what a round must bring for another to follow

Signs = Iterable[tuple[int, str]]


def learn(sightings: Any, model: Model, alive: Signs = ()) -> Model:
    """The model with rates that fit a recording; `alive` are signs of life beside it: times and sensors.

    `learned` of what comes back holds the log likelihoods, before and after, of the part that was learned
    from and of the last fifth, which was held back, and in words what changed.
    """
    seen, signs = read(sightings, model), _signs(alive, model)
    if not any(name_of(sighting) for sighting in seen):
        raise ValueError("learn: no sighting names an entity; there is nothing to learn from")
    cut = seen[0].ts + round((seen[-1].ts - seen[0].ts) * (1 - HELD_BACK))
    known = _recording([sighting for sighting in seen if sighting.ts <= cut], signs, model)
    held = _recording([sighting for sighting in seen if sighting.ts > cut], signs, model)
    found = _fitted(known, model)
    found = found if _likelihood(known, found) > _likelihood(known, model) else model
    found = replace(found, hours=habits((name, each.ts) for each in seen if (name := name_of(each))))
    figures = {
        "learned from": {"before": _likelihood(known, model), "after": _likelihood(known, found)},
        "held back": {"before": _likelihood(held, model), "after": _likelihood(held, found)},
    }
    return replace(found, learned={"log likelihood": figures, "changed": findings(model, found)})


def likelihood(sightings: Any, model: Model, alive: Signs = ()) -> float:
    """The log likelihood of a recording, of every entity from its first to its last sighting."""
    return _likelihood(_recording(read(sightings, model), _signs(alive, model), model), model)


def _signs(alive: Signs, model: Model) -> list[tuple[int, str]]:
    signs = list(alive)
    for _, sensor in signs:
        model.sensor(sensor, "alive")
    return signs


def _recording(seen: Sequence[Sighting], signs: Signs, model: Model) -> Recording:
    return recording(seen, signs, Hearing(model, Motion(model)))


def _likelihood(recorded: Recording, model: Model) -> float:
    hearing = Hearing(model, Motion(model))
    return round(log_likelihood(recorded, rates_of(model, hearing), hearing), 6)


def _fitted(known: Recording, model: Model) -> Model:
    """Rounds of learning, as long as one brings enough."""
    hearing = Hearing(model, Motion(model))
    default = spread(rates_of(model, hearing))
    best = rates = default
    highest: float | None = None
    for _ in range(ROUNDS):
        expected = expect(known, rates, hearing)
        if highest is not None and expected.likelihood <= highest + ENOUGH * abs(highest):
            break
        best, highest = rates, expected.likelihood
        rates = better(expected, rates, default, known.step, hearing)
    return replace(model, **written(best, model))

"""Puts what was seen, or that a sensor works, or that time has passed, into a belief."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sase.belief.filters.belief import Belief
from sase.belief.sightings.reading import Sighting
from sase.belief.world.hours import Hours


@dataclass(frozen=True, slots=True)
class Sign:
    """The sensor was working then; without one, only time has passed."""

    ts: int
    sensor: str | None


Entry = Sighting | Sign


class BeliefIntake:
    def __init__(self, names: Sequence[str], hours: Hours) -> None:
        self.number: Mapping[str, int] = {name: i for i, name in enumerate(names)}
        self._hours = hours

    def take(self, belief: Belief, entry: Entry) -> None:
        belief.advance(entry.ts)
        if isinstance(entry, Sighting):
            self._see(belief, entry)
        elif entry.sensor is not None:
            belief.work(belief.hearing.number[entry.sensor], entry.ts)

    def _see(self, belief: Belief, entry: Sighting) -> None:
        sensor = belief.hearing.number[entry.sensor]
        weights, stranger = self.weights(entry)
        names = entry.who is not None and list(weights.values()) == [1.0]
        if names and entry.sure == 1 and belief.hearing.is_watch[sensor]:
            working = belief.answer(sensor, entry.ts)
            if not belief.heard(sensor, next(iter(weights)), entry.ts, working):
                return  # several readings of one poll are one piece of evidence
        else:
            belief.vouch(sensor, entry.ts)
        belief.see(sensor, entry.to, weights, stranger, entry.sure, names)

    def weights(self, entry: Sighting) -> tuple[dict[int, float], float]:
        """Whom it may be about: those named, and others as they come at this hour; the rest is a stranger."""
        named = {self.number[name]: share for name, share in (entry.who or {}).items() if share > 0}
        rest = 1 - sum(named.values())
        others = [e for e in range(len(self.number)) if e not in named] if rest > 1e-12 else []
        if not others:
            return named, max(rest, 0.0)
        usual = self._hours.at(entry.ts, others)
        return named | {e: rest * share for e, share in zip(others, usual, strict=True)}, 0.0

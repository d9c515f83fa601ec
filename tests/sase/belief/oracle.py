"""The definition, by brute force: every path of everybody through the places, with its probability.

It shares no code with the library but the description of the model.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from sase import belief
from sase.language.duration import milliseconds

Where = tuple[int, ...]


class World:
    def __init__(self, model: belief.Model, entities: list[str], start: dict[str, dict[str, float]]) -> None:
        self.model, self.entities = model, entities
        self.places = list(model.places)
        self._start = [[start[name].get(place, 0.0) for place in self.places] for name in entities]
        self._rates = np.zeros((len(self.places), len(self.places)))
        for i, place in enumerate(self.places):
            stay = milliseconds(str(model.stays[model.places[place]]))
            for near in model.adjoining(place):
                self._rates[i, self.places.index(near)] = 1 / stay / len(model.adjoining(place))

    def after(self, events: list[dict[str, Any]]) -> list[dict[Where, float]]:
        """Where everybody was right after each of the events, given all of them."""
        found: list[dict[Where, float]] = [defaultdict(float) for _ in events]
        for path, weight in self._paths(events):
            for each, where in zip(found, path, strict=True):
                each[where] += weight
        total = sum(found[0].values())
        return [{where: weight / total for where, weight in each.items()} for each in found]

    def _paths(self, events: list[dict[str, Any]]) -> Iterator[tuple[list[Where], float]]:
        everywhere = list(product(range(len(self.places)), repeat=len(self.entities)))
        steps = [self._steps(events, i) for i in range(1, len(events))]
        for before in product(everywhere, repeat=len(events)):
            weight = float(np.prod([self._start[e][x] for e, x in enumerate(before[0])]))
            yield from self._seen(events, before, steps, 0, [], weight)

    def _seen(
        self, events: Any, before: Any, steps: Any, i: int, path: list[Where], weight: float
    ) -> Iterator[tuple[list[Where], float]]:
        """All that may follow the i-th event, from where everybody is right before it."""
        if weight == 0:
            return
        for where, likely in self._event(events[i], before[i]):
            if i + 1 == len(events):
                yield [*path, where], weight * likely
                continue
            moved = float(np.prod([steps[i][x, y] for x, y in zip(where, before[i + 1], strict=True)]))
            yield from self._seen(events, before, steps, i + 1, [*path, where], weight * likely * moved)

    def _event(self, event: dict[str, Any], where: Where) -> Iterator[tuple[Where, float]]:
        sensor = self.model.sensors[event["sensor"]]
        if isinstance(sensor, belief.Gate):
            yield from self._passed(event, sensor, where)
        elif event.get("alive"):
            yield where, float(np.prod([1 - self._chance(sensor, x) for x in where]))
        else:
            best = max(self._chance(sensor, x) for x in range(len(self.places)))
            heard = [self._chance(sensor, x) / best for x in where]
            sure, whom = event.get("sure", 1.0), self._whom(event)
            said = sum(share * heard[e] for e, share in whom.items())
            typical = sum(share**2 for share in whom.values())
            unsaid = float(np.prod([1 - heard[e] for e in whom]))
            yield where, sure * said + (1 - sure) * typical * unsaid

    def _passed(
        self, event: dict[str, Any], gate: belief.Gate, where: Where
    ) -> Iterator[tuple[Where, float]]:
        a, b = self.places.index(gate.a), self.places.index(gate.b)
        for e, share in self._whom(event).items():
            for here, there in ((a, b), (b, a)):
                if where[e] == here and event.get("to") in (None, self.places[there]):
                    yield (*where[:e], there, *where[e + 1 :]), share * self._rates[here, there]

    def _whom(self, event: dict[str, Any]) -> dict[int, float]:
        named = event.get("entities") or ({event["entity"]: 1.0} if "entity" in event else {})
        rest = 1 - sum(named.values())
        others = [name for name in self.entities if name not in named]
        shares = named | {name: rest / len(others) for name in others if rest > 1e-12}
        return {self.entities.index(name): share for name, share in shares.items()}

    def _chance(self, watch: belief.Watch, place: int) -> float:
        name = self.places[place]
        return watch.hit if name == watch.place else watch.stray.get(name, 0.0)

    def _steps(self, events: list[dict[str, Any]], i: int) -> np.ndarray:
        """A million little steps: what exponentials are made of."""
        generator = self._rates - np.diag(self._rates.sum(axis=1))
        length = events[i]["ts"] - events[i - 1]["ts"]
        return np.linalg.matrix_power(np.eye(len(self.places)) + generator * length / 2**24, 2**24)

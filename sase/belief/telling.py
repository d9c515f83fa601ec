"""Changes as events: who came where and who left, each with its probability given what was told before.

Beside what is believed it keeps what would be believed if all that was told were true. Probabilities are
taken from there: the doubt in one event is not told again with the next, and products are joint probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sase.belief.hearing import Hearing
from sase.belief.motion import Floats, Motion
from sase.belief.steps import Passed, Step, Surprise, Unheard

LEAST_PROB = 1e-6  # what was told before can make an event unlikely, but the event is there


@dataclass(frozen=True)
class Change:
    """At `ts` this entity came to a place, or left it."""

    entered: bool
    ts: int
    entity: int
    place: int
    prob: float

    def event(self, name: str, place: str, attributes: dict[str, Any]) -> dict[str, Any]:
        kind = "ENTERED" if self.entered else "LEFT"
        said = {"event": kind, "ts": self.ts, "entity": name, "place": place, "prob": self.prob}
        return {**attributes, **said}


class Telling:
    """What was told so far; `given` are the beliefs if that is true."""

    def __init__(self, motion: Motion, hearing: Hearing, start: Floats, above: float, below: float) -> None:
        self._motion, self._hearing = motion, hearing
        self.above, self.below = above, below
        self.given = start.copy()
        self.told = (start @ motion.membership) >= above  # where one begins is no change

    def follow(self, steps: Sequence[Step]) -> None:
        """The same is done to what would be believed as to what is."""
        for step in steps:
            if isinstance(step, Passed):
                self.given = self.given @ self._motion.between(step.until - step.since)
            elif isinstance(step, Unheard):
                rows = np.flatnonzero(step.polls)
                self.given[rows] *= self._hearing.miss[step.sensor] ** step.polls[rows, None]
            elif isinstance(step, Surprise):
                rest = (1 - step.sure) * self.given[step.entity]
                self.given[step.entity] = step.sure * step.told + rest
            else:
                for e in step.weights:
                    self.given[e] = step.on(self.given[e], [e])

    def changes(self, believed: Floats, ts: int) -> list[Change]:
        """What rose above or fell below, given each entity's distribution over hidden states."""
        self._mend(believed)
        chances = believed @ self._motion.membership
        left = [self._tell(False, ts, e, x) for e, x in np.argwhere(self.told & (chances < self.below))]
        came = [self._tell(True, ts, e, x) for e, x in np.argwhere(~self.told & (chances >= self.above))]
        return left + came

    def _mend(self, believed: Floats) -> None:
        """Where what was told has been refuted, begin anew with what is believed."""
        total = self.given.sum(axis=1, keepdims=True)
        good = total[:, 0] > 1e-200
        self.given = np.where(good[:, None], self.given / np.where(total > 0, total, 1.0), believed)

    def _tell(self, entered: bool, ts: int, entity: int, place: int) -> Change:
        there = self._motion.membership[:, place]
        kept = self.given[entity] * (there if entered else 1 - there)
        prob = float(min(max(kept.sum(), LEAST_PROB), 1.0))
        if kept.sum() > 0:
            self.given[entity] = kept / kept.sum()
        self.told[entity, place] = entered
        return Change(entered, ts, int(entity), int(place), prob)

"""Changes as events: who came where and who left, each with its probability given what was told before.

Beside what is believed it keeps what would be believed if all that was told were true. Probabilities are
taken from there: the doubt in one event is not told again with the next, and products are joint
probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sase.belief.filters.belief import Tie
from sase.belief.filters.steps import Passed, Step, Surprise, Unheard
from sase.belief.filters.testimony import Testimony, along, multiplied
from sase.belief.world.hearing import Hearing
from sase.belief.world.motion import Floats, Motion

LEAST_MASS = 1e-200  # of a belief; with less, what it supposes is refuted
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
    """What was told so far; `given` is believed if that is true, `tied` of those who depend on others."""

    def __init__(self, motion: Motion, hearing: Hearing, start: Floats, above: float, below: float) -> None:
        self._motion, self._hearing = motion, hearing
        self.above, self.below = above, below
        self.given = start.copy()
        self.tied: dict[int, Tie] = {}
        self.told = (start @ motion.membership) >= above  # where one begins is no change

    def follow(self, steps: Sequence[Step]) -> None:
        """The same is done to what would be believed as to what is."""
        for step in steps:
            for tie in self.tied.values():
                tie.joint = self._after(step, tie)
            if isinstance(step, Passed):
                self.given = self.given @ self._motion.between(step.until - step.since)
            elif isinstance(step, Unheard):
                rows = np.flatnonzero(step.polls)
                self.given[rows] *= self._hearing.miss[step.sensor] ** step.polls[rows, None]
            elif isinstance(step, Surprise):
                rest = (1 - step.sure) * self.given[step.entity]
                self.given[step.entity] = step.sure * step.told + rest
                self.tied.pop(step.entity, None)
            else:
                for e in step.weights:
                    self.given[e] = step.on(self.given[e], [e])

    def changes(self, believed: Floats, ties: Sequence[Tie], ts: int) -> list[Change]:
        """What rose above or fell below, by each entity's distribution and the joint ones."""
        self._mend(believed, ties)
        chances = believed @ self._motion.membership
        gone, new = self.told & (chances < self.below), ~self.told & (chances >= self.above)
        # The doubt is told with where it came to, so that a query that asks for that alone hears of it.
        came = [self._tell(True, ts, int(e), int(x), ties) for e, x in np.argwhere(new)]
        left = [self._tell(False, ts, int(e), int(x), ties) for e, x in np.argwhere(gone)]
        return left + came

    def _after(self, step: Step, tie: Tie) -> Floats:
        """What a step makes of a joint distribution."""
        joint = tie.joint
        for axis, member in enumerate(tie.members):
            if isinstance(step, Passed):
                joint = along(joint, axis, self._motion.between(step.until - step.since))
            elif isinstance(step, Unheard) and step.polls[member]:
                joint = multiplied(joint, axis, self._hearing.miss[step.sensor] ** step.polls[member])
        return step.on(joint, tie.members) if isinstance(step, Testimony) else joint

    def _mend(self, believed: Floats, ties: Sequence[Tie]) -> None:
        """Where what was told has been refuted, begin anew with what is believed."""
        depending = {member for tie in ties for member in tie.members}
        for e, tie in list(self.tied.items()):
            total = tie.joint.sum()
            if total > LEAST_MASS:
                tie.joint = tie.joint / total
                self.given[e] = tie.marginal(e)
            if total <= LEAST_MASS or e not in depending:
                del self.tied[e]
        total = self.given.sum(axis=1, keepdims=True)
        good = total > LEAST_MASS
        self.given = np.where(good, self.given / np.where(good, total, 1.0), believed)

    def _tell(self, entered: bool, ts: int, entity: int, place: int, ties: Sequence[Tie]) -> Change:
        there = self._motion.membership[:, place]
        fits = there if entered else 1 - there
        prob = float(self.given[entity] @ fits)
        if prob > 0:
            self.given[entity] = self.given[entity] * fits / prob
            self._condition(entity, fits, ties)
        self.told[entity, place] = entered
        return Change(entered, ts, entity, place, min(max(prob, LEAST_PROB), 1.0))

    def _condition(self, entity: int, fits: Floats, ties: Sequence[Tie]) -> None:
        """Who depends on others says something about them, too, when something is told of it."""
        tie = self.tied.get(entity) or next((tie for tie in ties if entity in tie.members), None)
        if tie is not None:
            joint = multiplied(tie.joint, tie.members.index(entity), fits)
            if joint.sum() > LEAST_MASS:
                self.tied[entity] = Tie(tie.members, joint / joint.sum())

"""What is believed at one moment: a distribution for each entity, a joint one for those who are tied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sase.belief.filters.steps import Passed, Step, Surprise, Unheard
from sase.belief.filters.testimony import Testimony, along, multiplied, weighed
from sase.belief.world.hearing import Hearing
from sase.belief.world.motion import Floats, Motion

CELLS = 100_000  # of a joint distribution that is kept exactly
INDEPENDENT = 1e-13  # by so much at most a joint distribution may differ from a product that takes its place
NEVER = -(2**63)
LONGEST_GAP = 10  # polls between two signs of life over which a sensor counts as working


@dataclass(eq=False)
class Tie:
    """Entities that depend on each other; an axis each."""

    members: tuple[int, ...]
    joint: Floats

    def marginal(self, member: int) -> Floats:
        axis = self.members.index(member)
        return np.asarray(self.joint.sum(axis=tuple(i for i in range(self.joint.ndim) if i != axis)))


class Belief:
    """A function of what was seen so far; `steps` collects what was done to it, for whoever wants to know."""

    def __init__(self, motion: Motion, hearing: Hearing, start: Floats) -> None:
        self.motion, self.hearing = motion, hearing
        self.clock: int | None = None
        self.alone = start
        self.ties: list[Tie] = []
        self.approximate = False
        self.signs = np.full(len(hearing.names), NEVER, np.int64)
        self.quiet = np.zeros((len(start), len(hearing.names)), np.int64)  # ms of silence since last heard
        self.heard_at = np.full_like(self.quiet, NEVER)
        self.steps: list[Step] = []

    def __len__(self) -> int:
        return len(self.alone)

    def copied(self) -> Belief:
        """One of its own, which goes on without changing this one."""
        other = copy(self)
        other.alone, other.signs, other.quiet = self.alone.copy(), self.signs.copy(), self.quiet.copy()
        other.heard_at = self.heard_at.copy()
        other.ties = [Tie(tie.members, tie.joint) for tie in self.ties]
        other.steps = []
        return other

    def marginals(self) -> Floats:
        """Each entity's distribution over hidden states."""
        result = self.alone.copy()
        for tie in self.ties:
            for member in tie.members:
                result[member] = tie.marginal(member)
        return result

    def marginal(self, entity: int) -> Floats:
        tie = self.tie_of(entity)
        return tie.marginal(entity) if tie else self.alone[entity]

    def tie_of(self, entity: int) -> Tie | None:
        return next((tie for tie in self.ties if entity in tie.members), None)

    def advance(self, ts: int) -> None:
        """Time has passed."""
        if self.clock is not None and ts > self.clock:
            transition = self.motion.between(ts - self.clock)
            self.alone = self.alone @ transition
            for tie in self.ties:
                for axis in range(len(tie.members)):
                    tie.joint = along(tie.joint, axis, transition)
            self.steps.append(Passed(self.clock, ts))
        self.clock = ts

    def work(self, sensor: int, ts: int) -> None:
        """It was said to work: since its last sign of life if that is not long ago, else for one poll."""
        every = int(self.hearing.every[sensor])
        since = ts - int(self.signs[sensor]) if self.signs[sensor] != NEVER else LONGEST_GAP * every + 1
        self.signs[sensor] = ts
        self._quiet_for(sensor, since if since <= LONGEST_GAP * every else every)

    def answer(self, sensor: int, ts: int) -> bool:
        """A sighting is a sign of life too, if such are told of the sensor; whether it worked up to now."""
        last, every = int(self.signs[sensor]), int(self.hearing.every[sensor])
        if last == NEVER:
            return False
        self.signs[sensor] = ts
        working = ts - last <= LONGEST_GAP * every
        if working:
            self._quiet_for(sensor, ts - last)
        return working

    def vouch(self, sensor: int, ts: int) -> None:
        """A sighting that may be about anybody is a sign of life, but passes nobody over in silence."""
        if self.signs[sensor] != NEVER:
            self.signs[sensor] = ts

    def _quiet_for(self, sensor: int, length: int) -> None:
        """Who has not been heard for one more poll may not be there."""
        if length and self.hearing.is_watch[sensor]:
            before = self.quiet[:, sensor] // self.hearing.every[sensor]
            self.quiet[:, sensor] += length
            self._silence(sensor, self.quiet[:, sensor] // self.hearing.every[sensor] - before)

    def heard(self, sensor: int, entity: int, ts: int, working: bool) -> bool:
        """Whether a poll heard it that had not before; that poll no longer counts as silent about it."""
        every, quiet = int(self.hearing.every[sensor]), int(self.quiet[entity, sensor])
        last, self.heard_at[entity, sensor] = int(self.heard_at[entity, sensor]), ts
        self.quiet[entity, sensor] = 0
        if working:
            polls = np.zeros(len(self), np.int64)
            polls[entity] = max((quiet + every // 2) // every - 1, 0) - quiet // every
            self._silence(sensor, polls)
        return last == NEVER or 2 * (ts - last) >= every

    def see(
        self,
        sensor: int,
        to: str | None,
        weights: Mapping[int, float],
        stranger: float,
        sure: float,
        names: bool,
    ) -> None:
        """A sighting now. One that names its entity and could not be is believed all the same."""
        watch = self.hearing.is_watch[sensor]
        factor = self.hearing.factor(sensor) if watch else None
        passing = None if watch else self.hearing.passing(sensor, to)
        believed = {e: self.marginal(e) for e in weights}
        testimony = weighed(believed, weights, stranger, sure, factor, passing)
        if testimony.likelihood > 0:
            self._apply(testimony, testimony.concerned)
        elif names:
            self._place(next(iter(weights)), self._heard_from(sensor, passing), sure)

    def _silence(self, sensor: int, polls: NDArray[np.int64]) -> None:
        rows = np.flatnonzero(polls)
        if not len(rows):
            return
        miss = self.hearing.miss[sensor]
        self.alone[rows] = _normal(self.alone[rows] * miss ** polls[rows, None])
        for tie in self.ties:
            for axis, member in enumerate(tie.members):
                if polls[member]:
                    tie.joint = multiplied(tie.joint, axis, miss ** polls[member])
            tie.joint = tie.joint / tie.joint.sum()
        self.steps.append(Unheard(sensor, polls))

    def _apply(self, testimony: Testimony, concerned: Sequence[int]) -> None:
        self.steps.append(testimony)
        units = self._units(concerned)
        size = sum(len(unit.members) for unit in units)
        if size > 1 and float(self.motion.size) ** size <= CELLS:
            units = [self._merged(units)]
        elif len(units) > 1:
            self.approximate = True
        done = [Tie(unit.members, testimony.on(unit.joint, unit.members)) for unit in units]
        for unit in done:
            unit.joint = unit.joint / unit.joint.sum()
            self._keep(unit)

    def _units(self, concerned: Iterable[int]) -> list[Tie]:
        """Those concerned, with whomever they are tied to; they are out of the ties until they are kept."""
        units = [tie for tie in self.ties if set(tie.members) & set(concerned)]
        self.ties = [tie for tie in self.ties if tie not in units]
        tied = {member for unit in units for member in unit.members}
        return units + [Tie((e,), self.alone[e]) for e in concerned if e not in tied]

    def _merged(self, units: Sequence[Tie]) -> Tie:
        joint = units[0].joint
        for unit in units[1:]:
            joint = np.multiply.outer(joint, unit.joint)
        return Tie(tuple(member for unit in units for member in unit.members), joint)

    def _keep(self, unit: Tie) -> None:
        """As a tie, or apart where the members have become independent of each other."""
        for member in unit.members:
            if len(unit.members) == 1:
                break
            axis = unit.members.index(member)
            rest = unit.joint.sum(axis=axis)
            product = np.expand_dims(rest, axis) * unit.marginal(member).reshape(
                [-1 if i == axis else 1 for i in range(unit.joint.ndim)]
            )
            if np.abs(unit.joint - product).max() < INDEPENDENT:
                self.alone[member] = unit.marginal(member)
                unit = Tie(tuple(other for other in unit.members if other != member), rest)
        if len(unit.members) == 1:
            self.alone[unit.members[0]] = unit.joint
        else:
            self.ties.append(unit)

    def _heard_from(self, sensor: int, passing: Floats | None) -> Floats:
        """How well a Watch hears each place; of a gate where its moves end, whatever their rates."""
        if passing is None:
            return np.asarray(self.hearing.by_place[sensor])
        return np.asarray(passing.sum(axis=0) @ self.motion.membership > 0, float)

    def _place(self, entity: int, over_places: Floats, sure: float) -> None:
        """What could not be was seen: as far as the sighting is sure it is so, and for the rest as it was."""
        if not over_places.any():
            return
        told = self.motion.hidden(over_places / over_places.sum())
        (unit,) = self._units([entity])
        axis = unit.members.index(entity)
        rest = np.expand_dims(unit.joint.sum(axis=axis), axis)
        seen = rest * told.reshape([-1 if i == axis else 1 for i in range(unit.joint.ndim)])
        self._keep(Tie(unit.members, sure * seen + (1 - sure) * unit.joint))
        self.steps.append(Surprise(entity, told, sure))


def _normal(rows: Floats) -> Floats:
    return np.asarray(rows / rows.sum(axis=1, keepdims=True))

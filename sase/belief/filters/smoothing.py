"""Where somebody was, with all that was seen since: backwards over the steps from now to that moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sase.belief.filters.belief import CELLS, Belief
from sase.belief.filters.steps import Passed, Step, Surprise, Unheard
from sase.belief.filters.testimony import Testimony, along, multiplied
from sase.belief.world.motion import Floats


def smoothed(then: Belief, steps: Sequence[Step], entity: int) -> Floats:
    """The distribution over hidden states at the moment of `then`; the steps are those that came after it."""
    members = _concerned(then, steps, entity)
    if float(then.motion.size) ** len(members) > CELLS:
        members = [entity]
    later = np.ones([then.motion.size] * len(members))
    for step in reversed(steps):
        later = _before(then, step, later, members)
        later = later / later.max()
    result = _joint(then, members) * later
    result = result.sum(axis=tuple(range(1, result.ndim)))
    return np.asarray(result / result.sum())


def _concerned(then: Belief, steps: Sequence[Step], entity: int) -> list[int]:
    """The entity first, and all whom something ties to it, at that moment or since."""
    groups = [set(tie.members) for tie in then.ties]
    groups += [set(step.concerned) for step in steps if isinstance(step, Testimony)]
    found, grown = {entity}, True
    while grown:
        wider = found.union(*(group for group in groups if group & found))
        found, grown = wider, wider != found
    return [entity, *sorted(found - {entity})]


def _before(then: Belief, step: Step, later: Floats, members: Sequence[int]) -> Floats:
    """How likely everything from this step on is, by where the members were before it."""
    if isinstance(step, Passed):
        back = then.motion.between(step.until - step.since).T
        for axis in range(len(members)):
            later = along(later, axis, back)
        return later
    if isinstance(step, Unheard):
        for axis, member in enumerate(members):
            if step.polls[member]:
                later = multiplied(later, axis, then.hearing.miss[step.sensor] ** step.polls[member])
        return later
    if isinstance(step, Surprise):
        return _before_surprise(step, later, members)
    return step.backwards().on(later, members)


def _before_surprise(step: Surprise, later: Floats, members: Sequence[int]) -> Floats:
    if step.entity not in members:
        return later
    axis = members.index(step.entity)
    seen = np.expand_dims(multiplied(later, axis, step.told).sum(axis=axis), axis)
    return step.sure * np.broadcast_to(seen, later.shape) + (1 - step.sure) * later


def _joint(belief: Belief, members: Sequence[int]) -> Floats:
    """The members' joint distribution over hidden states, in their order."""
    result, found = np.ones(()), list[int]()
    for tie in belief.ties:
        here = [e for e in tie.members if e in members]
        if here:
            part = tie.joint.sum(axis=tuple(i for i, e in enumerate(tie.members) if e not in here))
            result = np.multiply.outer(result, part)
            found += here
    for e in members:
        if e not in found:
            result = np.multiply.outer(result, belief.alone[e])
            found.append(e)
    return np.transpose(result, [found.index(e) for e in members])

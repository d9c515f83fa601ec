"""The questions of the report (4.2) by marginalising and expectation: where, who, how many, together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heappop, heappush
from typing import TypeVar

import numpy as np

from sase.belief.answers.counting import Count, count, number_of, together
from sase.belief.filters.belief import Belief, Tie
from sase.belief.world.motion import Floats

Key = TypeVar("Key", bound=Hashable)
NEGLIGIBLE = 1e-12  # what is less likely is left out of an answer


class Shares(dict[Key, float]):
    """Probabilities, the likeliest first; what is possible and not in it has probability 0."""

    def __init__(self, found: Iterable[tuple[Key, float]], possible: Iterable[Key]) -> None:
        super().__init__(found)
        self._possible = possible

    def __missing__(self, key: Key) -> float:
        if key in self._possible:
            return 0.0
        raise KeyError(key)


def over_places(belief: Belief, hidden: Floats) -> Floats:
    return np.asarray(hidden @ belief.motion.membership)


def shares(names: Sequence[str], chances: Floats) -> Shares[str]:
    found = np.flatnonzero(chances > NEGLIGIBLE)
    order = found[np.argsort(-chances[found], kind="stable")]
    return Shares(zip([names[i] for i in order.tolist()], chances[order].tolist(), strict=True), names)


def joint(belief: Belief, entities: Sequence[int]) -> Floats:
    """The distribution over the places of several entities; an axis each."""
    wanted = list(entities)
    result, found = np.ones(()), list[int]()
    for tie in belief.ties:
        members = [e for e in tie.members if e in wanted]
        if members:
            result = np.multiply.outer(result, _of_tie(belief, tie, members))
            found += members
    for e in wanted:
        if e not in found:
            result = np.multiply.outer(result, over_places(belief, belief.alone[e]))
            found.append(e)
    return np.transpose(result, [found.index(e) for e in wanted])


def _of_tie(belief: Belief, tie: Tie, members: Sequence[int]) -> Floats:
    part = tie.joint.sum(axis=tuple(i for i, e in enumerate(tie.members) if e not in members))
    for axis in range(part.ndim):
        part = np.moveaxis(np.moveaxis(part, axis, -1) @ belief.motion.membership, -1, axis)
    return np.asarray(part)


def chances_in(belief: Belief, places: Sequence[int]) -> Floats:
    """Of each entity, that it is in one of some places."""
    there = _there(belief, places)
    chances: Floats = np.asarray(belief.alone @ there.astype(belief.alone.dtype), float)
    for tie in belief.ties:
        for member in tie.members:
            chances[member] = tie.marginal(member) @ there
    return np.asarray(np.minimum(chances, 1.0))


def how_many(belief: Belief, places: Sequence[int]) -> Count:
    chances = chances_in(belief, places)
    tied = {member for tie in belief.ties for member in tie.members}
    apart = np.delete(chances, list(tied)) if tied else chances
    distribution = number_of(apart)
    for tie in belief.ties:
        inside = _inside(belief, tie, places)
        numbers = np.indices(inside.shape).sum(axis=0)
        distribution = together(distribution, np.bincount(numbers.ravel(), inside.ravel()).astype(float))
    return count(distribution)


def who(belief: Belief, place: int, top: int) -> list[tuple[set[int], float]]:
    """The likeliest sets of those who are in a place."""
    tied = {member for tie in belief.ties for member in tie.members}
    chances = chances_in(belief, [place])
    best = _likeliest([e for e in range(len(belief)) if e not in tied] if tied else None, chances, top)
    for tie in belief.ties:
        best = _combined(best, _sets(tie, _inside(belief, tie, [place])), top)
    return [(found, share) for found, share in best if share > NEGLIGIBLE]


def _there(belief: Belief, places: Sequence[int]) -> Floats:
    return np.asarray(belief.motion.membership[:, list(places)].sum(axis=1))


def _inside(belief: Belief, tie: Tie, places: Sequence[int]) -> Floats:
    """A tie's distribution over who of its members is in some places: an axis of length two each."""
    there = _there(belief, places)
    found = tie.joint
    for axis in range(found.ndim):
        found = np.moveaxis(np.moveaxis(found, axis, -1) @ np.stack([1 - there, there], axis=1), -1, axis)
    return found


def _sets(tie: Tie, inside: Floats) -> list[tuple[set[int], float]]:
    return [
        ({member for member, there in zip(tie.members, each, strict=True) if there}, float(inside[each]))
        for each in np.ndindex(inside.shape)
    ]


def _combined(
    a: list[tuple[set[int], float]], b: list[tuple[set[int], float]], top: int
) -> list[tuple[set[int], float]]:
    pairs = [(x | y, p * q) for x, p in a for y, q in sorted(b, key=_share, reverse=True)[:top]]
    return sorted(pairs, key=_share, reverse=True)[:top]


def _share(found: tuple[set[int], float]) -> float:
    return found[1]


def _likeliest(entities: Sequence[int] | None, chances: Floats, top: int) -> list[tuple[set[int], float]]:
    """Of independent entities: the likeliest set of all, then others by what is turned over in it.

    Turning one over costs the ratio of its two chances; the best sets only turn over those that cost least.
    """
    among = np.arange(len(chances)) if entities is None else np.array(entities, np.int64)
    chance = chances[among]
    likely = chance > 0.5
    best = {int(e) for e in among[likely]}
    with np.errstate(divide="ignore"):
        share = float(np.exp(np.log(np.where(likely, chance, 1 - chance)).sum()))
        cost = np.log(np.maximum(chance, 1 - chance)) - np.log(np.minimum(chance, 1 - chance))
    cheap = np.argsort(cost, kind="stable")[:top]
    cheap = cheap[np.isfinite(cost[cheap])]
    return [
        (best ^ {int(among[cheap[i]]) for i in turned}, share * float(np.exp(-lost)))
        for turned, lost in _cheapest(cost[cheap], top)
    ]


def _cheapest(costs: Floats, top: int) -> list[tuple[tuple[int, ...], float]]:
    """The subsets with the smallest sums; the costs are in order."""
    found: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    waiting: list[tuple[float, tuple[int, ...]]] = [(float(costs[0]), (0,))] if len(costs) else []
    while waiting and len(found) < top:
        lost, turned = heappop(waiting)
        found.append((turned, lost))
        last = turned[-1] + 1
        if last < len(costs):
            heappush(waiting, (lost + float(costs[last]), (*turned, last)))
            heappush(waiting, (lost + float(costs[last]) - float(costs[last - 1]), (*turned[:-1], last)))
    return found

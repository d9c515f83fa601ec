"""Whether a partial match can still complete in a case that obeys, and whether an event can still come.

The events that are missing and the types that are demanded beside them must find an order: the pattern's,
that of the priors, and none of a negative component's types in its place (the paper's section III, and
absence).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from sase.constraints.obeying import CaseRules, CaseState, bits, has_cycle, union
from sase.plan.structure import Negative, Structure

MOST_CHOICES = 1024  # of types and places that are tried; beyond that a match counts as possible


@dataclass(frozen=True, slots=True)
class Demand:
    """The positive components of a query, and the negative ones that any event of their types stands for."""

    shape: Structure
    absent: tuple[Negative, ...]  # in the middle, without conditions of their own


class Prospects:
    """Answers for one query and one group of constraints."""

    def __init__(self, rules: CaseRules, demand: Demand) -> None:
        self._rules, self._demand = rules, demand

    def possible(self, state: CaseState, begun: frozenset[int]) -> bool:
        """Whether a partial match with these components begun can complete in a case that stands so."""
        components = self._demand.shape.components
        missing = [c for c in range(len(components)) if c not in begun]
        choices = [[self._rules.bit.get(name, 0) for name in components[c].types] for c in missing]
        if prod(map(len, choices)) > MOST_CHOICES:
            return True
        return any(self._fits(state, begun, missing, types) for types in product(*choices))

    def may_have_begun(self, state: CaseState, begun: frozenset[int]) -> bool:
        """Whether the case has had events for all of these components."""
        components, known = self._demand.shape.components, self._rules.bit
        had = state.seen | state.maybe
        return all(any(name not in known or known[name] & had for name in components[c].types) for c in begun)

    def _fits(
        self, state: CaseState, begun: frozenset[int], missing: list[int], types: Sequence[int]
    ) -> bool:
        rules, told = self._rules, state.told
        asked = state.seen | union(types)
        must = rules.demanded(asked, told)
        if rules.denied(must, told):
            return False
        beside = list(bits(must & ~asked & ~state.maybe))
        coming = [*types, *beside]
        if any(not own & told and b & state.seen and a in coming for a, b, own in rules.priors):
            return False
        if any(not own & told and a == b and coming.count(a) > 1 for a, b, own in rules.priors):
            return False
        edges = [*self._pattern(missing), *self._priors(coming, told)]
        ways = [list(way) for way in self._places(begun, missing, coming)]
        if prod(map(len, ways)) > MOST_CHOICES:
            return True
        nodes = (1 << len(coming)) - 1
        return any(not has_cycle(nodes, [*edges, *(e for e in way if e)]) for way in product(*ways))

    def _pattern(self, missing: list[int]) -> Iterator[tuple[int, int]]:
        for at, c in enumerate(missing):
            for before in self._demand.shape.components[c].after:
                if before in missing:
                    yield 1 << missing.index(before), 1 << at

    def _priors(self, coming: Sequence[int], told: int) -> Iterator[tuple[int, int]]:
        for a, b, own in self._rules.priors:
            if not own & told and a != b:
                firsts = [1 << i for i, one in enumerate(coming) if one == a]
                yield from ((first, 1 << i) for i, one in enumerate(coming) if one == b for first in firsts)

    def _places(
        self, begun: frozenset[int], missing: list[int], coming: Sequence[int]
    ) -> Iterator[list[tuple[int, int]]]:
        """Per event to come that a negative component forbids in its place: the places where it may be."""
        components = self._demand.shape.components
        for negative in self._demand.absent:
            forbidden = {self._rules.bit.get(name, 0) for name in negative.types} - {0}
            if negative.high & begun or any(components[c].kleene for c in negative.low & begun):
                continue  # it is behind us, or one more event of the component before it may come
            low = [1 << missing.index(c) for c in negative.low - begun]
            high = [1 << missing.index(c) for c in negative.high]
            for i, one in enumerate(coming):
                if one in forbidden and 1 << i not in (*low, *high):
                    yield [*((1 << i, each) for each in low), *((each, 1 << i) for each in high)]

    def can_come(self, state: CaseState, names: Sequence[str]) -> bool:
        """Whether an event of one of these types can still come."""
        return any(self._can_come(state, self._rules.bit.get(name, 0)) for name in names)

    def _can_come(self, state: CaseState, one: int) -> bool:
        rules, told = self._rules, state.told
        if not one:
            return True
        if any(not own & told and a == one and b & state.seen for a, b, own in rules.priors):
            return False
        asked = state.seen | one
        must = rules.demanded(asked, told)
        coming = [one, *bits(must & ~asked & ~state.maybe)]
        if rules.denied(must, told):
            return False
        if any(not own & told and b & state.seen and a in coming for a, b, own in rules.priors):
            return False
        return not has_cycle((1 << len(coming)) - 1, self._priors(coming, told))

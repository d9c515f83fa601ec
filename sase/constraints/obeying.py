"""What a case can still do: its seen types as bits, what must come, what can come no more, what is broken.

A case obeys if it can go on so that all constraints hold at its end. Nothing but the types seen so far
matters to that, and of all ways to go on the least one is enough: what the clauses demand of the types seen
(Horn clauses have a least model), each once, in an order that the priors allow. So whether there is a way is
a closure and a look for a cycle, and no search (the paper's RunSAT, its section III).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from sase.constraints.declared import CaseGroup, Constraint

MOST_WAYS = 64  # in which a type comes to be demanded, that are told apart when a breach is named


class CaseState(NamedTuple):
    """Types as bits, constraints as bits."""

    seen: int = 0
    maybe: int = 0  # seen in events that may not have happened
    told: int = 0  # broken, and so no longer held against the case


class CaseRules:
    """A group of constraints over the bits of its types."""

    def __init__(self, group: CaseGroup) -> None:
        self.group = group
        self.bit = {name: 1 << number for number, name in enumerate(group.types)}
        self.priors: list[tuple[int, int, int]] = []  # no first after a second; and the constraint's bit
        self.clauses: list[tuple[int, int, int]] = []  # where all of the first are there is the second
        self.denials: list[tuple[int, int]] = []  # never all of these
        for number, constraint in enumerate(group.constraints):
            self._note(constraint, 1 << number)
        self.ends = union(self.bit[name] for name in group.until)
        self.remembered = self._lasting() if group.until else -1

    def _note(self, constraint: Constraint, own: int) -> None:
        *body, last = (self.bit[name] for name in constraint.types)
        if constraint.form == "prior":
            self.priors.append((body[0], last, own))
        elif constraint.form == "exclusive" or constraint.denies:
            self.denials.append((union(body) | last, own))
        else:
            self.clauses.append((union(body), last, own))

    def _lasting(self) -> int:
        """The types that matter to what may still come. No query is served where UNTIL ends cases, so that of
        the others nothing need be remembered: what only comes too late is forgotten where it is not."""
        seconds = union(last for _, last, _ in self.priors)
        told = union(body | head for body, head, _ in self.clauses)
        return seconds | told | union(mask for mask, _ in self.denials)

    def demanded(self, types: int, told: int = 0) -> int:
        """These types and all that must be there where they are."""
        while True:
            grown = types
            for body, head, own in self.clauses:
                if not own & told and body & ~grown == 0:
                    grown |= head
            if grown == types:
                return types
            types = grown

    def denied(self, types: int, told: int = 0) -> bool:
        """Whether some of these types exclude each other."""
        return any(not own & told and mask & ~types == 0 for mask, own in self.denials)

    def obeys(self, state: CaseState) -> bool:
        """Whether the case can go on so that all that is still held against it is true in the end."""
        must = self.demanded(state.seen, state.told)
        if self.denied(must, state.told):
            return False
        coming = must & ~state.seen & ~state.maybe
        if any(not own & state.told and a & coming and b & state.seen for a, b, own in self.priors):
            return False
        edges = [(a, b) for a, b, own in self.priors if not own & state.told and a != b]
        return not has_cycle(coming, edges)

    def after(self, state: CaseState, type_bit: int, certain: bool = True) -> tuple[CaseState, int]:
        """The state after an event, and the constraints that it has broken: of each set of constraints that
        cannot all hold any more, and none of which can be left out, the one that was declared first.

        What may have ended a case ends it: nothing is told of which nobody can be sure."""
        if type_bit & self.ends:
            state = CaseState()
        if not certain:
            return state._replace(maybe=state.maybe | type_bit & self.remembered), 0
        broken = 0
        for a, b, own in self.priors:
            if a == type_bit and b & state.seen and not own & state.told:
                broken |= own
        seen = state.seen | type_bit & self.remembered
        state = state._replace(seen=seen, told=state.told | broken)
        while not self.obeys(state):
            named = self._first_involved(state)
            broken |= named
            state = state._replace(told=state.told | named)
        return state, broken

    def _first_involved(self, state: CaseState) -> int:
        conflicts = minimal(self._conflicts(state))
        untold = ~state.told  # where too many ways were left out to see the conflict, the first of all
        return union({conflict & -conflict for conflict in conflicts}) or untold & -untold

    def _conflicts(self, state: CaseState) -> Iterator[int]:
        """Sets of constraints, as bits, that cannot all hold any more."""
        ways = self._ways(state)
        for mask, own in self.denials:
            if not own & state.told:
                yield from (own | way for way in joined(ways.get(one, ()) for one in bits(mask)))
        coming = {one: found for one, found in ways.items() if not one & (state.seen | state.maybe)}
        for a, b, own in self.priors:
            if not own & state.told and b & state.seen:
                yield from (own | way for way in coming.get(a, ()))
        for types, priors in self._cycles(state, list(coming)):
            yield from (priors | way for way in joined(coming[one] for one in types))

    def _ways(self, state: CaseState) -> dict[int, tuple[int, ...]]:
        """Per type that must be there the least sets of clauses that demand it."""
        ways: dict[int, tuple[int, ...]] = dict.fromkeys(bits(state.seen), (0,))
        while True:
            grown = dict(ways)
            for body, head, own in self.clauses:
                if not own & state.told:
                    new = (own | way for way in joined(grown.get(one, ()) for one in bits(body)))
                    if found := minimal((*grown.get(head, ()), *new)):
                        grown[head] = tuple(sorted(found)[:MOST_WAYS])
            if grown == ways:
                return ways
            ways = grown

    def _cycles(self, state: CaseState, types: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Types that would all have to come before each other, and the priors that say so."""
        for start in types:
            paths: list[tuple[tuple[int, ...], int]] = [((start,), 0)]
            for path, said in paths:
                for a, b, own in self.priors:
                    if a != path[-1] or own & state.told or a == b or b not in types:
                        continue
                    if b == start:
                        yield path, said | own
                    elif b > start and b not in path and len(paths) < MOST_WAYS * MOST_WAYS:
                        paths.append(((*path, b), said | own))


def bits(mask: int) -> Iterator[int]:
    """The bits of a mask one by one."""
    while mask:
        yield mask & -mask
        mask &= mask - 1


def union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def joined(ways: Iterable[Iterable[int]]) -> Iterator[int]:
    """One way of each together."""
    for chosen in product(*ways):
        yield union(chosen)


def minimal(masks: Iterable[int]) -> list[int]:
    """Those that contain no other."""
    found: list[int] = []
    for mask in sorted(set(masks), key=lambda mask: (mask.bit_count(), mask)):
        if not any(less & ~mask == 0 for less in found):
            found.append(mask)
    return found


def has_cycle(nodes: int, edges: Iterable[tuple[int, int]]) -> bool:
    """Whether the nodes, bits of a mask, cannot be put into an order in which every edge goes forward."""
    inside = [(a, b) for a, b in edges if a & nodes and b & nodes]
    while nodes:
        first = nodes & ~union(b for a, b in inside if a & nodes)
        if not first:
            return True
        nodes &= ~first
    return False

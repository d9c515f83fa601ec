"""Operators with windows of their own, by definition: every outcome of every node, enumerated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sase.language import tree
from tests.sase.oracle import conditions
from tests.sase.oracle.conditions import Disjunct, Event
from tests.sase.oracle.runs import satisfied

# (ts, 1, seq) of an event, (ts, 0, moment of what opened it) of a window's end: tuples compare as moments do.
Moment = tuple[int, int, Any]


@dataclass(frozen=True)
class Outcome:
    moment: Moment
    events: frozenset[tuple[str, int]]  # alias and position

    @property
    def ts(self) -> int:
        return self.moment[0]


def outcomes(pattern: tree.Pattern, condition: tree.Condition | None, events: list[Event]) -> set[Outcome]:
    """Each alternative of the condition is a query of its own; the same outcome of several comes once."""
    found = (_Stream(events, disjunct).outcomes(pattern) for disjunct in conditions.disjuncts(condition))
    return set().union(*found)


@dataclass(frozen=True)
class _Stream:
    events: list[Event]
    literals: Disjunct

    def outcomes(self, pattern: tree.Pattern) -> set[Outcome]:
        return {outcome for outcome in self._all(pattern) if self._stands(outcome.events)}

    def _all(self, pattern: tree.Pattern) -> Iterator[Outcome]:
        match pattern:
            case tree.Leaf(types, str(var)):
                for seq, event in enumerate(self.events):
                    if event["event"] in types:
                        yield Outcome((event["ts"], 1, seq), frozenset({(var, seq)}))
            case tree.Operator(name, left, right, window):
                yield from self._operator(name, self.outcomes(left), self.outcomes(right), window)

    def _operator(self, name: str, left: set[Outcome], right: set[Outcome], window: Any) -> Iterator[Outcome]:
        pairs = ((a, b) for a in left for b in right if window is not None and abs(a.ts - b.ts) < window)
        match name:
            case "ANYONE":
                yield from left | right
            case "FOLLOWS":
                yield from (self._both(a, b) for a, b in pairs if a.moment < b.moment and _agree(a, b))
            case "PRECEDES":
                yield from (self._both(a, b) for a, b in pairs if b.moment < a.moment and _agree(a, b))
            case "BOTH":
                yield from (self._both(a, b) for a, b in pairs if _agree(a, b))
            case "NOTFOLLOWS":
                ruled_out = {a for a, b in pairs if a.moment < b.moment and self._rules_out(b, a)}
                yield from (Outcome((a.ts + window, 0, a.moment), a.events) for a in left - ruled_out)
            case "NOTPRECEDES":
                yield from left - {a for a, b in pairs if b.moment < a.moment and self._rules_out(b, a)}

    def _both(self, a: Outcome, b: Outcome) -> Outcome:
        return Outcome(max(a.moment, b.moment), a.events | b.events)

    def _rules_out(self, absent: Outcome, outcome: Outcome) -> bool:
        return _agree(absent, outcome) and self._stands(absent.events | outcome.events)

    def _stands(self, held: frozenset[tuple[str, int]]) -> bool:
        """Whether every literal that speaks of known aliases only is true."""
        known = {name: (self.events[seq],) for name, seq in held}
        return all(satisfied(x, known) for x in self.literals if conditions.variables(x) <= known.keys())


def _agree(a: Outcome, b: Outcome) -> bool:
    """An alias is one event, and two aliases are two."""
    held = a.events | b.events
    return len({name for name, _ in held}) == len(held) == len({seq for _, seq in held})

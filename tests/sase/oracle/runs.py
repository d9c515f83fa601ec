"""Selection strategies by the letter: partial matches as plain values, each shown every event in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sase.language import tree
from tests.sase.oracle import conditions, places, values
from tests.sase.oracle.conditions import Event

Assignment = dict[str, tuple[int, ...]]  # the positions of each component's events


@dataclass(frozen=True)
class Runs:
    """The automaton of one disjunct: SASE+, section 3, with the components of an AND in any order."""

    pattern: tree.Pattern
    literals: conditions.Disjunct  # without those that mention a negative component
    within: tree.Within | None
    strategy: str
    events: list[Event]

    def accepted(self) -> Iterator[Assignment]:
        """Every assignment that some run completes."""
        runs: list[Assignment] = []
        for position in range(len(self.events)):
            grown = [move for run in [{}, *runs] for move in self._moves(run, position)]
            kept = [run for run in runs if self._may_ignore(run, position)]
            yield from (run for run in grown if self._complete(run))
            runs = kept + grown

    def _moves(self, run: Assignment, position: int) -> Iterator[Assignment]:
        for leaf in places.positives(self.pattern):
            name = places.var(leaf)
            if self.events[position]["event"] in leaf.types and self._has_place(run, leaf):
                moved = run | {name: (*run.get(name, ()), position)}
                if self._in_window(moved) and self._holds(moved, self._open(moved)):
                    yield moved

    def _has_place(self, run: Assignment, leaf: tree.Leaf) -> bool:
        name = places.var(leaf)
        return name in self._open(run) if name in run else self._before(name) <= run.keys()

    def _before(self, name: str) -> set[str]:
        return {x for x, y in places.precedences(self.pattern) if y == name}

    def _open(self, run: Assignment) -> set[str]:
        """Begun Kleene components that no successor has closed."""
        closed = {x for x, y in places.precedences(self.pattern) if y in run}
        kleene = {places.var(leaf) for leaf in places.positives(self.pattern) if leaf.kleene}
        return (kleene & run.keys()) - closed

    def _in_window(self, run: Assignment) -> bool:
        return within(self.within, run, self.events)

    def _holds(self, run: Assignment, still_open: set[str]) -> bool:
        """Everything that is decided by now: SASE+, section 3.2, step 2."""
        held = events_of(run, self.events)
        return all(
            satisfied(literal, held)
            for literal in self.literals
            if isinstance(literal, tree.Equivalence)
            or (conditions.variables(literal) <= run.keys() and not conditions.closing(literal) & still_open)
        )

    def _complete(self, run: Assignment) -> bool:
        return run.keys() == places.names(self.pattern) and self._holds(run, still_open=set())

    def _may_ignore(self, run: Assignment, position: int) -> bool:
        match self.strategy:
            case "skip_till_any_match":
                return True
            case "skip_till_next_match":
                return not any(self._selects(run, move) for move in self._moves(run, position))
            case "partition_contiguity":
                return self._in_another_partition(run, position)
        return False

    def _selects(self, run: Assignment, move: Assignment) -> bool:
        """A begin that closes an open component is a proceed: it leaves the run free to wait where it is."""
        return self._open(run) <= self._open(move)

    def _in_another_partition(self, run: Assignment, position: int) -> bool:
        first = self.events[min(min(positions) for positions in run.values())]
        event = self.events[position]
        attributes = conditions.attributes(self.literals)
        return any(not values.equal(values.of(first, a), values.of(event, a)) for a in attributes)


def within(window: tree.Within | None, run: Assignment, events: list[Event]) -> bool:
    first, last = ends(run)
    return window is None or clock(window, last, events) - clock(window, first, events) < size(window)


def clock(window: tree.Within, position: int, events: list[Event]) -> int:
    """What the window measures: time, or positions in the stream."""
    return position if window.unit == "events" else events[position]["ts"]


def size(window: tree.Within) -> int:
    assert isinstance(window.size, int)
    return window.size


def ends(run: Assignment) -> tuple[int, int]:
    positions = [position for held in run.values() for position in held]
    return min(positions), max(positions)


def events_of(run: Assignment, events: list[Event]) -> dict[str, tuple[Event, ...]]:
    return {name: tuple(events[position] for position in held) for name, held in run.items()}


def satisfied(literal: conditions.Literal, held: dict[str, tuple[Event, ...]]) -> bool:
    if isinstance(literal, tree.Equivalence):
        return conditions.equivalent(literal, (event for part in held.values() for event in part))
    return conditions.holds(literal, held)

"""The probability of a match by definition: every world is enumerated, and the query asked in each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import isclose, prod

from sase.language import tree
from tests.sase.oracle import definition
from tests.sase.oracle.conditions import Event
from tests.sase.oracle.definition import OracleMatch
from tests.sase.oracle.outcomes import Moment, Outcome, outcomes
from tests.sase.oracle.runs import Assignment

Key = tuple[tuple[str, tuple[int, ...]], ...]


def matches(query: tree.QueryTree, events: list[Event]) -> list[OracleMatch]:
    """What a query emits."""
    return emitted(query, every_match(query, events), events)


def emitted(query: tree.QueryTree, every: list[OracleMatch], events: list[Event]) -> list[OracleMatch]:
    """What a query emits of all matches that there are: OUTPUT comes after the bound."""
    least = 0.0 if query.having is None else query.having
    assert isinstance(least, float)
    kept = [match for match in every if _reaches(match.probability, least)]
    return definition.non_overlapping(query, kept, events) if query.output == "NON-OVERLAP" else kept


def _reaches(chance: float, least: float) -> bool:
    return chance >= least or isclose(chance, least, rel_tol=1e-12)


def every_match(query: tree.QueryTree, events: list[Event]) -> list[OracleMatch]:
    """Every match that there is in some world, with the probability of all worlds that it is in."""
    if query.having is None:
        return definition.every_match(query, events)
    if isinstance(query.pattern, tree.Operator):
        return _every_outcome(query.pattern, query.condition, events)
    found: dict[Key, float] = defaultdict(float)
    for chance, positions in _worlds(events):
        world = [events[position] for position in positions]
        for run in definition.assignments(query, world):
            found[_key(run, positions)] += chance
    every = (
        replace(definition.emitted(query, dict(key), events), probability=chance)
        for key, chance in found.items()
    )
    return sorted(every, key=lambda match: match.completes)


def _every_outcome(
    pattern: tree.Pattern, condition: tree.Condition | None, events: list[Event]
) -> list[OracleMatch]:
    """The same for operators, whose outcomes are told apart by their moments too."""
    found: dict[Outcome, float] = defaultdict(float)
    for chance, positions in _worlds(events):
        for outcome in outcomes(pattern, condition, [events[position] for position in positions]):
            found[_in_stream(outcome, positions)] += chance
    every = (replace(definition.outcome(each, events), probability=p) for each, p in found.items())
    return sorted(every, key=lambda match: match.completes)


def _in_stream(outcome: Outcome, positions: list[int]) -> Outcome:
    """An outcome of a world by the positions that its events have in the stream."""
    return Outcome(
        _moment(outcome.moment, positions), frozenset((name, positions[at]) for name, at in outcome.events)
    )


def _moment(moment: Moment, positions: list[int]) -> Moment:
    ts, rank, by = moment
    return ts, rank, positions[by] if rank else _moment(by, positions)


def _worlds(events: list[Event]) -> Iterator[tuple[float, list[int]]]:
    """Every choice of events that happened, and how likely it is."""
    chance = [1.0 if event.get("prob") is None else float(event["prob"]) for event in events]
    choices = [(True,) if each == 1 else (True, False) for each in chance]
    for happened in product(*choices):
        factors = [each if there else 1 - each for each, there in zip(chance, happened, strict=True)]
        yield prod(factors), [position for position, there in enumerate(happened) if there]


def _key(run: Assignment, positions: list[int]) -> Key:
    return tuple(sorted((name, tuple(positions[at] for at in held)) for name, held in run.items()))

"""The meaning of a query by definition, slow and obviously right: what the engine is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sase.language import tree
from tests.sase.oracle import conditions, places, values
from tests.sase.oracle.conditions import Disjunct, Event, Literal
from tests.sase.oracle.outcomes import Outcome, outcomes
from tests.sase.oracle.runs import Assignment, Runs, clock, ends, events_of, satisfied, size, within


@dataclass(frozen=True)
class OracleMatch:
    events: dict[str, int | list[int]]  # positions in the stream
    first: int  # the position of x1
    start: int
    end: int
    detected_at: int
    known: int  # the position of the event that makes the match known; behind the last one: the end of input
    completes: Any  # orders matches by the moment they complete: a position, a deadline, or a moment
    due: int | None  # the time at which it completes without any event
    probability: float = 1.0  # with HAVING


def matches(query: tree.QueryTree, events: list[Event]) -> list[OracleMatch]:
    """Every match that the query emits, in the order of emission."""
    found = every_match(query, events)
    return non_overlapping(query, found, events) if query.output == "NON-OVERLAP" else found


def every_match(query: tree.QueryTree, events: list[Event]) -> list[OracleMatch]:
    """What OUTPUT ALL emits; a match that satisfies several disjuncts comes once."""
    if isinstance(query.pattern, tree.Operator):
        every = outcomes(query.pattern, query.condition, events)
        return sorted((outcome(each, events) for each in every), key=lambda match: match.completes)
    found = [emitted(query, run, events) for run in assignments(query, events)]
    return sorted(found, key=lambda match: match.completes)


def assignments(query: tree.QueryTree, events: list[Event]) -> Iterable[Assignment]:
    """Every choice of events that is a match, once."""
    found = (
        run for disjunct in conditions.disjuncts(query.condition) for run in _of(query, disjunct, events)
    )
    return {tuple(sorted(run.items())): run for run in found}.values()


def _of(query: tree.QueryTree, disjunct: Disjunct, events: list[Event]) -> Iterator[Assignment]:
    for run in _positive(query, disjunct, events):
        if not any(_ruled_out(gap, query, disjunct, run, events) for gap in places.gaps(query.pattern)):
            yield run


def _positive(query: tree.QueryTree, disjunct: Disjunct, events: list[Event]) -> Iterable[Assignment]:
    """Matches of the positive components alone."""
    literals = positive_literals(query, disjunct)
    strategy = query.strategy.name if query.strategy else "skip_till_any_match"
    if strategy == "skip_till_any_match":
        return any_match(query.pattern, literals, query.within, events)
    return Runs(query.pattern, literals, query.within, strategy, events).accepted()


def positive_literals(query: tree.QueryTree, disjunct: Disjunct) -> Disjunct:
    negative = {places.var(gap.leaf) for gap in places.gaps(query.pattern)}
    return tuple(literal for literal in disjunct if not conditions.variables(literal) & negative)


# Skip till any match: every combination of events is tried


def any_match(
    pattern: tree.Pattern, literals: Disjunct, window: tree.Within | None, events: list[Event]
) -> Iterator[Assignment]:
    for run in _combinations(pattern, events):
        held = events_of(run, events)
        if within(window, run, events) and all(satisfied(literal, held) for literal in literals):
            yield run


def _combinations(pattern: tree.Pattern, events: list[Event]) -> Iterator[Assignment]:
    """Every choice of events for the components that has their types and their order, no event twice."""
    order = set(places.precedences(pattern))
    runs: list[Assignment] = [{}]
    for leaf in places.positives(pattern):
        choices = list(_choices(leaf, events))
        runs = [run | {places.var(leaf): choice} for run in runs for choice in choices]
        runs = [run for run in runs if _in_order(run, places.var(leaf), order)]
    yield from runs


def _choices(leaf: tree.Leaf, events: list[Event]) -> Iterator[tuple[int, ...]]:
    fitting = [position for position, event in enumerate(events) if event["event"] in leaf.types]
    for many in range(1, len(fitting) + 1 if leaf.kleene else 2):
        yield from combinations(fitting, many)


def _in_order(run: Assignment, newest: str, order: set[tuple[str, str]]) -> bool:
    return all(_apart(run, name, newest, order) for name in run if name != newest)


def _apart(run: Assignment, x: str, y: str, order: set[tuple[str, str]]) -> bool:
    if (x, y) in order:
        return run[x][-1] < run[y][0]
    if (y, x) in order:
        return run[y][-1] < run[x][0]
    return not set(run[x]) & set(run[y])


# Negation looks at the raw stream


def _ruled_out(
    gap: places.Gap, query: tree.QueryTree, disjunct: Disjunct, run: Assignment, events: list[Event]
) -> bool:
    name = places.var(gap.leaf)
    held = events_of(run, events)
    return any(
        event["event"] in gap.leaf.types
        and _in_gap(position, gap, query.within, run, events)
        and all(_fits(literal, name, held, event) for literal in disjunct)
        for position, event in enumerate(events)
    )


def _fits(literal: Literal, name: str, held: dict[str, tuple[Event, ...]], event: Event) -> bool:
    """The negative event satisfies the literal, if the literal speaks of it at all."""
    if isinstance(literal, tree.Equivalence):
        return satisfied(literal, held | {name: (event,)})
    return name not in conditions.variables(literal) or conditions.holds(literal, held | {name: (event,)})


def _in_gap(
    position: int, gap: places.Gap, window: tree.Within | None, run: Assignment, events: list[Event]
) -> bool:
    first, last = ends(run)
    inside = True
    if gap.after is None and window:
        inside &= clock(window, position, events) > clock(window, last, events) - size(window)
    if gap.before is None and window:
        inside &= clock(window, position, events) < clock(window, first, events) + size(window)
    lower = max((run[name][-1] for name in gap.after or ()), default=-1)
    upper = min((run[name][0] for name in gap.before or ()), default=len(events))
    return inside and lower < position < upper


# What is emitted, and when


def emitted(query: tree.QueryTree, run: Assignment, events: list[Event]) -> OracleMatch:
    first, last = ends(run)
    kleene = {places.var(leaf) for leaf in places.positives(query.pattern) if leaf.kleene}
    chosen: dict[str, int | list[int]] = {x: list(at) if x in kleene else at[0] for x, at in run.items()}
    detected_at, known, completes = _moment(query, first, last, events)
    due = completes if query.within and query.within.unit == "ms" and waits(query) else None
    return OracleMatch(
        chosen, first, events[first]["ts"], events[last]["ts"], detected_at, known, completes, due
    )


def outcome(found: Outcome, events: list[Event]) -> OracleMatch:
    ts, rank, _ = found.moment
    positions = sorted(seq for _, seq in found.events)
    start, end = events[positions[0]]["ts"], events[positions[-1]]["ts"]
    known = positions[-1] if rank else sum(event["ts"] < ts for event in events)
    due = None if rank else ts
    return OracleMatch(dict(found.events), positions[0], start, end, ts, known, found.moment, due)


def _moment(query: tree.QueryTree, first: int, last: int, events: list[Event]) -> tuple[int, int, int]:
    """When the match is detected, the position at which that is known, and the moment it completes."""
    if not (query.within and waits(query)):
        return events[last]["ts"], last, last
    due = clock(query.within, first, events) + size(query.within)
    known = sum(clock(query.within, position, events) < due for position in range(len(events)))
    at = due if query.within.unit == "ms" else events[min(due, len(events) - 1)]["ts"]
    return at, known, due


def waits(query: tree.QueryTree) -> bool:
    """A negated end is only known when the window is over."""
    return any(gap.before is None for gap in places.gaps(query.pattern))


def non_overlapping(
    query: tree.QueryTree, found: list[OracleMatch], events: list[Event]
) -> list[OracleMatch]:
    """Per partition the match that completes first, of those the one that started last; then anew."""
    emitted: list[OracleMatch] = []
    for match in sorted(found, key=lambda match: (match.completes, -match.first)):
        rivals = [rival for rival in emitted if _same_partition(query, rival, match, events)]
        if all(_starts_after(query, match, rival, events) for rival in rivals):
            emitted.append(match)
    return emitted


def _same_partition(query: tree.QueryTree, one: OracleMatch, other: OracleMatch, events: list[Event]) -> bool:
    if query.strategy and query.strategy.name == "strict_contiguity":
        return True
    shared = frozenset.intersection(*map(conditions.attributes, conditions.disjuncts(query.condition)))
    held = events[one.first], events[other.first]
    return all(values.equal(*(values.of(event, attribute) for event in held)) for attribute in shared)


def _starts_after(
    query: tree.QueryTree, match: OracleMatch, earlier: OracleMatch, events: list[Event]
) -> bool:
    """A deadline comes before the events of its own moment, a match's last event does not."""
    if isinstance(query.pattern, tree.Operator):
        return bool((events[match.first]["ts"], 1, match.first) > earlier.completes)
    if query.within and waits(query):
        return clock(query.within, match.first, events) >= earlier.completes
    return match.first > earlier.completes

"""Checks what a parsed query says and resolves its names, parameters and partitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sase.check.aliases import without_aliases
from sase.check.components import Components
from sase.check.operators import check_aliases, check_operators, check_ties
from sase.check.parameters import Parameters
from sase.check.pattern import check_pattern
from sase.check.return_clause import checked_return
from sase.check.value_kinds import check_comparison, check_equivalence
from sase.errors import problem
from sase.language.messages import (
    DUPLICATE,
    NOT_EQUIVALENCE,
    PROBABILITY_COUNTED,
    TWO_NEGATIVES,
    WINDOW_EMPTY,
    WINDOW_LONG,
)
from sase.language.names import named
from sase.language.tree import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Equivalence,
    Not,
    Operator,
    Pattern,
    QueryTree,
    Value,
    Within,
)
from sase.language.walk import comparisons, conjuncts, leaves, mapped_condition, mentions, patterns

# Time is 64 bits wide, and a window must leave room to be added to a timestamp.
_LONGEST = 2**62


def check(query: QueryTree, text: str, parameters: Mapping[str, Value] | None = None) -> QueryTree:
    """The query with nothing left to look up; QueryError, with its place, if it cannot mean anything."""
    query = Parameters(parameters or {}, text).fill(query)
    check_pattern(query, text)
    check_operators(query, text)
    query = replace(query, pattern=named(without_aliases(query, text)))
    _check_windows(query, text)
    _check_distinct(query, text)
    check_aliases(query.pattern, text)
    components = Components(query.pattern, text)
    if query.strategy:
        for name in query.strategy.vars:
            components.named(name, query.strategy.place)
    query = replace(query, condition=_condition(query, components), partition_by=())
    _check_condition(query, components, text)
    return replace(query, returned=checked_return(query, components, text))


def _condition(query: QueryTree, components: Components) -> Condition | None:
    """The condition with its names resolved and PARTITION BY folded in."""
    given = query.condition and mapped_condition(query.condition, components.tied, lambda test: test)
    parts = list(conjuncts(given))
    tested = {part.attribute for part in parts if isinstance(part, Equivalence) and part.value is None}
    added = [name for name in dict.fromkeys(query.partition_by) if name not in tested]
    parts = [*(Equivalence(name, None, query.place) for name in added), *parts]
    if len(parts) < 2:
        return parts[0] if parts else None
    return AllOf(tuple(parts), given.place if given else query.place)


def _check_condition(query: QueryTree, components: Components, text: str) -> None:
    for comparison in comparisons(query.condition):
        check_comparison(comparison, text)
        components.check_indexes(comparison)
        _check_negatives(comparison, query.pattern, components.absent, text)
    for test, negated in _equivalences(query.condition):
        check_equivalence(test, text)
        if negated:
            raise problem(NOT_EQUIVALENCE, text, test.place, name=test.attribute)


def _check_negatives(comparison: Comparison, pattern: Pattern, absent: frozenset[str], text: str) -> None:
    if isinstance(pattern, Operator):
        check_ties(comparison, pattern, text)
        return
    named = dict.fromkeys(mention.var for mention in mentions(comparison))
    both = [name for name in named if name in absent]
    if len(both) > 1:
        raise problem(TWO_NEGATIVES, text, comparison.place, first=both[0], second=both[1])


def _equivalences(condition: Condition | None, negated: bool = False) -> Iterator[tuple[Equivalence, bool]]:
    """The equivalence tests, and whether each is under an odd number of NOTs."""
    match condition:
        case Equivalence():
            yield condition, negated
        case Not(part):
            yield from _equivalences(part, not negated)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _equivalences(part, negated)


def _check_distinct(query: QueryTree, text: str) -> None:
    # An alias may stand in both branches of an operator: there it is the same event.
    repeatable = isinstance(query.pattern, Operator)
    seen: dict[str | None, frozenset[str]] = {}
    for leaf in leaves(query.pattern):
        types = frozenset(leaf.types)
        if leaf.var in seen and not (repeatable and seen[leaf.var] == types):
            raise problem(DUPLICATE, text, leaf.place, name=leaf.var)
        seen[leaf.var] = types


def _check_windows(query: QueryTree, text: str) -> None:
    for window in (*([query.within] if query.within else ()), *_semantic_windows(query.pattern)):
        if not isinstance(window.size, int) or window.size <= 0:
            raise problem(WINDOW_EMPTY, text, window.place)
        if window.size > _LONGEST:
            raise problem(WINDOW_LONG, text, window.place, limit=_LONGEST, unit=window.unit)
    if query.having is not None and query.within is not None and query.within.unit == "events":
        raise problem(PROBABILITY_COUNTED, text, query.within.place)


def _semantic_windows(pattern: Pattern) -> Iterator[Within]:
    for part in patterns(pattern):
        if isinstance(part, Operator) and part.window is not None:
            yield Within(part.window, "ms", part.place)

"""Checks a pattern of operators with windows of their own: what goes with them, and whose an alias is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sase.errors import QueryError, problem
from sase.language.messages import (
    ABSENT_TIE,
    ALIAS_NEEDED,
    HAPPENS_AND_ABSENT,
    OPERATOR_CLAUSE,
    PROBABILITY_COMPOSED,
    TWO_NEGATIVES,
)
from sase.language.names import name_of
from sase.language.tree import Comparison, Leaf, Operator, Pattern, QueryTree
from sase.language.walk import happening, leaves, mentions, patterns


@dataclass(frozen=True, slots=True)
class AbsentPart:
    """The second argument of an operator that negates: its aliases are its own."""

    operator: Operator
    names: frozenset[str]  # that happen in it
    other_side: frozenset[str]


def check_operators(query: QueryTree, text: str) -> None:
    """QueryError for a clause that does not go with operators, or a type that takes part twice unnamed."""
    operator = query.pattern
    if not isinstance(operator, Operator):
        return
    clauses = (
        ("WITHIN", query.within, query.within and query.within.place),
        ("a strategy", query.strategy, query.strategy and query.strategy.place),
        ("COMPRESSED", query.output == "COMPRESSED", query.output_place),
    )
    for clause, given, place in clauses:
        if given and place:
            raise problem(OPERATOR_CLAUSE, text, place, name=operator.name, clause=clause)
    _check_unnamed(query, text)
    if query.having is not None:
        _check_absent(operator, text)


def _check_absent(pattern: Pattern, text: str) -> None:
    """QueryError for an absent part of which not each single event would rule out."""
    for part in absent_parts(pattern):
        for inner in patterns(part.operator.right):
            if isinstance(inner, Operator) and inner.name != "ANYONE":
                raise problem(PROBABILITY_COMPOSED, text, inner.place, name=inner.name)


def check_aliases(pattern: Pattern, text: str) -> None:
    """QueryError for an alias that happens and is absent, in a pattern whose leaves all have one."""
    absent = list(absent_parts(pattern))
    for happens in (pattern, *(part.operator.right for part in absent)):
        names = _happening(happens)
        for part in absent_parts(happens):
            for leaf in leaves(part.operator.right):
                if leaf.var in names:
                    raise problem(HAPPENS_AND_ABSENT, text, leaf.place, name=leaf.var)


def check_ties(comparison: Comparison, pattern: Pattern, text: str) -> None:
    """QueryError for an absent alias that is compared with one that its operator does not know."""
    named = frozenset(mention.var or "" for mention in mentions(comparison))
    for part in absent_parts(pattern):
        known = part.names | part.other_side
        deeper = any(named & inner.names for inner in absent_parts(part.operator.right))
        if named & part.names and not deeper and not named <= known:
            other = min(named - known)
            raise _tied(comparison, part, other, pattern, text)


def absent_parts(pattern: Pattern) -> Iterator[AbsentPart]:
    for part in patterns(pattern):
        if isinstance(part, Operator) and part.negates:
            yield AbsentPart(part, _happening(part.right), _happening(part.left))


def _tied(comparison: Comparison, part: AbsentPart, other: str, pattern: Pattern, text: str) -> QueryError:
    names = [mention.var for mention in mentions(comparison)]
    absent = next(name for name in names if name in part.names)
    if other not in _happening(pattern):
        return problem(TWO_NEGATIVES, text, comparison.place, first=absent, second=other)
    operator = part.operator.name
    return problem(ABSENT_TIE, text, comparison.place, absent=absent, other=other, operator=operator)


def _check_unnamed(query: QueryTree, text: str) -> None:
    """`FOLLOWS(A, A, 5 sec)` would not say which is which; in FROM a stream may have aliases."""
    named = {alias for source in query.sources for alias in source.vars}
    unnamed = [leaf for leaf in leaves(query.pattern) if leaf.var is None and name_of(leaf) not in named]
    seen = Counter(map(name_of, unnamed))
    for leaf in unnamed:
        if seen[name_of(leaf)] > 1:
            raise problem(ALIAS_NEEDED, text, leaf.place, name=_shown(leaf))


def _shown(leaf: Leaf) -> str:
    return leaf.types[0] if len(leaf.types) == 1 else f"ANY({', '.join(leaf.types)})"


def _happening(pattern: Pattern) -> frozenset[str]:
    return frozenset(leaf.var or "" for leaf in happening(pattern))

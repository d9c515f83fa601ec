"""Checks a pattern: what may be negated, where, and which forms go together."""

from __future__ import annotations

from sase.errors import problem
from sase.language.messages import MIXED_OPERATORS, NEGATED_EDGE, NEGATED_FORM, NEGATION_ALONE
from sase.language.names import name_of
from sase.language.tree import Absent, And, Leaf, Operator, Pattern, QueryTree, Seq
from sase.language.walk import happening, patterns, standings


def check_pattern(query: QueryTree, text: str) -> None:
    """QueryError for a negation or an operator where it has no meaning."""
    for part in patterns(query.pattern):
        _check_negation(part, text)
    for part in patterns(query.pattern):
        _check_operator(part, text)
    if not any(happening(query.pattern)):
        raise problem(NEGATION_ALONE, text, query.pattern.place)
    if query.within is None and not isinstance(query.pattern, Operator):
        _check_edges(query.pattern, text)


def _check_negation(part: Pattern, text: str) -> None:
    if isinstance(part, Absent) and not _is_one_event(part.part):
        raise problem(NEGATED_FORM, text, part.place)


def _check_operator(part: Pattern, text: str) -> None:
    match part:
        case Seq(parts) | And(parts):
            for operator in parts:
                if isinstance(operator, Operator):
                    raise problem(MIXED_OPERATORS, text, operator.place, name=operator.name)
        case Operator(name, left, right):
            if not all(isinstance(side, Operator) or _is_one_event(side) for side in (left, right)):
                raise problem(MIXED_OPERATORS, text, part.place, name=name)


def _is_one_event(part: Pattern) -> bool:
    return isinstance(part, Leaf) and not part.kleene


def _check_edges(pattern: Pattern, text: str) -> None:
    """Without a window, a negation needs an event that happens on either side."""
    for one in standings(pattern):
        if one.absent is not None and not (one.before and one.after):
            raise problem(NEGATED_EDGE, text, one.absent.place, name=name_of(one.leaf))

"""Checks the shape of a pattern: what may be negated, where, and which forms go together."""

from __future__ import annotations

from collections.abc import Iterator

from sase.errors import problem
from sase.language.messages import MIXED_OPERATORS, NEGATED_EDGE, NEGATED_FORM, NEGATION_ALONE
from sase.language.tree import Absent, And, Leaf, Operator, Pattern, Query, Seq


def check_shape(query: Query, text: str) -> None:
    """QueryError for a negation or an operator where it has no meaning."""
    _check_negations(query.pattern, text)
    _check_operators(query.pattern, text)
    if not has_positive(query.pattern):
        raise problem(NEGATION_ALONE, text, query.pattern.place)
    edge = next(_open_negations(query.pattern, False, False), None)
    if edge is not None and query.within is None:
        raise problem(NEGATED_EDGE, text, edge.place, name=_name(edge.part))


def has_positive(pattern: Pattern) -> bool:
    """Whether at least one event has to happen."""
    match pattern:
        case Seq() | And():
            return any(has_positive(part) for part in pattern.parts)
    return not isinstance(pattern, Absent)


def absent_names(pattern: Pattern) -> Iterator[str]:
    """The names of the negative components."""
    match pattern:
        case Seq() | And():
            for part in pattern.parts:
                yield from absent_names(part)
        case Absent():
            yield _name(pattern.part)


def _name(part: Pattern) -> str:
    return part.var or "_or_".join(part.types) if isinstance(part, Leaf) else ""


def _check_negations(pattern: Pattern, text: str) -> None:
    match pattern:
        case Seq() | And():
            for part in pattern.parts:
                _check_negations(part, text)
        case Absent(part) if not isinstance(part, Leaf) or part.kleene:
            raise problem(NEGATED_FORM, text, pattern.place)


def _check_operators(pattern: Pattern, text: str) -> None:
    match pattern:
        case Seq() | And():
            for part in pattern.parts:
                if isinstance(part, Operator):
                    raise problem(MIXED_OPERATORS, text, part.place, name=part.name)
                _check_operators(part, text)
        case Operator():
            for part in (pattern.left, pattern.right):
                if not isinstance(part, Operator | Leaf) or (isinstance(part, Leaf) and part.kleene):
                    raise problem(MIXED_OPERATORS, text, pattern.place, name=pattern.name)
                _check_operators(part, text)


def _open_negations(pattern: Pattern, before: bool, after: bool) -> Iterator[Absent]:
    """Negations with no event that happens on one side; the flags say what surrounds the pattern."""
    match pattern:
        case Absent() if not (before and after):
            yield pattern
        case And():
            for part in pattern.parts:
                yield from _open_negations(part, before, after)
        case Seq():
            happens = [number for number, part in enumerate(pattern.parts) if has_positive(part)]
            for number, part in enumerate(pattern.parts):
                ahead, behind = happens[:1] < [number], happens[-1:] > [number]
                yield from _open_negations(part, before or ahead, after or behind)

"""Checks and resolves what a query returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sase.check.kinds import kind
from sase.check.references import Resolver
from sase.check.shape import absent_names
from sase.errors import problem
from sase.language.messages import DUPLICATE_RETURN, MANY_VALUES, NEGATIVE_RETURNED, NO_CURRENT, STAR_NAME
from sase.language.tree import Aggregate, Attribute, Expression, Length, Query, Returned
from sase.language.walk import mapped, operands
from sase.language.write import write_expression


def resolved_results(query: Query, resolver: Resolver, text: str) -> tuple[Returned, ...]:
    """The items of RETURN or SELECT, `*` spelt out per component; QueryError if one has no value."""
    absent = frozenset(absent_names(query.pattern))
    found = tuple(item for given in query.returned for item in _items(given, resolver, absent, text))
    for item in found:
        _check_mentions(item.expression, resolver, absent, text)
    _check_distinct(found, text)
    return found


def _items(given: Returned, resolver: Resolver, absent: frozenset[str], text: str) -> Iterator[Returned]:
    expression = given.expression
    if not isinstance(expression, Attribute) or expression.name != "*":
        yield replace(given, expression=mapped(expression, resolver.leaf))
        return
    if given.name is not None:
        raise problem(STAR_NAME, text, given.place)
    if expression.var is not None:
        resolver.component(expression.var, expression.place)
        yield given
        return
    for name in resolver.components:
        if name not in absent:
            yield replace(given, expression=replace(expression, var=name))


def _check_mentions(expression: Expression, resolver: Resolver, absent: frozenset[str], text: str) -> None:
    kind(expression, text)
    for part in operands(expression):
        match part:
            case Attribute(var=var) | Length(var=var) | Aggregate(var=var) if var in absent:
                raise problem(NEGATIVE_RETURNED, text, part.place, name=var)
            case Attribute(index="current" | "previous", var=var) | Aggregate(prefix=True, var=var):
                raise problem(NO_CURRENT, text, part.place, var=var)
            case Attribute(index=None, var=var, name=name) if part is not expression:
                if resolver.components[var or ""].kleene:
                    raise problem(MANY_VALUES, text, part.place, var=var, name=name)


def _check_distinct(found: tuple[Returned, ...], text: str) -> None:
    taken: set[str] = set()
    for item in found:
        name = item.name or write_expression(item.expression)
        if name in taken:
            raise problem(DUPLICATE_RETURN, text, item.place, name=name)
        taken.add(name)

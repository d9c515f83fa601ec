"""Checks RETURN, or the SELECT of the TelegraphCQ form, and spells it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sase.check.components import Components
from sase.check.value_kinds import value_kind
from sase.errors import problem
from sase.language.messages import (
    DUPLICATE_RETURN,
    MANY_VALUES,
    NEGATIVE_RETURNED,
    NO_CURRENT,
    PROBABILITY_RETURNED,
    STAR_NAME,
)
from sase.language.tree import Aggregate, Attribute, Expression, QueryTree, Returned
from sase.language.walk import mapped, mentions
from sase.language.write import returned_name


def checked_return(query: QueryTree, components: Components, text: str) -> tuple[Returned, ...]:
    """The items of RETURN or SELECT, `*` spelt out per component; QueryError if one has no value."""
    found = tuple(item for given in query.returned for item in _items(given, components, text))
    for item in found:
        _check_mentions(item.expression, components, text)
    _check_distinct(found, text)
    for item in found if query.into else ():
        if item.name == "prob":
            raise problem(PROBABILITY_RETURNED, text, item.place)
    return found


def _items(given: Returned, components: Components, text: str) -> Iterator[Returned]:
    expression = given.expression
    if not isinstance(expression, Attribute) or expression.name != "*":
        yield replace(given, expression=mapped(expression, components.tied))
        return
    if given.name is not None:
        raise problem(STAR_NAME, text, given.place)
    if expression.var is not None:
        components.named(expression.var, expression.place)
        yield given
        return
    for name in components.by_name:
        if name not in components.absent:
            yield replace(given, expression=replace(expression, var=name))


def _check_mentions(expression: Expression, components: Components, text: str) -> None:
    value_kind(expression, text)
    for part in mentions(expression):
        if part.var in components.absent:
            raise problem(NEGATIVE_RETURNED, text, part.place, name=part.var)
        match part:
            case Attribute(index="current" | "previous", var=var) | Aggregate(prefix=True, var=var):
                raise problem(NO_CURRENT, text, part.place, var=var)
            case Attribute(index=None, var=var, name=name) if part is not expression:
                if components.by_name[var or ""].kleene:
                    raise problem(MANY_VALUES, text, part.place, var=var, name=name)


def _check_distinct(found: tuple[Returned, ...], text: str) -> None:
    taken: set[str] = set()
    for item in found:
        name = returned_name(item)
        if name in taken:
            raise problem(DUPLICATE_RETURN, text, item.place, name=name)
        taken.add(name)

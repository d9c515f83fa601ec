"""Puts the values given for `$name` into a tree, as data and never as text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from sase.errors import QueryError, did_you_mean, problem
from sase.language.duration import milliseconds, scaled
from sase.language.literal_parser import probability
from sase.language.messages import MISSING_PARAMETER, PARAMETER_VALUE, UNKNOWN_PARAMETER
from sase.language.tree import (
    Constant,
    Equivalence,
    Expression,
    Operator,
    Parameter,
    Pattern,
    QueryTree,
    Returned,
    Value,
    Within,
)
from sase.language.walk import mapped, mapped_condition, mapped_pattern

# Python prints and reads no integer of more than 4300 digits.
_MOST_BITS = 14_000


class Parameters:
    """The values given, and which of them the query has asked for."""

    def __init__(self, values: Mapping[str, Value], text: str) -> None:
        self._values = values
        self._text = text
        self._used: set[str] = set()

    def fill(self, query: QueryTree) -> QueryTree:
        """The query with no parameter left; a value that nothing asks for is an error."""
        filled = replace(
            query,
            pattern=mapped_pattern(query.pattern, self._semantic_window),
            condition=query.condition and mapped_condition(query.condition, self._leaf, self._equivalence),
            within=query.within and self._window(query.within),
            having=self._having(query.having),
            returned=tuple([self._returned(item) for item in query.returned]),
        )
        for name in self._values:
            if name not in self._used:
                near = did_you_mean(name, (f"${used}" for used in self._used))
                raise problem(UNKNOWN_PARAMETER, self._text, query.place, name=name, near=near)
        return filled

    def _value(self, parameter: Parameter) -> str | int | float | bool:
        if parameter.name not in self._values:
            near = did_you_mean(parameter.name, self._values)
            raise problem(MISSING_PARAMETER, self._text, parameter.place, name=parameter.name, near=near)
        self._used.add(parameter.name)
        value = self._values[parameter.name]
        if not isinstance(value, str | int | float) or _is_beyond(value):
            raise self._wrong(parameter, "a text, a finite number, true or false")
        return value

    def _leaf(self, expression: Expression) -> Expression:
        if isinstance(expression, Parameter):
            return Constant(self._value(expression), expression.place)
        return expression

    def _equivalence(self, test: Equivalence) -> Equivalence:
        if isinstance(test.value, Parameter):
            return replace(test, value=Constant(self._value(test.value), test.value.place))
        return test

    def _returned(self, item: Returned) -> Returned:
        return replace(item, expression=mapped(item.expression, self._leaf))

    def _having(self, having: float | Parameter | None) -> float | None:
        if not isinstance(having, Parameter):
            return having
        return probability(self._value(having), self._text, having.place)

    def _window(self, window: Within) -> Within:
        if not isinstance(window.size, Parameter):
            return window
        if window.unit != "events":
            return replace(window, size=self._time(window.size, window), unit="ms")
        size = self._value(window.size)
        if not isinstance(size, int) or isinstance(size, bool):
            raise self._wrong(window.size, "a whole number of events")
        return replace(window, size=size)

    def _time(self, size: Parameter, window: Within | None = None) -> int:
        value = self._value(size)
        unit = "ms" if window is None or window.unit == "events" else window.unit
        length = milliseconds(value) if isinstance(value, str) and unit == "ms" else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            length = scaled(value, unit)
        if length is None:
            raise self._wrong(
                size, "milliseconds or a duration such as '5 min'" if unit == "ms" else "a number"
            )
        return length

    def _semantic_window(self, part: Pattern) -> Pattern:
        if isinstance(part, Operator) and isinstance(part.window, Parameter):
            return replace(part, window=self._time(part.window))
        return part

    def _wrong(self, parameter: Parameter, wanted: str) -> QueryError:
        value = self._values[parameter.name]
        shown = "so big" if isinstance(value, int) and _is_beyond(value) else repr(value)[:60]
        return problem(
            PARAMETER_VALUE, self._text, parameter.place, name=parameter.name, value=shown, wanted=wanted
        )


def _is_beyond(value: str | int | float) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    return isinstance(value, int) and value.bit_length() > _MOST_BITS

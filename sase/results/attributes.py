"""RETURN: the attributes of a composite event, computed from the events of its match."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any

from sase.events.numbers import Number, calculate, written_out
from sase.events.values import plain
from sase.language import tree
from sase.language.write import returned_name

Events = Mapping[str, Any]


def attributes(events: Events, returned: Sequence[tree.Returned]) -> dict[str, Any]:
    if not returned:
        return everything(events)
    values: dict[str, Any] = {}
    for item in returned:
        if isinstance(item.expression, tree.Attribute) and item.expression.name == "*":
            var = item.expression.var or ""
            values |= everything({var: events.get(var, UNBOUND)})
        else:
            values[returned_name(item)] = written_out(value(item.expression, events))
    return values


UNBOUND: Events = {}  # an alias of which ANYONE took the other side
OWN = ("event", "ts")  # an event's type and time are its own, not attributes


def everything(events: Events) -> dict[str, Any]:
    """All attributes of all events as `var.attr`; of a Kleene component the list of its events' values."""
    found: dict[str, Any] = {}
    for name, bound in events.items():
        if isinstance(bound, list):
            for key in dict.fromkeys(key for event in bound for key in event if key not in OWN):
                found[f"{name}.{key}"] = [event.get(key) for event in bound]
        else:
            found |= {f"{name}.{key}": item for key, item in bound.items() if key not in OWN}
    return found


def value(expression: tree.Expression, events: Events) -> Any:
    """What an expression is in a finished match; None where something is missing or no number."""
    match expression:
        case tree.Constant():
            return expression.value
        case tree.Attribute():
            return _attribute(expression, events.get(expression.var or "", UNBOUND))
        case tree.Length():
            return len(events[expression.var])
        case tree.Aggregate():
            return _aggregate(expression, events[expression.var])
        case tree.Minus():
            return _arithmetic("-", 0, value(expression.operand, events))
        case tree.Arithmetic():
            return _arithmetic(expression.op, value(expression.left, events), value(expression.right, events))
    raise TypeError(f"a parameter without a value: {expression}")


def _attribute(ref: tree.Attribute, bound: Any) -> Any:
    if not isinstance(bound, list):
        return bound.get(ref.name)
    match ref.index:
        case "first":
            return bound[0].get(ref.name)
        case "last":
            return bound[-1].get(ref.name)
        case _:
            return [event.get(ref.name) for event in bound]


def _aggregate(ref: tree.Aggregate, bound: list[dict[str, Any]]) -> Any:
    if ref.name is None:
        return len(bound)
    if ref.function in ("first", "last"):
        return bound[0 if ref.function == "first" else -1].get(ref.name)
    present = [event[ref.name] for event in bound if plain(event.get(ref.name)) is not None]
    if ref.function == "count":
        return len(present)
    if not present:
        return None
    if ref.function in ("min", "max"):
        return _extreme(min if ref.function == "min" else max, present)
    total = reduce(lambda so_far, each: _arithmetic("+", so_far, each), present, 0)
    return _arithmetic("/", total, len(present)) if ref.function == "avg" else total


def _extreme(choose: Callable[..., Any], present: list[Any]) -> Any:
    """The least or greatest as it came in; None where they have no order."""
    texts = [isinstance(plain(each), str) for each in present]
    numbers = [_number(each) is not None for each in present]
    return choose(present, key=plain) if all(texts) or all(numbers) else None


def _arithmetic(op: str, left: Any, right: Any) -> Any:
    """None where a condition would have no number: with a text, a list, NaN, or divided by zero."""
    left, right = _number(left), _number(right)
    return None if left is None or right is None else _number(calculate(op, left, right))


def _number(value: Any) -> Number | None:
    found = plain(value)
    if isinstance(found, float) and math.isnan(found):
        return None
    return found if isinstance(found, int | float | Fraction | Decimal) else None

"""The composite event a match becomes, by definition: the attributes of RETURN, or all as `var.attr`."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

from sase.language import tree
from sase.language.write import returned_name
from tests.sase.oracle import conditions, places, values
from tests.sase.oracle.conditions import Event
from tests.sase.oracle.definition import OracleMatch

OWN = {"event", "ts"}  # what every event has is no attribute


def attributes(query: tree.QueryTree, match: OracleMatch, events: list[Event]) -> dict[str, Any]:
    bound = {name: tuple(events[i] for i in _positions(at)) for name, at in match.events.items()}
    held = defaultdict(lambda: ({},), bound)  # ANYONE leaves an alias unbound: nothing is known of it
    many = {places.var(leaf) for leaf in places.positives(query.pattern) if leaf.kleene}
    stars = tuple(tree.Returned(tree.Attribute(name, "*")) for name in bound)
    found: dict[str, Any] = {}
    for item in query.returned or stars:
        found |= _item(item, held, many)
    return found


def _positions(at: int | list[int]) -> list[int]:
    return at if isinstance(at, list) else [at]


def _item(item: tree.Returned, held: conditions.Events, many: set[str]) -> dict[str, Any]:
    match item.expression:
        case tree.Attribute(str(var), "*"):
            names = sorted({name for event in held[var] for name in event} - OWN)
            return {f"{var}.{name}": _plain(held, many, var, name) for name in names}
        case tree.Attribute(str(var), name, None):
            return {item.name or f"{var}.{name}": _plain(held, many, var, name)}
    value = conditions.evaluate(item.expression, held, {})
    nothing = value is values.MISSING or (isinstance(value, float) and math.isnan(value))
    return {returned_name(item): None if nothing else value}


def _plain(held: conditions.Events, many: set[str], var: str, name: str) -> Any:
    return [event.get(name) for event in held[var]] if var in many else held[var][0].get(name)

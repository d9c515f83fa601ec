"""How a condition refers to the components of a pattern: what decides when it can be tested."""

from __future__ import annotations

from sase.language import tree
from sase.language.walk import mentions
from sase.plan.normal import Simple
from sase.plan.structure import Component, Structure

Roles = frozenset[str]
POINT = "point"  # the event of a single component, or a[1]
EACH = "each"  # a.attr of a Kleene component: every event
CURRENT = "current"  # a[i]: every event but the first
BACK = "back"  # a[i-1], aggregates over a[..i-1]
CLOSING = "closing"  # a[a.LEN], a.LEN, aggregates over a[]: known once the component is closed
RANGING = frozenset({EACH, CURRENT, BACK})


def roles(condition: Simple, shape: Structure) -> dict[int, Roles]:
    """The positive components that a condition refers to, and how."""
    found: dict[int, set[str]] = {}
    for mention in mentions(condition):
        component = None if mention.var is None else shape.index(mention.var)
        if component is not None:
            found.setdefault(component, set()).add(_role(mention, shape.components[component]))
    return {c: frozenset(names) for c, names in found.items()}


def _role(ref: tree.Attribute | tree.Length | tree.Aggregate, component: Component) -> str:
    match ref:
        case tree.Length():
            return CLOSING
        case tree.Aggregate():
            return BACK if ref.prefix else CLOSING
        case _ if not component.kleene or ref.index == "first":
            return POINT
        case _ if ref.index is None:
            return EACH
        case _:
            return {"current": CURRENT, "previous": BACK, "last": CLOSING}[ref.index]


def is_local(mentioned: dict[int, Roles]) -> bool:
    """Whether one event alone decides the condition, so that it can be tested before any matching."""
    (own, *others) = mentioned.values() or (frozenset(),)
    return not others and own in ({POINT}, {EACH}, {CURRENT})

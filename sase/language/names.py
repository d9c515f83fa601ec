"""Gives every component of a pattern its name: its variable, or else one made from its types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from sase.language.tree import Leaf, Pattern
from sase.language.walk import leaves, mapped_leaves


def named(pattern: Pattern) -> Pattern:
    """The same pattern with a variable on every leaf; a second unnamed `T` becomes `T_2`."""
    fresh = _named_leaves(tuple(leaves(pattern)))
    return mapped_leaves(pattern, lambda _: next(fresh))


def name_of(leaf: Leaf) -> str:
    """What a component is called as long as no other is called so."""
    return leaf.var or "_or_".join(leaf.types)


def components(pattern: Pattern) -> dict[str, Leaf]:
    """The components by name; of two with one name the first."""
    found: dict[str, Leaf] = {}
    for leaf in _named_leaves(tuple(leaves(pattern))):
        found.setdefault(leaf.var or "", leaf)
    return found


def _named_leaves(found: tuple[Leaf, ...]) -> Iterator[Leaf]:
    taken = {leaf.var for leaf in found if leaf.var is not None}
    numbered: dict[str, Iterator[str]] = {}
    for leaf in found:
        if leaf.var is not None:
            yield leaf
            continue
        name = name_of(leaf)
        candidates = numbered.setdefault(name, _numbered(name))
        free = next(candidate for candidate in candidates if candidate not in taken)
        taken.add(free)
        yield replace(leaf, var=free)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))

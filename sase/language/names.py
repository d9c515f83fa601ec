"""Gives every component of a pattern its name: its variable, or else one made from its types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from sase.language.tree import Absent, And, Leaf, Operator, Pattern, Seq, leaves


def named(pattern: Pattern) -> Pattern:
    """The same pattern with a variable on every leaf; a second unnamed `T` becomes `T_2`."""
    return rebuilt(pattern, _named_leaves(tuple(leaves(pattern))))


def components(pattern: Pattern) -> dict[str, Leaf]:
    """The components by name; of two with one name the first."""
    found: dict[str, Leaf] = {}
    for leaf in leaves(named(pattern)):
        found.setdefault(leaf.var or "", leaf)
    return found


def rebuilt(pattern: Pattern, fresh: Iterator[Leaf]) -> Pattern:
    """The same shape with other leaves, given in the order of the text."""
    match pattern:
        case Leaf():
            return next(fresh)
        case Seq() | And():
            return replace(pattern, parts=tuple([rebuilt(part, fresh) for part in pattern.parts]))
        case Absent():
            return replace(pattern, part=rebuilt(pattern.part, fresh))
        case Operator():
            left = rebuilt(pattern.left, fresh)
            return replace(pattern, left=left, right=rebuilt(pattern.right, fresh))


def _named_leaves(found: tuple[Leaf, ...]) -> Iterator[Leaf]:
    taken = {leaf.var for leaf in found if leaf.var is not None}
    numbered: dict[str, Iterator[str]] = {}
    for leaf in found:
        if leaf.var is not None:
            yield leaf
            continue
        name = "_or_".join(leaf.types)
        candidates = numbered.setdefault(name, _numbered(name))
        free = next(candidate for candidate in candidates if candidate not in taken)
        taken.add(free)
        yield replace(leaf, var=free)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))

"""Where components stand in a pattern: which comes before which, and where a negative one is sought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

from sase.language import tree


def var(leaf: tree.Leaf) -> str:
    assert leaf.var is not None
    return leaf.var


def positives(pattern: tree.Pattern) -> Iterator[tree.Leaf]:
    match pattern:
        case tree.Leaf():
            yield pattern
        case tree.Seq(parts) | tree.And(parts):
            for part in parts:
                yield from positives(part)


def names(pattern: tree.Pattern) -> frozenset[str]:
    return frozenset(var(leaf) for leaf in positives(pattern))


def precedences(pattern: tree.Pattern) -> Iterator[tuple[str, str]]:
    """Pairs (x, y): every event of x comes before every event of y."""
    if isinstance(pattern, tree.Seq):
        for earlier, later in combinations(pattern.parts, 2):
            yield from product(names(earlier), names(later))
    if isinstance(pattern, tree.Seq | tree.And):
        for part in pattern.parts:
            yield from precedences(part)


@dataclass(frozen=True)
class Gap:
    """A negative component: after all of `after` and before all of `before`; None is the window's edge."""

    leaf: tree.Leaf
    after: frozenset[str] | None = None
    before: frozenset[str] | None = None


def gaps(pattern: tree.Pattern, outer: Gap | None = None) -> Iterator[Gap]:
    """The nearest positive neighbours in the innermost SEQ, else those of the pattern around it."""
    outer = outer or Gap(tree.Leaf(()))
    match pattern:
        case tree.Absent(tree.Leaf() as leaf):
            yield replace(outer, leaf=leaf)
        case tree.And(parts):
            for part in parts:
                yield from gaps(part, outer)
        case tree.Seq(parts):
            for place, part in enumerate(parts):
                after = _nearest(parts[:place][::-1]) or outer.after
                before = _nearest(parts[place + 1 :]) or outer.before
                yield from gaps(part, replace(outer, after=after, before=before))


def _nearest(parts: tuple[tree.Pattern, ...]) -> frozenset[str] | None:
    return next((names(part) for part in parts if names(part)), None)

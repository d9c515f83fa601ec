"""The pattern without its conditions: its components in their order, and where one must be absent."""

from __future__ import annotations

from dataclasses import dataclass

from sase.language import tree
from sase.language.walk import happening, patterns, standings


@dataclass(frozen=True, slots=True)
class Component:
    """A positive component; `after` names the components that must be over before it may begin."""

    name: str
    types: tuple[str, ...]
    kleene: bool
    after: frozenset[int]


@dataclass(frozen=True, slots=True)
class Negative:
    """A negative component: none after the last event of `low` and before the first of `high`."""

    name: str
    types: tuple[str, ...]
    low: frozenset[int]
    high: frozenset[int]


@dataclass(frozen=True, slots=True)
class Structure:
    components: tuple[Component, ...]
    negatives: tuple[Negative, ...]

    def index(self, name: str) -> int | None:
        return next((i for i, c in enumerate(self.components) if c.name == name), None)

    @property
    def in_order(self) -> bool:
        """Whether each component comes after all before it in the text: a plain sequence."""
        return all(c.after == frozenset(range(i)) for i, c in enumerate(self.components))

    @property
    def trailing(self) -> bool:
        """Whether a negative component stands at the end, up to the end of the window."""
        return any(not negative.high for negative in self.negatives)

    @property
    def leading(self) -> bool:
        """Whether a negative component stands at the beginning, from the start of the window on."""
        return any(not negative.low for negative in self.negatives)


def structure(pattern: tree.Pattern) -> Structure:
    """Number the positive components in the order of the text; the order in time is a partial one (AND)."""
    if has_operator(pattern):
        raise TypeError(f"not a plain pattern: {pattern}")
    numbers = {leaf.var: number for number, leaf in enumerate(happening(pattern))}
    components: list[Component] = []
    negatives: list[Negative] = []
    for one in standings(pattern):
        low, high = (frozenset(numbers[leaf.var] for leaf in side) for side in (one.before, one.after))
        name, types = one.leaf.var or "", one.leaf.types
        if one.absent is None:
            over = low.union(*(components[number].after for number in low))
            components.append(Component(name, types, one.leaf.kleene, over))
        else:
            negatives.append(Negative(name, types, low, high))
    return Structure(tuple(components), tuple(negatives))


def has_operator(pattern: tree.Pattern) -> bool:
    """Whether some part of the pattern has a window of its own."""
    return any(isinstance(part, tree.Operator) for part in patterns(pattern))

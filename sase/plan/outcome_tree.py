"""A pattern of operators with windows of their own as a tree of nodes, each with the conditions tested there.

The alternatives of OR are trees of their own under one root; what they have in common is there once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from sase.language import tree
from sase.language.walk import happening, leaves
from sase.plan.normal import Simple, names

Form = Literal["LEAF", "FOLLOWS", "BOTH", "NOTFOLLOWS", "NOTPRECEDES", "ANYONE"]


@dataclass(frozen=True, slots=True)
class OutcomeNode:
    """Makes outcomes from those of the nodes below it, which it knows by their numbers."""

    form: Form
    below: tuple[int, ...]  # left, right
    window: int
    names: tuple[str, ...]  # the aliases that its outcomes may bind
    always: frozenset[str]  # those that all of them bind
    tests: tuple[Simple, ...]  # of a leaf: on its event alone; for what is absent: what rules out
    happens: bool  # else it is part of what is absent
    types: tuple[str, ...] = ()  # of a leaf
    carried: tuple[str, ...] = ()  # what an event of a leaf must carry, beyond what all must

    @property
    def negates(self) -> bool:
        return self.form in ("NOTFOLLOWS", "NOTPRECEDES")


@dataclass(frozen=True, slots=True)
class Demands:
    """What an alternative asks of events."""

    conditions: tuple[Simple, ...]
    carried: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeTree:
    names: tuple[str, ...]  # of all aliases, those that happen first
    happening: int  # how many happen
    nodes: tuple[OutcomeNode, ...]  # children before parents, the root last

    @property
    def varies(self) -> tuple[bool, ...]:
        """Per node whether the same events may make an outcome in two ways, or at two moments."""
        found: list[bool] = []
        for node in self.nodes:
            below = [found[child] for child in node.below[: 1 if node.negates else 2]]
            found.append(node.form == "ANYONE" or any(below))
        return tuple(found)

    @property
    def kept_for(self) -> tuple[int, ...]:
        """Per node for how long its parents look for its outcomes; 0: they never do."""
        found = [0] * len(self.nodes)
        for node in self.nodes:
            for child, length in zip(node.below, _kept(node), strict=True):
                found[child] = max(found[child], length)
        return tuple(found)

    @property
    def reach(self) -> int:
        """The largest sum of windows along a path from the root to a leaf."""
        found: list[int] = []
        for node in self.nodes:
            found.append(node.window + max((found[child] for child in node.below), default=0))
        return found[-1]


def outcome_tree(pattern: tree.Pattern, alternatives: Iterable[Demands]) -> OutcomeTree:
    positive = tuple(dict.fromkeys(leaf.var or "" for leaf in happening(pattern)))
    every = dict.fromkeys((*positive, *(leaf.var or "" for leaf in leaves(pattern))))
    planter = _Planter(tuple(every))
    roots = [planter.plant(pattern, demands, True) for demands in alternatives]
    root = reduce(planter.anyone, dict.fromkeys(roots))
    nodes = tuple(planter.nodes)
    assert root == len(nodes) - 1
    return OutcomeTree(tuple(every), len(positive), nodes)


def always_bound(pattern: tree.Pattern) -> frozenset[str]:
    """The aliases that every outcome of a pattern binds."""
    match pattern:
        case tree.Leaf(var=var):
            return frozenset({var or ""})
        case tree.Operator("ANYONE", left, right):
            return always_bound(left) & always_bound(right)
        case tree.Operator(negates=True, left=left):
            return always_bound(left)
        case tree.Operator(_, left, right):
            return always_bound(left) | always_bound(right)
    raise TypeError(f"not made of operators: {pattern}")


class _Planter:
    """Adds nodes to a forest in which equal ones are one."""

    def __init__(self, order: tuple[str, ...]) -> None:
        self._order = order
        self.nodes: dict[OutcomeNode, int] = {}

    def plant(self, pattern: tree.Pattern, demands: Demands, happens: bool) -> int:
        """The number of the pattern's node."""
        match pattern:
            case tree.Leaf():
                return self._leaf(pattern, demands, happens)
            case tree.Operator("PRECEDES", left, right, window, place):
                turned = tree.Operator("FOLLOWS", right, left, window, place)
                return self.plant(turned, demands, happens)
            case tree.Operator(name, left, right):
                first = self.plant(left, demands, happens)
                second = self.plant(right, demands, happens and not pattern.negates)
                if name == "ANYONE":
                    return self.anyone(first, second)
                return self._operator(pattern, (first, second), demands, happens)
        raise TypeError(f"not made of operators: {pattern}")

    def anyone(self, left: int, right: int) -> int:
        one, other = self._node(left), self._node(right)
        found = self._in_order({*one.names, *other.names})
        return self._add(
            OutcomeNode("ANYONE", (left, right), 0, found, one.always & other.always, (), one.happens)
        )

    def _leaf(self, leaf: tree.Leaf, demands: Demands, happens: bool) -> int:
        name, types = leaf.var or "", tuple(sorted(leaf.types))
        # A condition on nothing at all decides whether anything happens.
        own = tuple(c for c in demands.conditions if names(c) == {name} or (happens and not names(c)))
        always = frozenset({name})
        return self._add(OutcomeNode("LEAF", (), 0, (name,), always, own, happens, types, demands.carried))

    def _operator(
        self, operator: tree.Operator, below: tuple[int, int], demands: Demands, happens: bool
    ) -> int:
        left, right = (self._node(child) for child in below)
        tests = tuple(c for c in demands.conditions if _is_known_here(names(c), left, right))
        bound, always = {*left.names, *right.names}, left.always | right.always
        if operator.negates:
            bound, always = {*left.names}, left.always
        assert operator.name != "PRECEDES"
        assert isinstance(operator.window, int)
        names_ = self._in_order(bound)
        return self._add(OutcomeNode(operator.name, below, operator.window, names_, always, tests, happens))

    def _add(self, node: OutcomeNode) -> int:
        return self.nodes.setdefault(node, len(self.nodes))

    def _node(self, number: int) -> OutcomeNode:
        return list(self.nodes)[number]

    def _in_order(self, found: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self._order if name in found)


def _is_known_here(mentioned: frozenset[str], left: OutcomeNode, right: OutcomeNode) -> bool:
    """Whether a condition takes both sides, and neither has always tested it by itself."""
    both = mentioned & {*left.names} and mentioned & {*right.names}
    known = mentioned <= {*left.names, *right.names}
    return bool(both and known and not mentioned <= left.always and not mentioned <= right.always)


def _kept(node: OutcomeNode) -> tuple[int, ...]:
    """For how long a node looks for outcomes on its left and on its right.

    At the end of its window NOTFOLLOWS still asks for what came when it opened.
    """
    length = node.window
    match node.form:
        case "FOLLOWS":
            return length, 0
        case "BOTH":
            return length, length
        case "NOTFOLLOWS":
            return length + 1, length + 1
        case "NOTPRECEDES":
            return 0, length
        case "ANYONE":
            return 0, 0
    return ()

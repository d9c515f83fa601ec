"""A tree of operators with windows of their own (TelegraphCQ/HiFi 3.3): what each node tests and keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sase.operators.absence import AbsencePlan
from sase.operators.emission import EmissionPlan
from sase.operators.machine import Matching
from sase.operators.scan import Candidate, ScanPlan
from sase.operators.tree.machine import TreeMachine
from sase.operators.tree.shape import OperatorShape
from sase.operators.waiting import WaitingPlan
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode, Check
from sase.plan.explain import together
from sase.plan.normal import Simple
from sase.plan.operator_alternative import OperatorAlternative
from sase.plan.outcome_tree import OutcomeNode, OutcomeTree
from sase.plan.registers import ComponentSlots, RegisterSlots, RunSlots
from sase.plan.structure import Component, Structure
from sase.plan.window import Window

MOST_BITS = 62  # of an event; a leaf that happens takes two


@dataclass(frozen=True, slots=True)
class TreePlan(Matching):
    shape: OperatorShape

    @property
    def conditions(self) -> tuple[Simple, ...]:
        nodes = self.shape.tree.nodes
        return tuple(test for node in nodes if node.below or not self.shape.pushed for test in node.tests)

    @property
    def kernel(self) -> str:
        return "a tree of operators: outcomes go up, and each keeps what it looks for later"

    @property
    def doubted_at(self) -> str:
        return "at every outcome of every operator, and at every event that would rule it out"

    @property
    def match_slots(self) -> RegisterSlots:
        return ComponentSlots()

    def explain(self) -> Iterator[str]:
        yield f"Reach         {self.window.size:,} ms: the largest sum of windows along a path"
        yield "Operators     from the leaves up"
        yield from _lines(self.shape.tree, len(self.shape.tree.nodes) - 1, 1)

    def machine(
        self, joins: ByteCode, absence: AbsencePlan, waiting: WaitingPlan, emission: EmissionPlan
    ) -> TreeMachine:
        return TreeMachine(self.shape, joins, absence, waiting, emission)


def _lines(tree: OutcomeTree, number: int, depth: int) -> Iterator[str]:
    node, indent = tree.nodes[number], "  " * depth
    if not node.below:
        yield f"{indent}{'' if node.happens else 'no '}{node.names[0]}: {' or '.join(node.types)}"
        return
    window = f" {node.window:,} ms" if node.window else ""
    test = f"; tests {together(node.tests)}" if node.tests else ""
    yield f"{indent}{node.form}{window}: woken by {_wakes(tree, node)}; keeps {_keeps(tree, node)}{test}"
    for child in node.below:
        yield from _lines(tree, child, depth + 1)


def _wakes(tree: OutcomeTree, node: OutcomeNode) -> str:
    left, right = (_short(tree, child) for child in node.below)
    match node.form:
        case "FOLLOWS":
            return right
        case "NOTPRECEDES":
            return left
        case "NOTFOLLOWS":
            return f"{left}, and by the end of its window"
    return f"{left} and {right}"


def _keeps(tree: OutcomeTree, node: OutcomeNode) -> str:
    left, right = (_short(tree, child) for child in node.below)
    length = f"for {node.window:,} ms"
    match node.form:
        case "FOLLOWS":
            return f"{left} {length}"
        case "NOTPRECEDES":
            return f"{right} {length}"
        case "ANYONE":
            return "nothing"
    return f"{left} and {right} {length}"


def _short(tree: OutcomeTree, number: int) -> str:
    node = tree.nodes[number]
    if not node.below:
        return node.names[0]
    return f"{node.form}({', '.join(_short(tree, child) for child in node.below)})"


def plan_tree(alternative: OperatorAlternative, joiner: Assembler) -> TreePlan:
    tree, options = alternative.tree, alternative.options
    bits = LeafBits.of(alternative)
    checks = tuple(_checks(node, joiner, bits.pushed) for node in tree.nodes)
    shape = OperatorShape(
        tree,
        checks,
        bits.pushed,
        options.push_window,
        bits.by_node,
        alternative.limits.partial_matches,
        alternative.least is not None,
    )
    return TreePlan(tree.names[: tree.happening], operators_window(alternative), shape)


def operators_window(alternative: OperatorAlternative) -> Window:
    """How far back events matter, taken together."""
    return Window(alternative.tree.reach, "ms", alternative.options.push_window)


def aliases(tree: OutcomeTree) -> Structure:
    """Every alias as a component, absent ones too: conditions know them by their numbers."""
    return Structure(tuple(Component(name, (), False, frozenset()) for name in tree.names), ())


def leaves_that_happen(alternative: OperatorAlternative) -> Structure:
    """What can be used up by NON-OVERLAP."""
    found = [leaf for leaf in LeafBits.of(alternative).leaves if leaf.happens]
    return Structure(tuple(Component(leaf.names[0], leaf.types, False, frozenset()) for leaf in found), ())


def scan_tree(alternative: OperatorAlternative) -> ScanPlan:
    tree, bits = alternative.tree, LeafBits.of(alternative)
    scanner = Assembler(aliases(tree))
    candidates = []
    for leaf in bits.leaves:
        name = leaf.names[0]
        checks = scanner.add([Check(test, tree.names.index(name), True) for test in leaf.tests], RunSlots())
        label = name if leaf.happens else f"!{name}"
        candidates.append(Candidate(bits[leaf], label, leaf.types, leaf.tests, checks, leaf.carried))
    return ScanPlan(tuple(candidates), scanner.finished(), alternative.partitioning)


@dataclass(frozen=True, slots=True)
class LeafBits:
    """What the scan can say of an event: which leaves it may be, with their conditions or without."""

    tree: OutcomeTree
    pushed: bool  # the scan tests conditions; else one bit serves all leaves of an alias

    @classmethod
    def of(cls, alternative: OperatorAlternative) -> LeafBits:
        """With conditions, unless the alternatives have more leaves than there are bits."""
        pushed = cls(alternative.tree, alternative.options.push_predicates)
        return pushed if pushed.fits else cls(alternative.tree, False)

    @property
    def leaves(self) -> tuple[OutcomeNode, ...]:
        """As the scan sees them, those that happen first."""
        found = dict.fromkeys(self._seen(node) for node in self.tree.nodes if not node.below)
        return tuple(sorted(found, key=lambda leaf: not leaf.happens))

    def __getitem__(self, leaf: OutcomeNode) -> int:
        """Those that happen leave as many bits free."""
        number = self.leaves.index(leaf)
        return number if leaf.happens else number + self._happening

    @property
    def by_node(self) -> tuple[int, ...]:
        return tuple(-1 if node.below else self[self._seen(node)] for node in self.tree.nodes)

    @property
    def fits(self) -> bool:
        return len(self.leaves) + self._happening <= MOST_BITS

    @property
    def _happening(self) -> int:
        return sum(leaf.happens for leaf in self.leaves)

    def _seen(self, leaf: OutcomeNode) -> OutcomeNode:
        return leaf if self.pushed else replace(leaf, tests=())


def _checks(node: OutcomeNode, joiner: Assembler, pushed: bool) -> range:
    tests = () if pushed and not node.below else node.tests
    return joiner.add([Check(test, None, False) for test in tests], ComponentSlots())

"""A tree of operators with windows of their own (TelegraphCQ/HiFi 3.3): what each node tests and keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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

MOST_LEAVES = 62  # bits of an event; those that happen take two


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
    pushed = options.push_predicates
    checks = tuple(_checks(node, joiner, pushed) for node in tree.nodes)
    shape = OperatorShape(
        tree, checks, pushed, options.push_window, _bits(tree), alternative.limits.partial_matches
    )
    return TreePlan(tree.names[: tree.happening], operators_window(alternative), shape)


def operators_window(alternative: OperatorAlternative) -> Window:
    """How far back events matter, taken together."""
    return Window(alternative.tree.reach, "ms", alternative.options.push_window)


def aliases(tree: OutcomeTree) -> Structure:
    """Every alias as a component, absent ones too: conditions know them by their numbers."""
    return Structure(tuple(Component(name, (), False, frozenset()) for name in tree.names), ())


def leaves_that_happen(tree: OutcomeTree) -> Structure:
    """What can be used up by NON-OVERLAP."""
    found = [node for node in tree.nodes if not node.below and node.happens]
    return Structure(tuple(Component(node.names[0], node.types, False, frozenset()) for node in found), ())


def scan_tree(alternative: OperatorAlternative) -> ScanPlan:
    tree = alternative.tree
    scanner = Assembler(aliases(tree))
    candidates = []
    for node, bit in zip(tree.nodes, _bits(tree), strict=True):
        if not node.below:
            name = node.names[0]
            tests = node.tests if alternative.options.push_predicates else ()
            checks = scanner.add([Check(test, tree.names.index(name), True) for test in tests], RunSlots())
            label = name if node.happens else f"!{name}"
            candidates.append(Candidate(bit, label, node.types, tests, checks, node.carried))
    return ScanPlan(tuple(candidates), scanner.finished(), alternative.partitioning)


def _checks(node: OutcomeNode, joiner: Assembler, pushed: bool) -> range:
    tests = () if pushed and not node.below else node.tests
    return joiner.add([Check(test, None, False) for test in tests], ComponentSlots())


def _bits(tree: OutcomeTree) -> tuple[int, ...]:
    """Per leaf its bit: those that happen come first, and leave as many free; -1 for other nodes."""
    happening = sum(not node.below and node.happens for node in tree.nodes)
    first, second = iter(range(happening)), iter(range(2 * happening, MOST_LEAVES))
    try:
        return tuple(-1 if node.below else next(first if node.happens else second) for node in tree.nodes)
    except StopIteration:
        raise OverflowError("its alternatives have too many leaves") from None

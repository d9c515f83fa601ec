"""The plan of one alternative: scan, what matches (stacks, runs or a tree), absence, waiting and emission."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sase.language import tree
from sase.language.walk import mentions
from sase.operators.absence import AbsencePlan, plan_absence
from sase.operators.emission import EmissionPlan, plan_emission
from sase.operators.likelihood import plan_likelihood
from sase.operators.machine import Machine, Matching
from sase.operators.part import PlanPart
from sase.operators.pruning import PruningPlan, explain_pruning
from sase.operators.runs.plan import plan_runs
from sase.operators.scan import ScanPlan, plan_scan
from sase.operators.stacks import plan_stacks, stacks_suffice
from sase.operators.tree.plan import aliases, leaves_that_happen, plan_tree, scan_tree
from sase.operators.waiting import WaitingPlan, plan_waiting
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode
from sase.plan.operator_alternative import OperatorAlternative


@dataclass(frozen=True, slots=True)
class Plan:
    scan: ScanPlan
    joins: ByteCode  # the conditions over several events; matching and absence know them by their numbers
    matching: Matching
    absence: AbsencePlan
    waiting: WaitingPlan
    emission: EmissionPlan
    pruning: PruningPlan | None = None  # what constraints do for it

    @property
    def parts(self) -> tuple[PlanPart, ...]:
        """From the events upwards."""
        return self.scan, self.matching, self.absence, self.waiting, self.emission

    @property
    def reach(self) -> int:
        """How far back events matter, in what the window counts."""
        return max(part.reach for part in self.parts)

    @property
    def has_deadlines(self) -> bool:
        """Whether time alone can complete a match."""
        return any(part.has_deadlines for part in self.parts)

    @property
    def attributes(self) -> frozenset[str]:
        """Every attribute that matching reads."""
        return frozenset().union(*(part.attributes for part in self.parts))

    @property
    def counts_events(self) -> bool:
        """Whether the clock of its window is the position in the stream, not the time."""
        return self.matching.window.counts_events

    @property
    def counts_all(self) -> bool:
        """Whether events that no component wants matter, because the query counts or forbids them."""
        return self.counts_events or self.matching.contiguity is not None

    @property
    def sorts_strings(self) -> bool:
        """Whether two values that may be strings are ordered."""
        return any(_orders_strings(condition) for part in self.parts for condition in part.conditions)

    def machine(self) -> Machine:
        return self.matching.machine(self.joins, self.absence, self.waiting, self.emission)

    def explain(self) -> Iterator[str]:
        yield f"Scan          {self.matching.kernel}"
        for part in self.parts:
            yield from part.explain()
        if self.pruning is not None:
            yield from explain_pruning(self.pruning)


def plans(alternatives: Iterable[Alternative]) -> tuple[Plan, ...]:
    """Push every condition as far down as it goes (SASE 4.3), and choose what matches."""
    return tuple(map(_plan, alternatives))


def operator_plan(alternative: OperatorAlternative) -> Plan:
    """The same for operators with windows of their own, which see themselves to what is absent there."""
    joiner = Assembler(aliases(alternative.tree))
    matching = plan_tree(alternative, joiner)
    waits = any(node.form == "NOTFOLLOWS" for node in alternative.tree.nodes)
    limits = alternative.limits
    likelihood = plan_likelihood(alternative.least, matching.shape.united, matching.doubted_at, joiner)
    return Plan(
        scan_tree(alternative),
        joiner.finished(),
        matching,
        AbsencePlan(leaves_that_happen(alternative), matching.window, (), (), ()),
        WaitingPlan(matching.window, waits),
        EmissionPlan(alternative.output, False, limits.matches_per_event, limits.matches_at_once, likelihood),
    )


def _plan(alternative: Alternative) -> Plan:
    joiner = Assembler(alternative.shape)
    matching = _matching(alternative, joiner)
    absence = plan_absence(alternative, joiner, matching.match_slots)
    emission = plan_emission(alternative, matching.doubted_at, joiner)
    return Plan(
        plan_scan(alternative), joiner.finished(), matching, absence, plan_waiting(alternative), emission
    )


def _matching(alternative: Alternative, joiner: Assembler) -> Matching:
    """Stacks where they suffice: they do no work before an event of the last component comes."""
    if stacks_suffice(alternative):
        return plan_stacks(alternative, joiner)
    return plan_runs(alternative, joiner)


def _orders_strings(condition: tree.Condition) -> bool:
    match condition:
        case tree.AllOf() | tree.AnyOf():
            return any(_orders_strings(part) for part in condition.parts)
        case tree.Comparison():
            aggregates = (r for r in mentions(condition) if isinstance(r, tree.Aggregate))
            if any(r.function in ("min", "max") for r in aggregates):
                return True
            return condition.op not in ("=", "!=") and all(
                isinstance(side, tree.Attribute | tree.Aggregate)
                or (isinstance(side, tree.Constant) and isinstance(side.value, str))
                for side in (condition.left, condition.right)
            )
    return False

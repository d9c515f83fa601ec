"""A query beside constraints: which of them serve it, how their cases are watched, whether it can match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sase.constraints.completing import Demand, Prospects
from sase.constraints.declared import CaseGroup, Constraints
from sase.constraints.messages import IMPOSSIBLE
from sase.constraints.obeying import CaseRules, CaseState, bits, union
from sase.constraints.states import CaseStates
from sase.errors import problem
from sase.language import tree
from sase.operators.plan import Plan
from sase.operators.pruning import PruningPlan
from sase.operators.watch import CaseMemory, WatchPlan
from sase.options import Options
from sase.plan.normal import names
from sase.plan.structure import structure
from sase.plan.window import FOREVER

NOTHING_BEGUN: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared beside a query."""

    constraints: Constraints | None = None
    memory: CaseMemory | None = None  # of a case without FOR; None: as long as the query's own window
    early: bool = True  # a negated end may be reported before its deadline
    types: frozenset[str] = frozenset()  # that other queries read: their events are events of the cases, too

    @property
    def groups(self) -> tuple[CaseGroup, ...]:
        return () if self.constraints is None else self.constraints.groups


UNDECLARED = Declared()


def planned_for(options: Options, declared: Declared) -> Options:
    """Partitions are what cases are found by: beside constraints they cannot be switched off."""
    if not declared.groups:
        return options
    return replace(options, partition=True, partition_all=True, instance_pointers=True, index_negation=True)


def watching(query: tree.QueryTree, plans: Sequence[Plan], declared: Declared) -> tuple[Plan, ...]:
    """The plans with eyes for what the constraints speak of, and for what keeps their cases in memory."""
    if declared.constraints is None:
        return tuple(plans)
    memories = [_memory(group, query, plans, declared) for group in declared.groups]
    types = declared.constraints.types.union(*(_beside(memory, plans, declared) for memory in memories))
    cases = tuple(_numbered(group, plans) for group in declared.groups)
    return tuple(replace(plan, scan=replace(plan.scan, watched=types, cases=cases)) for plan in plans)


def watch_plans(query: tree.QueryTree, plans: Sequence[Plan], declared: Declared) -> tuple[WatchPlan, ...]:
    return tuple(
        WatchPlan(
            group,
            _numbered(group, plans),
            _memory(group, query, plans, declared),
            query.having is not None,
            _beside(_memory(group, query, plans, declared), plans, declared).union(
                *(plan.scan.types for plan in plans)
            ),
            CaseStates(group),
        )
        for group in declared.groups
    )


def pruned(
    query: tree.QueryTree, plans: Sequence[Plan], watched: Sequence[WatchPlan], early: bool
) -> tuple[Plan, ...]:
    """The plans with what the constraints that serve do for them."""
    serving = [
        number
        for number, each in enumerate(watched)
        if serves(each.group, query, plans) and outlasts(each.memory, query)
    ]
    return tuple(_pruned(plan, query, serving, watched, early) for plan in plans) if serving else tuple(plans)


def _pruned(
    plan: Plan, query: tree.QueryTree, serving: Sequence[int], watched: Sequence[WatchPlan], early: bool
) -> Plan:
    partial, first = plan.matching.partial, watched[serving[0]]
    assert partial is not None, "operators are left alone"
    # What NON-OVERLAP has used up is known at deadlines only, and one counted in events has no time yet.
    releases = early and plan.waiting.waits and not plan.emission.once and not plan.counts_events
    pruning = PruningPlan(
        tuple(serving),
        tuple(watched[number].states for number in serving),
        first.numbered,
        demand(query, plan),
        partial,
        releases,
        {*first.group.by} <= {*plan.scan.partitioning.keys},
        query.strategy is None or query.strategy.name == "skip_till_any_match",
    )
    for states in pruning.states:
        states.heed(pruning.heeds)
    return replace(plan, scan=replace(plan.scan, settling=releases), pruning=pruning)


def serves(group: CaseGroup, query: tree.QueryTree, plans: Sequence[Plan]) -> bool:
    """Whether the query's events are all of one case: its equivalence tests say so in every alternative, and
    no event among them ends it."""
    if isinstance(query.pattern, tree.Operator) or group.until:
        return False
    return all({*group.by} <= {*plan.scan.partitioning.required} for plan in plans)


def outlasts(memory: CaseMemory, query: tree.QueryTree) -> bool:
    """Whether a case is remembered for as long as a match may take: else its events may be of two cases."""
    if not memory.ends:
        return True
    within = query.within
    if within is None or not isinstance(within.size, int):
        return False
    return memory.counts_events == (within.unit == "events") and memory.size >= within.size


def refuse_impossible(query: tree.QueryTree, plans: Sequence[Plan], declared: Declared) -> None:
    """QueryError where no stream that obeys the constraints can have a match."""
    for group in declared.groups:
        if serves(group, query, plans) and outlasts(_memory(group, query, plans, declared), query):
            demands = [demand(query, plan) for plan in plans]
            if not any(
                Prospects(CaseRules(group), each).possible(CaseState(), NOTHING_BEGUN) for each in demands
            ):
                assert declared.constraints is not None
                told = _told(group, demands)
                place = group.constraints[told[0]].place
                named = "; ".join(str(group.constraints[number]) for number in told)
                raise problem(IMPOSSIBLE, declared.constraints.text, place, constraints=named)


def demand(query: tree.QueryTree, plan: Plan) -> Demand:
    """What a match needs. Of a negative component only counts that every event of its types stands for it."""
    shape = structure(query.pattern)
    tested = frozenset().union(*map(names, (*plan.absence.conditions, *plan.scan.conditions)))
    absent = (each for each in shape.negatives if each.low and each.high and each.name not in tested)
    own_partition = plan.scan.partitioning
    alone = {*own_partition.keys} == {*own_partition.required}
    return Demand(shape, tuple(absent) if alone else ())


def _told(group: CaseGroup, demands: Sequence[Demand]) -> list[int]:
    """The constraints that make it impossible together, none of which can be left out."""
    rules, spared = CaseRules(group), 0
    for one in reversed(list(bits((1 << len(group.constraints)) - 1))):
        state = CaseState(told=spared | one)
        if not any(Prospects(rules, each).possible(state, NOTHING_BEGUN) for each in demands):
            spared |= one
    every = union(1 << number for number in range(len(group.constraints)))
    return [one.bit_length() - 1 for one in bits(every & ~spared)]


def _numbered(group: CaseGroup, plans: Sequence[Plan]) -> tuple[str, ...]:
    """Cases and partitions by the same attributes have the same numbers."""
    keys = plans[0].scan.partitioning.keys
    return keys if {*keys} == {*group.by} else group.by


def _memory(group: CaseGroup, query: tree.QueryTree, plans: Sequence[Plan], declared: Declared) -> CaseMemory:
    if group.remembered is not None:
        return CaseMemory(group.remembered)
    return declared.memory or own_memory(query, plans)


def _beside(memory: CaseMemory, plans: Sequence[Plan], declared: Declared) -> frozenset[str]:
    """Types whose events put off the moment at which a case is forgotten: a match never outlives its case."""
    return declared.types.union(*(plan.scan.types for plan in plans)) if memory.ends else frozenset()


def own_memory(query: tree.QueryTree, plans: Sequence[Plan]) -> CaseMemory:
    """As long as the window of a query; operators have theirs."""
    if isinstance(query.pattern, tree.Operator):
        return CaseMemory(min(max(plan.reach for plan in plans), FOREVER))
    window = plans[0].matching.window
    return CaseMemory(window.size, window.counts_events)


def longest(memories: Sequence[CaseMemory]) -> CaseMemory:
    """What several queries need; time and events cannot be compared, so that then nothing is forgotten."""
    alike = len({memory.counts_events for memory in memories}) == 1
    return max(memories, key=lambda memory: memory.size) if alike else CaseMemory(FOREVER)

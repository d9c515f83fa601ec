"""The plan of a query as text: states, what was pushed where, partitions, window, optimisations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from sase.language import tree
from sase.language.write import write, write_condition
from sase.plan.plan import FOREVER, Plan, Scan


def explain(query: tree.Query, plans: Sequence[Plan]) -> str:
    """One block per disjunct of the condition, each from the events upwards."""
    lines = [write(query), ""]
    for i, plan in enumerate(plans, 1):
        if len(plans) > 1:
            lines.append(f"Alternative {i} of {len(plans)}; a match of several is emitted once")
        lines.extend(_plan(plan))
    return "\n".join(lines)


def _plan(plan: Plan) -> Iterator[str]:
    yield f"Scan          {_kernel(plan)}"
    for scan in plan.scans:
        yield f"  {scan.label:<12}{_scan(scan)}"
    yield f"Partitions    {_partitions(plan)}"
    yield f"Window        {_window(plan)}"
    yield f"Strategy      {plan.strategy}"
    yield from _joins(plan) if plan.stacks else _states(plan)
    yield from _negations(plan)
    yield f"Output        {plan.output}{' as a shared graph' if plan.compressed else ''}"
    yield f"Optimisations {_optimisations(plan)}"
    yield (
        f"Limits        {plan.limits.partial_matches:,} partial matches per partition, "
        f"{plan.limits.matches_per_event:,} matches per event"
    )


def _kernel(plan: Plan) -> str:
    if plan.stacks:
        return "stacks: nothing is built before an event of the last component comes"
    return "runs of the automaton over one match buffer"


def _scan(scan: Scan) -> str:
    return " and ".join([" or ".join(scan.types), *map(write_condition, scan.conditions)])


def _partitions(plan: Plan) -> str:
    parts = plan.partitioning
    if not parts.keys:
        return "none: one for the whole stream"
    origin = " (from equalities; given up if an event comes without it)" if parts.inferred else ""
    return f"by {', '.join(parts.keys)}{origin}"


def _window(plan: Plan) -> str:
    if plan.window >= FOREVER:
        return "none: nothing is ever forgotten"
    place = "pruned during scan and construction" if plan.options.push_window else "tested at the end"
    return f"{plan.window:,} {plan.unit}, {place}"


def _joins(plan: Plan) -> Iterator[str]:
    yield "Construction  from the last component to the first"
    for component, conditions in reversed(
        list(zip(plan.shape.components, plan.join_conditions, strict=True))
    ):
        yield f"  {component.name:<12}{_all(conditions)}"


def _states(plan: Plan) -> Iterator[str]:
    assert plan.automaton is not None
    components = plan.shape.components
    yield f"States        {len(plan.automaton.states)}"
    for i, state in enumerate(plan.automaton.states):
        begun = ", ".join(components[c].name for c in sorted(state.begun)) or "nothing yet"
        yield f"  {i:>2} {begun}{'  (complete)' if state.complete else ''}"
        for move in state.moves:
            verb = "take" if move.take else ("proceed to" if move.proceed else "begin")
            tests = _all(check.condition for check in move.checks)
            yield f"       {verb} {components[move.component].name} -> {move.target}: {tests}"
    if plan.automaton.accept:
        yield f"   at the end: {_all(check.condition for check in plan.automaton.accept)}"


def _negations(plan: Plan) -> Iterator[str]:
    names = [component.name for component in plan.shape.components]
    parts = plan.partitioning
    rows = zip(plan.shape.negatives, plan.negative_conditions, parts.keyed_negatives, strict=True)
    for negative, conditions, keyed in rows:
        low = ", ".join(names[c] for c in sorted(negative.low)) or "the window's start"
        high = ", ".join(names[c] for c in sorted(negative.high)) or "the window's end"
        how = "per partition" if keyed and plan.options.index_negation else "in one list"
        yield f"Negation      no {negative.name} between {low} and {high}, indexed {how}: {_all(conditions)}"


def _all(conditions: Iterable[tree.Condition]) -> str:
    return " and ".join(map(write_condition, conditions)) or "no further condition"


def _optimisations(plan: Plan) -> str:
    on = [f.name for f in fields(plan.options) if getattr(plan.options, f.name)]
    off = [f"{f.name} off" for f in fields(plan.options) if not getattr(plan.options, f.name)]
    return ", ".join(on + off)

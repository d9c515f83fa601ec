"""Plans as the arrays that the kernels read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sase import tree
from sase.bytecode import Assembler, Registers
from sase.columns import from_objects
from sase.dictionary import Dictionary
from sase.kernels import absence, runs, stacks
from sase.kernels.program import Program
from sase.plan import Plan, reads

STRATEGIES = {
    "strict_contiguity": runs.STRICT,
    "partition_contiguity": runs.STRICT,
    "skip_till_next_match": runs.NEXT,
    "skip_till_any_match": runs.ANY,
}


def table(rows: list[tuple[int, ...]], width: int) -> NDArray[np.int32]:
    """Rows as an array that keeps its width when there are none."""
    return np.array(rows, np.int32).reshape(-1, width)


def ranges(groups: list[tuple[int, ...]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Lists of different lengths as (start, end) ranges in one flat array."""
    flat = [item for group in groups for item in group]
    ends = np.cumsum([0, *(len(group) for group in groups)]).tolist()
    return table(list(zip(ends[:-1], ends[1:], strict=True)), 2), np.array(flat, np.int32)


def program(
    assembler: Assembler, registers: Registers, dictionary: Dictionary, rank: NDArray[np.int64]
) -> Program:
    constants: list[tree.Value] = assembler.constants
    values, kinds = from_objects(constants, dictionary)
    scalars = [(c, what, assembler.attribute(name) if name else 0) for c, what, name in registers.scalars]
    return Program(
        table(assembler.code, 3), table(assembler.programs, 6), values, kinds, rank, table(scalars, 3)
    )


def negatives(plan: Plan) -> absence.Negatives:
    shape, parts = plan.shape, plan.partitioning
    spans, checks = ranges(list(plan.negative_programs))
    keyed = [int(tied and plan.options.index_negation) for tied in parts.keyed_negatives]
    return absence.Negatives(
        np.array([_bits(n.low) for n in shape.negatives], np.int64),
        np.array([_bits(n.high) for n in shape.negatives], np.int64),
        np.array(keyed, np.int64),
        spans,
        checks,
        2 * len(shape.components),
    )


def _bits(components: frozenset[int]) -> int:
    return sum(1 << c for c in components)


def stack_plan(plan: Plan) -> stacks.StackPlan:
    joins, checks = ranges(list(plan.joins))
    return stacks.StackPlan(
        len(plan.shape.components),
        plan.window,
        joins,
        checks,
        plan.options.instance_pointers,
        plan.options.push_window,
        plan.trailing,
        plan.once,
        plan.limits.matches_per_event,
    )


def run_plan(plan: Plan) -> runs.RunPlan:
    assert plan.automaton is not None
    moves: list[tuple[int, ...]] = []
    states: list[tuple[int, ...]] = []
    checks: list[int] = []
    for state, programs in zip(plan.automaton.states, plan.move_programs, strict=True):
        start = len(moves)
        for move, own in zip(state.moves, programs, strict=True):
            span = (len(checks), len(checks) + len(own))
            moves.append((move.component, move.take, move.target, move.proceed, *span))
            checks.extend(own)
        states.append((start, len(moves), state.complete))
    live, live_scalars, live_range = _live(plan)
    components = range(len(plan.shape.components))
    walks = any(check.walked for check in plan.automaton.checks)
    return runs.RunPlan(
        len(components),
        plan.window,
        STRATEGIES[plan.strategy],
        table(moves, 6),
        table(states, 3),
        np.array([*checks, *plan.accept_programs], np.int32),
        len(checks),
        _slots(plan.registers, "first", components),
        _slots(plan.registers, "last", components),
        live,
        live_scalars,
        live_range,
        _slots(plan.negative_registers, "first", components),
        _slots(plan.negative_registers, "last", components),
        walks,
        plan.options.push_window or plan.strategy != "skip_till_any_match",
        plan.options.share_buffer,
        plan.options.merge_runs and not walks,
        plan.trailing,
        plan.once,
        plan.compressed,
        plan.limits.partial_matches,
        plan.limits.matches_per_event,
    )


def _slots(registers: Registers, which: str, components: range) -> NDArray[np.int32]:
    return np.array([registers.events.get((c, which), -1) for c in components], np.int32)


def _live(plan: Plan) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Per state the values that conditions still to come will read (SASE+ 5.2.2, the masks M over V)."""
    assert plan.automaton is not None
    states = plan.automaton.states
    component = {slot: c for (c, _), slot in plan.registers.events.items()}
    pairs: list[tuple[int, ...]] = []
    scalars: list[int] = []
    spans: list[tuple[int, ...]] = []
    for start, state in enumerate(states):
        ahead = [p for s in _reachable(plan, start) for own in plan.move_programs[s] for p in own]
        read = [reads(plan, p) for p in (*ahead, *plan.accept_programs)]
        own_pairs = sorted({x for pair, _ in read for x in pair if component[x[0]] in state.begun})
        own_scalars = sorted({x for _, scalar in read for x in scalar})
        spans.append((len(pairs), len(pairs) + len(own_pairs), len(scalars), len(scalars) + len(own_scalars)))
        pairs.extend(own_pairs)
        scalars.extend(own_scalars)
    return table(pairs, 2), np.array(scalars, np.int32), table(spans, 4)


def _reachable(plan: Plan, start: int) -> list[int]:
    assert plan.automaton is not None
    found = [start]
    for state in found:
        for move in plan.automaton.states[state].moves:
            if move.target not in found:
                found.append(move.target)
    return found

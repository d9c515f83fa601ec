"""Plans as the tables that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sase.events.columns import from_objects
from sase.events.dictionary import Dictionary
from sase.kernels import absence, run_state, stacks
from sase.kernels.layout import FIELDS, VALUES
from sase.kernels.opcodes import AVG, CONST, LOAD, SCALAR
from sase.kernels.program import Program
from sase.plan.bytecode import Assembler, Registers
from sase.plan.plan import Plan, reads

STRATEGIES = {
    "strict_contiguity": run_state.STRICT,
    "partition_contiguity": run_state.STRICT,
    "skip_till_next_match": run_state.NEXT_MATCH,
    "skip_till_any_match": run_state.ANY_MATCH,
}

Table = NDArray[np.int64]


def table(rows: Sequence[Sequence[int]], width: int) -> Table:
    """Rows as an array that keeps its width when there are none."""
    return np.array(rows, np.int64).reshape(-1, width)


def attribute_column(attribute: int) -> int:
    return VALUES + 2 * attribute


def scalar_column(slot: int) -> int:
    return FIELDS + 2 * slot


def register_column(slot: int, registers: Registers) -> int:
    return FIELDS + 2 * len(registers.scalars) + slot


def program(
    assembler: Assembler,
    registers: Registers,
    order: Sequence[int],
    dictionary: Dictionary,
    rank: NDArray[np.int64],
) -> Program:
    """The code with places turned into columns and constants into values; checks stand in the given order."""
    code = [_placed(*step, assembler, registers, dictionary) for step in assembler.code]
    scalars = [
        (component, what, attribute_column(assembler.attribute(name) if name else 0))
        for component, what, name in registers.scalars
    ]
    checks = [assembler.programs[i] for i in order]
    return Program(table(code, 3), table(checks, 6), rank, table(scalars, 3))


def _placed(
    op: int, a: int, b: int, assembler: Assembler, registers: Registers, dictionary: Dictionary
) -> tuple[int, int, int]:
    match op:
        case _ if op == LOAD:
            return op, register_column(a, registers) if a >= 0 else a, attribute_column(b)
        case _ if op == CONST:
            values, kinds = from_objects([assembler.constants[a]], dictionary)
            return op, int(values[0]), int(kinds[0])
        case _ if op == SCALAR:
            return op, _scalar(a), 0
        case _ if op == AVG:
            return op, _scalar(a), _scalar(b)
    return op, a, b


def _scalar(slot: int) -> int:
    """Running values of a run stand in its row; those along a walk (below 0) are told by their sign."""
    return scalar_column(slot) if slot >= 0 else -scalar_column(-1 - slot)


def order_of_checks(plan: Plan) -> list[int]:
    """The programs in the order in which the kernels' tables refer to them."""
    moves = [p for state in plan.move_programs for own in state for p in own]
    joins = [p for own in plan.joins for p in own]
    negatives = [p for own in plan.negative_programs for p in own]
    return [*joins, *moves, *plan.accept_programs, *negatives]


def spans(groups: Sequence[Sequence[int]], start: int = 0) -> list[tuple[int, int]]:
    """Consecutive ranges as long as the groups."""
    ends = np.cumsum([start, *(len(group) for group in groups)]).tolist()
    return list(pairwise(ends))


def negatives(plan: Plan, heads: Table) -> absence.Negatives:
    """Their latest events stand in the last columns of a machine's heads."""
    shape, parts = plan.shape, plan.partitioning
    total = len(order_of_checks(plan))
    own = sum(len(group) for group in plan.negative_programs)
    rows = [
        (_bits(n.low), _bits(n.high), int(tied and plan.options.index_negation), *span)
        for n, tied, span in zip(
            shape.negatives, parts.keyed_negatives, spans(plan.negative_programs, total - own), strict=True
        )
    ]
    return absence.Negatives(
        table(rows, 5),
        heads,
        heads.shape[1] - len(rows),
        attribute_column(len(plan.joiner.attributes)),
        2 * len(shape.components),
    )


def _bits(components: frozenset[int]) -> int:
    return sum(1 << c for c in components)


def stack_plan(plan: Plan) -> stacks.StackPlan:
    return stacks.StackPlan(
        len(plan.shape.components),
        plan.window,
        plan.options.instance_pointers,
        plan.options.push_window,
        plan.trailing,
        plan.once,
        plan.limits.matches_per_event,
    )


def run_plan(plan: Plan) -> run_state.RunPlan:
    assert plan.automaton is not None
    walks = any(check.walked for check in plan.automaton.checks)
    start = sum(len(own) for state in plan.move_programs for own in state)
    return run_state.RunPlan(
        len(plan.shape.components),
        plan.window,
        STRATEGIES[plan.strategy],
        start,
        start + len(plan.accept_programs),
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


def automaton(plan: Plan) -> run_state.Automaton:
    assert plan.automaton is not None
    moves: list[tuple[int, ...]] = []
    states: list[tuple[int, ...]] = []
    live: list[tuple[int, int]] = []
    ranges = iter(spans([own for state in plan.move_programs for own in state]))
    for i, state in enumerate(plan.automaton.states):
        read = _live(plan, i)
        own = [(m.component, m.take, m.target, m.proceed, *next(ranges)) for m in state.moves]
        wanted = _bits(frozenset(m.component + m.take * len(plan.shape.components) for m in state.moves))
        spans_ = (len(moves), len(moves) + len(own), state.complete, len(live), len(live) + len(read))
        states.append((*spans_, wanted))
        moves.extend(own)
        live.extend(read)
    return run_state.Automaton(table(moves, 6), table(states, 6), table(live, 2), _registers(plan))


def _registers(plan: Plan) -> Table:
    """Per component where its first and last event stand, in a run and in a finished match; -1: nowhere."""
    rows = []
    for c in range(len(plan.shape.components)):
        row = []
        for registers in (plan.registers, plan.negative_registers):
            for which in ("first", "last"):
                slot = registers.events.get((c, which))
                row.append(-1 if slot is None else register_column(slot, registers))
        rows.append(row)
    return table(rows, 4)


def _live(plan: Plan, start: int) -> list[tuple[int, int]]:
    """The values that conditions still to come in a state will read (SASE+ 5.2.2, the masks M over V)."""
    assert plan.automaton is not None
    begun = plan.automaton.states[start].begun
    component = {slot: c for (c, _), slot in plan.registers.events.items()}
    ahead = [p for s in _reachable(plan, start) for own in plan.move_programs[s] for p in own]
    read = [reads(plan, p) for p in (*ahead, *plan.accept_programs)]
    pairs = sorted({x for pair, _ in read for x in pair if component[x[0]] in begun})
    scalars = sorted({x for _, scalar in read for x in scalar})
    return [
        *((register_column(slot, plan.registers), attribute_column(a)) for slot, a in pairs),
        *((scalar_column(slot) + part, -1) for slot in scalars for part in (0, 1)),
    ]


def _reachable(plan: Plan, start: int) -> list[int]:
    assert plan.automaton is not None
    found = [start]
    for state in found:
        for move in plan.automaton.states[state].moves:
            if move.target not in found:
                found.append(move.target)
    return found

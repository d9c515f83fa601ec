"""Stacks: plain sequences under skip-till-any-match, built from their last event back (SASE 4.1, 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from sase.events.dictionary import Tagged
from sase.events.growth import extended, used, without_front
from sase.events.table import EventTable
from sase.kernels import stacks
from sase.kernels.cells import BEST, FIELDS
from sase.kernels.emission import Binding
from sase.kernels.program import Conditions, Events, Program, scratch
from sase.operators.absence import AbsencePlan
from sase.operators.emission import EmissionPlan
from sase.operators.machine import Matching, PartialStates
from sase.operators.outlet import Outlet
from sase.operators.programs import ranges, table
from sase.operators.waiting import WaitingPlan
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode, Check
from sase.plan.explain import together
from sase.plan.normal import Simple
from sase.plan.registers import ComponentSlots, RegisterSlots
from sase.plan.roles import roles
from sase.results.found import Found

INSTANCES = 1024


@dataclass(frozen=True, slots=True)
class StacksPlan(Matching):
    pointers: bool
    joins: tuple[
        tuple[Simple, ...], ...
    ]  # per component: what can be tested once it and all after it are bound
    checks: tuple[range, ...]

    @property
    def conditions(self) -> tuple[Simple, ...]:
        return tuple(condition for own in self.joins for condition in own)

    @property
    def kernel(self) -> str:
        return "stacks: nothing is built before an event of the last component comes"

    @property
    def doubted_at(self) -> str:
        return "when an event is laid on a stack, at every component, and at every event that would rule out"

    @property
    def match_slots(self) -> RegisterSlots:
        return ComponentSlots()

    @property
    def partial(self) -> PartialStates:
        """State c + 1 is what lies on stack c."""
        count = len(self.names)
        begun = tuple(frozenset(range(c)) for c in range(count + 1))
        moves = tuple((c, c, c + 1) for c in range(count))
        return PartialStates(begun, (*[False] * count, True), moves, idle=True)

    def explain(self) -> Iterator[str]:
        yield f"Window        {self.window.explain()}"
        yield "Strategy      skip_till_any_match"
        yield "Construction  from the last component to the first"
        for name, conditions in reversed(list(zip(self.names, self.joins, strict=True))):
            yield f"  {name:<12}{together(conditions)}"

    def machine(
        self, joins: ByteCode, absence: AbsencePlan, waiting: WaitingPlan, emission: EmissionPlan
    ) -> StackMachine:
        return StackMachine(self, joins, absence, waiting, emission)


def stacks_suffice(alternative: Alternative) -> bool:
    return (
        alternative.options.stacks
        and alternative.shape.in_order
        and not any(component.kleene for component in alternative.shape.components)
        and alternative.strategy == "skip_till_any_match"
        and not alternative.compressed
        and (alternative.least is None or not alternative.rivals)  # the ways to a match differ in length
    )


def plan_stacks(alternative: Alternative, joiner: Assembler) -> StacksPlan:
    names = tuple(component.name for component in alternative.shape.components)
    joins = _joins(alternative)
    checks = tuple(joiner.add([Check(c, None, False) for c in own], ComponentSlots()) for own in joins)
    return StacksPlan(names, alternative.window, alternative.options.instance_pointers, joins, checks)


def _joins(alternative: Alternative) -> tuple[tuple[Simple, ...], ...]:
    """A condition is tested at the first of its components: we construct backwards."""
    shape, pushed = alternative.shape, alternative.options.push_predicates
    groups: list[list[Simple]] = [[] for _ in shape.components]
    for condition in alternative.joined:
        groups[min(roles(condition, shape)) if pushed else 0].append(condition)
    return tuple(map(tuple, groups))


class StackMachine:
    """Holds the stacks between pushes and runs their kernel."""

    def __init__(
        self,
        plan: StacksPlan,
        joins: ByteCode,
        absence: AbsencePlan,
        waiting: WaitingPlan,
        emission: EmissionPlan,
    ) -> None:
        length = len(plan.names)
        likelihood = emission.likelihood.table()
        self._plan = stacks.StackPlan(length, plan.window.size, plan.pointers, plan.window.pruned, likelihood)
        self._stacks = stacks.Stacks(
            np.zeros((INSTANCES, BEST + likelihood.asked), np.int64),
            np.full((1, length + len(absence.joins)), -1, np.int64),
            np.zeros(2, np.int64),
            ranges(plan.checks),
        )
        self._work = _work(length)
        self._binding = _binding(self._work)
        self._scratch = scratch(0)
        self.outlet = Outlet(absence, waiting, emission, joins, length)

    def run(
        self, first: int, now: int, events: EventTable, program: Program, keys: int, groups: int
    ) -> Found:
        self._make_room(events.end - first, keys)
        tables = stacks.StackTables(self._plan, self._stacks, self._work)
        conditions = Conditions(program, Events(events.rows, events.base), self._scratch)
        emission = self.outlet.opened(self._stacks.heads, self._binding, groups)
        lacking = -1
        while not self.outlet.stops(lacking, first, now, events):
            first, lacking = stacks.advance(first, events.end, now, tables, conditions, emission)
            emission = self.outlet.with_room(emission, lacking)
        return self.outlet.found()

    def _make_room(self, events: int, keys: int) -> None:
        state = self._stacks
        self._stacks = state._replace(
            instances=extended(state.instances, used(state.base) + events * self._plan.length),
            heads=extended(state.heads, keys, -1),
        )

    def sweep(self, now: int) -> None:
        """Instances go with their events."""

    def forget(self, before: int) -> None:
        state = self._stacks
        self._stacks = state._replace(instances=without_front(state.instances, state.base, before))

    @property
    def held(self) -> Iterable[Tagged]:
        """Instances hold events, no values."""
        return ()

    @property
    def live(self) -> int:
        return used(self._stacks.base) + self.outlet.waiting

    @property
    def cut(self) -> int:
        return self.outlet.cut

    @property
    def unlikely(self) -> int:
        return self.outlet.unlikely


def _work(length: int) -> stacks.StackWork:
    path, cursor = np.zeros(length, np.int64), np.zeros(length, np.int64)
    likely = np.ones(length + 2, np.float64)
    return stacks.StackWork(np.zeros((1, FIELDS + length), np.int64), path, cursor, likely)


def _binding(work: stacks.StackWork) -> Binding:
    """Every component has one event: register c is the event of component c."""
    columns = table([(FIELDS + c, -1) for c in range(len(work.path))], 2)
    return Binding(columns, work.registers, work.path, np.zeros(0, np.int64))

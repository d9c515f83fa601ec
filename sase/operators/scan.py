"""Scan: what an event may stand for, from its type and the conditions on it alone, and its partition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sase.events.columns import Tagged, carried
from sase.kernels.addresses import addresses
from sase.kernels.program import Program
from sase.kernels.scan import blocks, refine
from sase.language.write import write_condition
from sase.operators.part import PlanPart
from sase.operators.programs import ranges
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode, Check
from sase.plan.normal import Simple, names
from sase.plan.partition import Partitioning
from sase.plan.registers import RunSlots
from sase.plan.roles import CURRENT, EACH, POINT, roles
from sase.plan.structure import Structure


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an event must be for one bit: to begin a component, to be taken into it, or to rule out."""

    bit: int
    label: str
    types: tuple[str, ...]
    conditions: tuple[Simple, ...]
    checks: range
    carried: tuple[str, ...] = ()  # attributes that it must have, beyond those that all must


@dataclass(frozen=True, slots=True)
class ScanPlan(PlanPart):
    candidates: tuple[Candidate, ...]
    code: ByteCode
    partitioning: Partitioning

    @property
    def conditions(self) -> tuple[Simple, ...]:
        return tuple(condition for candidate in self.candidates for condition in candidate.conditions)

    @property
    def attributes(self) -> frozenset[str]:
        by = self.partitioning
        carried = (name for candidate in self.candidates for name in candidate.carried)
        return frozenset(self.code.attributes).union(by.keys, by.groups, by.required, carried)

    @property
    def types(self) -> frozenset[str]:
        return frozenset(name for candidate in self.candidates for name in candidate.types)

    def explain(self) -> Iterator[str]:
        for each in self.candidates:
            tests = " and ".join([" or ".join(each.types), *map(write_condition, each.conditions)])
            yield f"  {each.label:<12}{tests}"
        yield f"Partitions    {self.partitioning.explain()}"


class Scanner:
    """Tests events of the right type against the conditions on them alone."""

    def __init__(self, plan: ScanPlan) -> None:
        self.wanted: dict[str, int] = {}  # per event type what its events may be
        self._attributes = plan.code.attributes
        self._tests = _tests(plan)
        self._tests_anything = bool(plan.code.checks)
        self._blocks = blocks(len(plan.code.code))
        self._carried = [(each.bit, name) for each in plan.candidates for name in each.carried]
        for candidate in plan.candidates:
            for name in candidate.types:
                self.wanted[name] = self.wanted.get(name, 0) | 1 << candidate.bit

    def refine(self, bits: NDArray[np.int64], columns: Mapping[str, Tagged], program: Program) -> None:
        """Clear the bits whose conditions fail."""
        if self._tests_anything:
            tested = addresses(columns[name] for name in self._attributes)
            refine(bits, self._tests, program, tested, self._blocks)
        for bit, name in self._carried:
            bits[~carried(columns[name])] &= ~(1 << bit)


def _tests(plan: ScanPlan) -> NDArray[np.int64]:
    """Per bit the checks that test it."""
    checks = [range(0)] * (max(candidate.bit for candidate in plan.candidates) + 1)
    for candidate in plan.candidates:
        checks[candidate.bit] = candidate.checks
    return ranges(checks)


def plan_scan(alternative: Alternative) -> ScanPlan:
    scanner = Assembler(alternative.shape)
    candidates = tuple(_assembled(scanner, *each) for each in _candidates(alternative))
    return ScanPlan(candidates, scanner.finished(), alternative.partitioning)


_Bit = tuple[int, str, tuple[str, ...], tuple[Simple, ...], int | None]


def _candidates(alternative: Alternative) -> Iterator[_Bit]:
    """Bits with their names, types, conditions and components: to begin, to be taken, to rule out."""
    shape, scanned = alternative.shape, alternative.scanned
    n = len(shape.components)
    for c, component in enumerate(shape.components):
        own = tuple(x for x in scanned if _begins(x, c, shape))
        yield c, component.name, component.types, own, c
    for c, component in enumerate(shape.components):
        if component.kleene:
            own = tuple(x for x in scanned if roles(x, shape).get(c, frozenset()) & {CURRENT, EACH})
            yield n + c, f"{component.name}[i]", component.types, own, c
    for j, negative in enumerate(shape.negatives):
        own = tuple(x for x in alternative.negative if names(x) == {negative.name})
        yield 2 * n + j, f"!{negative.name}", negative.types, own, None


def _begins(condition: Simple, c: int, shape: Structure) -> bool:
    mentioned = roles(condition, shape)
    return bool(mentioned.get(c, frozenset()) & {POINT, EACH}) or (not mentioned and c == 0)


def _assembled(
    scanner: Assembler,
    bit: int,
    label: str,
    types: tuple[str, ...],
    conditions: tuple[Simple, ...],
    component: int | None,
) -> Candidate:
    checks = scanner.add([Check(condition, component, True) for condition in conditions], RunSlots())
    return Candidate(bit, label, types, conditions, checks)

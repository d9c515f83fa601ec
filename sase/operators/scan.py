"""Scan: what an event may stand for, from its type and the conditions on it alone, and its partition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sase.events.columns import carried
from sase.events.dictionary import Tagged
from sase.kernels.addresses import addresses
from sase.kernels.cells import BEGIN, STOP
from sase.kernels.opcodes import CONST, LOAD
from sase.kernels.scan import blocks, refine, select
from sase.language.write import write_condition
from sase.operators.part import PlanPart
from sase.operators.programs import Programs, ranges
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode, Check, Operation
from sase.plan.normal import Simple, names
from sase.plan.partition import Partitioning
from sase.plan.registers import RunSlots
from sase.plan.roles import CURRENT, EACH, POINT, roles
from sase.plan.structure import Structure

WATCHED = 1 << 61  # bit of an event that constraints look at


class CodedColumns(Protocol):
    def column(self, name: str) -> Tagged: ...


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
    watched: frozenset[str] = frozenset()  # types that constraints speak of
    settling: bool = False  # events of these may end the waiting of matches
    cases: tuple[tuple[str, ...], ...] = ()  # attributes by which their cases are numbered

    @property
    def conditions(self) -> tuple[Simple, ...]:
        return tuple(condition for candidate in self.candidates for condition in candidate.conditions)

    @property
    def attributes(self) -> frozenset[str]:
        by = self.partitioning
        carried = (name for candidate in self.candidates for name in candidate.carried)
        return frozenset(self.code.attributes).union(by.keys, by.groups, by.required, carried, *self.cases)

    @property
    def types(self) -> frozenset[str]:
        return self.watched.union(name for candidate in self.candidates for name in candidate.types)

    def meaning(self, candidate: Candidate) -> tuple[Any, ...]:
        """What a candidate is, in whatever query: equal ones are the same events."""
        code, tests = self.code, (self.code.checks[number] for number in candidate.checks)
        steps = (code.code[check[0] : check[1]] for check in tests)
        return (
            candidate.types,
            candidate.carried,
            *(tuple(_meant(step, code) for step in own) for own in steps),
        )

    def explain(self) -> Iterator[str]:
        for each in self.candidates:
            tests = " and ".join([" or ".join(each.types), *map(write_condition, each.conditions)])
            yield f"  {each.label:<12}{tests}"
        yield f"Partitions    {self.partitioning.explain()}"


class Scanner:
    """Tests events of the right type against the conditions on them alone."""

    def __init__(self, plan: ScanPlan, reads: frozenset[str], programs: Programs, otherwise: int = 0) -> None:
        """`otherwise`: what an event may be whose type no component wants."""
        self.otherwise = otherwise
        self.plan = plan
        self.reads = reads  # the attributes that matching reads of the events, too
        self.wanted: dict[str, int] = {}  # per event type what its events may be
        self._programs = programs
        self._tests = _tests(plan)
        self._blocks = blocks(len(plan.code.code))
        self._carried = [(each.bit, name) for each in plan.candidates for name in each.carried]
        for candidate in plan.candidates:
            for name in candidate.types:
                self.wanted[name] = self.wanted.get(name, 0) | 1 << candidate.bit
        for name in plan.watched if plan.settling else ():
            self.wanted[name] = self.wanted.get(name, 0) | WATCHED

    def refine(self, bits: NDArray[np.int64], batch: CodedColumns) -> None:
        """Clear the bits of a batch's events whose conditions fail."""
        if self.plan.code.checks:
            columns = self._tested(batch)  # before the program: new texts change the order of all
            refine(bits, self._tests, self._programs.scan, columns, self._blocks)
        for bit, name in self._carried:
            bits[~carried(batch.column(name))] &= ~(1 << bit)

    def select(self, bit: int, rows: NDArray[np.int64], batch: CodedColumns) -> NDArray[np.int64]:
        """Those of the rows, all of the right type, that may stand for one bit."""
        for _, name in (each for each in self._carried if each[0] == bit):
            rows = rows[carried(batch.column(name))[rows]]
        tests = self._tests[bit]
        if not len(rows) or tests[BEGIN] == tests[STOP]:
            return rows
        chosen, columns = np.empty(len(rows), np.int64), self._tested(batch)
        count = select(rows, tests, self._programs.scan, columns, self._blocks, chosen)
        return chosen[:count]

    def _tested(self, batch: CodedColumns) -> NDArray[np.int64]:
        return addresses(batch.column(name) for name in self.plan.code.attributes)


def _tests(plan: ScanPlan) -> NDArray[np.int64]:
    """Per bit the checks that test it."""
    checks = [range(0)] * (max(candidate.bit for candidate in plan.candidates) + 1)
    for candidate in plan.candidates:
        checks[candidate.bit] = candidate.checks
    return ranges(checks)


def _meant(operation: Operation, code: ByteCode) -> tuple[Any, ...]:
    """A step of the byte code without the numbers that only its plan knows."""
    op, a, b = operation
    if op == LOAD:
        return op, a, code.attributes[b]
    return (op, type(code.constants[a]), code.constants[a]) if op == CONST else operation


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

"""Turns conditions into byte code: which register holds the event that a condition speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sase.errors import TextPlace
from sase.kernels.opcodes import (
    AND,
    ARITHMETIC,
    AVG,
    COMPARE,
    CONST,
    COUNT,
    EQ,
    GE,
    GT,
    LE,
    LEN,
    LOAD,
    LT,
    MAX,
    MIN,
    NE,
    NEG,
    OR,
    SCALAR,
    SUM,
)
from sase.language import tree
from sase.language.walk import mentions
from sase.plan.bytecode import ByteCode, Check, Operation
from sase.plan.normal import Simple
from sase.plan.registers import RegisterSlots
from sase.plan.structure import Structure

COMPARATORS = {"=": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}

SCALARS = {"count": COUNT, "sum": SUM, "min": MIN, "max": MAX}

THIS = -1  # register of the event being tested


class TooManyRanges(ValueError):
    """A comparison that ranges over more than two Kleene components besides its own."""

    def __init__(self, place: TextPlace) -> None:
        super().__init__(place)
        self.place = place


@dataclass(slots=True)
class Assembler:
    """Collects checks that share attributes, constants and code, and numbers them."""

    shape: Structure
    attributes: dict[str, int] = field(default_factory=dict)
    constants: list[tree.Value] = field(default_factory=list)
    code: list[Operation] = field(default_factory=list)
    checks: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, checks: Iterable[Check], slots: RegisterSlots) -> range:
        """Assemble checks that are tested together; their numbers follow one another."""
        first = len(self.checks)
        for check in checks:
            self._add(check, slots)
        return range(first, len(self.checks))

    def finished(self) -> ByteCode:
        return ByteCode(tuple(self.attributes), tuple(self.constants), tuple(self.code), tuple(self.checks))

    def _add(self, check: Check, slots: RegisterSlots) -> None:
        if len(check.walked) > 2:
            raise TooManyRanges(check.condition.place)
        start = len(self.code)
        self._condition(check.condition, _Tested(check, slots))
        first, second = (*check.walked, -1, -1)[:2]
        skips = (int(self._skips_first(check.condition, c)) for c in (first, second))
        self.checks.append((start, len(self.code), first, second, *skips))

    def _number(self, name: str | None) -> int:
        """The component's number; a negative one has none of its own: its event is the one being tested."""
        found = self.shape.index(name or "")
        return -1 if found is None else found

    def attribute(self, name: str) -> int:
        return self.attributes.setdefault(name, len(self.attributes))

    def _skips_first(self, condition: Simple, component: int) -> bool:
        """Whether a walk over the component begins at its second event (a[i]), not its first (a.attr)."""
        if component < 0:
            return False
        name = self.shape.components[component].name
        return not any(
            isinstance(ref, tree.Attribute) and ref.var == name and ref.index is None
            for ref in mentions(condition)
        )

    def _emit(self, op: int, a: int = 0, b: int = 0) -> None:
        self.code.append((op, a, b))

    def _condition(self, condition: tree.Condition, tested: _Tested) -> None:
        match condition:
            case tree.Comparison():
                self._expression(condition.left, tested)
                self._expression(condition.right, tested)
                self._emit(COMPARE, COMPARATORS[condition.op])
            case tree.AllOf() | tree.AnyOf():
                for i, part in enumerate(condition.parts):
                    self._condition(part, tested)
                    if i:
                        self._emit(AND if isinstance(condition, tree.AllOf) else OR)
            case _:
                raise TypeError(f"not in normal form: {condition}")

    def _expression(self, node: tree.Expression, tested: _Tested) -> None:
        match node:
            case tree.Constant():
                self.constants.append(node.value)
                self._emit(CONST, len(self.constants) - 1)
            case tree.Arithmetic():
                self._expression(node.left, tested)
                self._expression(node.right, tested)
                self._emit(ARITHMETIC[node.op])
            case tree.Minus():
                self._expression(node.operand, tested)
                self._emit(NEG)
            case tree.Attribute():
                self._attribute(node, tested)
            case tree.Length():
                self._emit(SCALAR, tested.slots.scalar(self._number(node.var), LEN))
            case tree.Aggregate():
                self._aggregate(node, tested)
            case _:
                raise TypeError(f"a parameter without a value: {node}")

    def _attribute(self, node: tree.Attribute, tested: _Tested) -> None:
        component = self._number(node.var)
        self._emit(
            LOAD, tested.register(component, node.index, self._kleene(component)), self.attribute(node.name)
        )

    def _kleene(self, component: int) -> bool:
        return component >= 0 and self.shape.components[component].kleene

    def _aggregate(self, node: tree.Aggregate, tested: _Tested) -> None:
        component = self._number(node.var)
        if node.name is None:
            return self._emit(SCALAR, tested.scalar(component, LEN, "", node.prefix))
        self.attribute(node.name)
        if node.function in ("first", "last"):
            return self._end_of(node, component, tested)
        if node.function == "avg":
            total = tested.scalar(component, SUM, node.name, node.prefix)
            return self._emit(AVG, total, tested.scalar(component, COUNT, node.name, node.prefix))
        kind = SCALARS[node.function]
        return self._emit(SCALAR, tested.scalar(component, kind, node.name, node.prefix))

    def _end_of(self, node: tree.Aggregate, component: int, tested: _Tested) -> None:
        assert node.name is not None
        index: tree.Index = "first" if node.function == "first" else ("previous" if node.prefix else "last")
        self._emit(LOAD, tested.register(component, index, True), self.attribute(node.name))


@dataclass(frozen=True, slots=True)
class _Tested:
    """What a check is tested on: resolves a reference to the register that holds its event there."""

    check: Check
    slots: RegisterSlots

    def register(self, component: int, index: tree.Index | None, kleene: bool) -> int:
        if component < 0:
            return THIS
        here = component == self.check.current
        if component in self.check.walked and index in (None, "current", "previous"):
            return self._walk_register(component, index)
        if not kleene:
            return THIS if here else self.slots.event(component, "first")
        return self._kleene_register(component, index, here)

    def _kleene_register(self, component: int, index: tree.Index | None, here: bool) -> int:
        if index == "first":
            return THIS if here and self.check.begin else self.slots.event(component, "first")
        if index in (None, "current") and here:
            return THIS
        return self.slots.event(component, "last")  # a[i-1] before taking a[i], or a[a.LEN]

    def _walk_register(self, component: int, index: tree.Index | None) -> int:
        slot = 2 * self.check.walked.index(component) + (index == "previous")
        return -2 - slot

    def scalar(self, component: int, kind: int, name: str, prefix: bool) -> int:
        slot = self.slots.scalar(component, kind, name)
        if prefix and component in self.check.walked:
            return -1 - slot  # recomputed along the walk
        return slot

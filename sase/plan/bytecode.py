"""Conditions as byte code for the compiled kernels, and the registers that the code reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sase.kernels.opcodes import (
    ADD,
    AND,
    AVG,
    COMPARE,
    CONST,
    COUNT,
    DIV,
    EQ,
    GE,
    GT,
    LE,
    LEN,
    LOAD,
    LT,
    MAX,
    MIN,
    MOD,
    MUL,
    NE,
    NEG,
    OR,
    SCALAR,
    SUB,
    SUM,
)
from sase.language import tree
from sase.language.walk import mentions
from sase.plan.automaton import Check
from sase.plan.normal import Component, Simple

ARITHMETIC = {"+": ADD, "-": SUB, "*": MUL, "/": DIV, "%": MOD}
COMPARATORS = {"=": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}

SCALARS = {"count": COUNT, "sum": SUM, "min": MIN, "max": MAX}

THIS = -1  # register of the event being tested


class TooManyRanges(ValueError):
    """A comparison that ranges over more than two Kleene components besides its own."""


@dataclass(slots=True)
class Registers:
    """Which events and running values a family of programs reads, each with its slot."""

    events: dict[tuple[int, str], int] = field(default_factory=dict)  # (component, "first" | "last")
    scalars: dict[tuple[int, int, str], int] = field(default_factory=dict)  # (component, kind, attribute)

    def event(self, component: int, which: str) -> int:
        return self.events.setdefault((component, which), len(self.events))

    def scalar(self, component: int, kind: int, attribute: str = "") -> int:
        return self.scalars.setdefault((component, kind, attribute), len(self.scalars))


class Layout(Protocol):
    def event(self, component: int, which: str) -> int: ...
    def scalar(self, component: int, kind: int, attribute: str = "") -> int: ...


@dataclass(frozen=True, slots=True)
class StackLayout:
    """In a stack match every component has one event: register c is the event of component c."""

    def event(self, component: int, which: str) -> int:  # noqa: ARG002
        return component

    def scalar(self, component: int, kind: int, attribute: str = "") -> int:  # noqa: ARG002
        raise TypeError("no running values without a Kleene component")


@dataclass(slots=True)
class Assembler:
    """Collects programs; all of a plan's programs share its attributes, constants and code array."""

    names: dict[str, int]  # component or negative name -> number; negatives have none of their own (-1)
    components: tuple[Component, ...]
    attributes: dict[str, int] = field(default_factory=dict)
    constants: list[tree.Value] = field(default_factory=list)
    code: list[tuple[int, int, int]] = field(default_factory=list)
    programs: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)

    def add(self, check: Check, layout: Layout) -> int:
        """Assemble one check; returns the program's number."""
        if len(check.walked) > 2:
            raise TooManyRanges
        start = len(self.code)
        self._condition(check.condition, _Place(check, layout))
        first, second = (*check.walked, -1, -1)[:2]
        skips = [int(self._skips_first(check.condition, c)) for c in (first, second)]
        self.programs.append((start, len(self.code), first, second, *skips))  # type: ignore[arg-type]
        return len(self.programs) - 1

    def attribute(self, name: str) -> int:
        return self.attributes.setdefault(name, len(self.attributes))

    def _skips_first(self, condition: Simple, component: int) -> bool:
        """Whether a walk over the component begins at its second event (a[i]), not its first (a.attr)."""
        if component < 0:
            return False
        name = self.components[component].name
        return not any(
            isinstance(ref, tree.Attribute) and ref.var == name and ref.index is None
            for ref in mentions(condition)
        )

    def _emit(self, op: int, a: int = 0, b: int = 0) -> None:
        self.code.append((op, a, b))

    def _condition(self, condition: tree.Condition, place: _Place) -> None:
        match condition:
            case tree.Comparison():
                self._expression(condition.left, place)
                self._expression(condition.right, place)
                self._emit(COMPARE, COMPARATORS[condition.op])
            case tree.AllOf() | tree.AnyOf():
                for i, part in enumerate(condition.parts):
                    self._condition(part, place)
                    if i:
                        self._emit(AND if isinstance(condition, tree.AllOf) else OR)
            case _:
                raise TypeError(f"not in normal form: {condition}")

    def _expression(self, node: tree.Expression, place: _Place) -> None:
        match node:
            case tree.Constant():
                self.constants.append(node.value)
                self._emit(CONST, len(self.constants) - 1)
            case tree.Arithmetic():
                self._expression(node.left, place)
                self._expression(node.right, place)
                self._emit(ARITHMETIC[node.op])
            case tree.Minus():
                self._expression(node.operand, place)
                self._emit(NEG)
            case tree.Attribute():
                self._attribute(node, place)
            case tree.Length():
                self._emit(SCALAR, place.layout.scalar(self.names[node.var], LEN))
            case tree.Aggregate():
                self._aggregate(node, place)
            case _:
                raise TypeError(f"a parameter without a value: {node}")

    def _attribute(self, node: tree.Attribute, place: _Place) -> None:
        component = self.names[node.var or ""]
        self._emit(
            LOAD, place.register(component, node.index, self._kleene(component)), self.attribute(node.name)
        )

    def _kleene(self, component: int) -> bool:
        return component >= 0 and self.components[component].kleene

    def _aggregate(self, node: tree.Aggregate, place: _Place) -> None:
        component = self.names[node.var]
        if node.name is None:
            return self._emit(SCALAR, place.scalar(component, LEN, "", node.prefix))
        self.attribute(node.name)
        if node.function in ("first", "last"):
            return self._end_of(node, component, place)
        if node.function == "avg":
            total = place.scalar(component, SUM, node.name, node.prefix)
            return self._emit(AVG, total, place.scalar(component, COUNT, node.name, node.prefix))
        kind = SCALARS[node.function]
        return self._emit(SCALAR, place.scalar(component, kind, node.name, node.prefix))

    def _end_of(self, node: tree.Aggregate, component: int, place: _Place) -> None:
        assert node.name is not None
        index: tree.Index = "first" if node.function == "first" else ("previous" if node.prefix else "last")
        self._emit(LOAD, place.register(component, index, True), self.attribute(node.name))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a program runs: resolves a reference to the register that holds its event there."""

    check: Check
    layout: Layout

    def register(self, component: int, index: tree.Index | None, kleene: bool) -> int:
        if component < 0:
            return THIS
        here = component == self.check.current
        if component in self.check.walked and index in (None, "current", "previous"):
            return self._walk_register(component, index)
        if not kleene:
            return THIS if here else self.layout.event(component, "first")
        return self._kleene_register(component, index, here)

    def _kleene_register(self, component: int, index: tree.Index | None, here: bool) -> int:
        if index == "first":
            return THIS if here and self.check.begin else self.layout.event(component, "first")
        if index in (None, "current") and here:
            return THIS
        return self.layout.event(component, "last")  # a[i-1] before taking a[i], or a[a.LEN]

    def _walk_register(self, component: int, index: tree.Index | None) -> int:
        slot = 2 * self.check.walked.index(component) + (index == "previous")
        return -2 - slot

    def scalar(self, component: int, kind: int, name: str, prefix: bool) -> int:
        slot = self.layout.scalar(component, kind, name)
        if prefix and component in self.check.walked:
            return -1 - slot  # recomputed along the walk
        return slot

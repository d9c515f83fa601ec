"""Absence: the negative components of a pattern, which rule a match out (SASE 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sase.kernels import absence
from sase.operators.part import PlanPart
from sase.operators.programs import Table, attribute_column, bits, table
from sase.plan.alternative import Alternative
from sase.plan.assembler import Assembler
from sase.plan.bytecode import ByteCode, Check
from sase.plan.explain import together
from sase.plan.normal import Simple, names
from sase.plan.registers import RegisterSlots
from sase.plan.roles import RANGING, roles
from sase.plan.structure import Structure
from sase.plan.window import FOREVER, Window


@dataclass(frozen=True, slots=True)
class AbsencePlan(PlanPart):
    shape: Structure
    window: Window
    indexed: tuple[bool, ...]  # per negative component: its events stand in lists per partition
    joins: tuple[tuple[Simple, ...], ...]  # per negative component: its conditions with other components
    checks: tuple[range, ...]  # the numbers of those conditions

    @property
    def reach(self) -> int:
        """With negation at both ends a match that waits for its deadline was ruled out or not by events up to
        a window before it."""
        if not self.shape.negatives:
            return 0
        both = self.shape.leading and self.shape.trailing
        return min(2 * self.window.size, FOREVER) if both else self.window.size

    @property
    def conditions(self) -> tuple[Simple, ...]:
        return tuple(condition for own in self.joins for condition in own)

    def explain(self) -> Iterator[str]:
        positive = [component.name for component in self.shape.components]
        for negative, conditions, indexed in zip(self.shape.negatives, self.joins, self.indexed, strict=True):
            low = ", ".join(positive[c] for c in sorted(negative.low)) or "the window's start"
            high = ", ".join(positive[c] for c in sorted(negative.high)) or "the window's end"
            how = "per partition" if indexed else "in one list"
            test = together(conditions)
            yield f"Negation      no {negative.name} between {low} and {high}, indexed {how}: {test}"

    def negatives(self, heads: Table, joins: ByteCode) -> absence.Negatives:
        """The kernels' table; the latest negative events stand in the last columns of a machine's heads."""
        rows = [
            (bits(negative.low), bits(negative.high), int(indexed), checks.start, checks.stop)
            for negative, indexed, checks in zip(self.shape.negatives, self.indexed, self.checks, strict=True)
        ]
        return absence.Negatives(
            table(rows, 5),
            heads,
            heads.shape[1] - len(rows),
            attribute_column(len(joins.attributes)),
            2 * len(self.shape.components),
            self.window.size,
        )


def plan_absence(alternative: Alternative, joiner: Assembler, slots: RegisterSlots) -> AbsencePlan:
    """`slots` tell where the events of a finished match stand."""
    shape = alternative.shape
    joins = tuple(_joins(negative.name, alternative) for negative in shape.negatives)
    checks = tuple(joiner.add([_check(condition, shape) for condition in own], slots) for own in joins)
    indexed = alternative.partitioning.keyed_negatives
    return AbsencePlan(shape, alternative.window, indexed, joins, checks)


def _joins(name: str, alternative: Alternative) -> tuple[Simple, ...]:
    return tuple(c for c in alternative.negative if name in names(c) and names(c) != {name})


def _check(condition: Simple, shape: Structure) -> Check:
    walked = tuple(c for c, own in roles(condition, shape).items() if own & RANGING)
    return Check(condition, None, False, walked)

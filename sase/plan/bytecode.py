"""Conditions as byte code for the compiled kernels, numbered once for all operators of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from sase.kernels.opcodes import AVG, LOAD, SCALAR
from sase.language import tree
from sase.plan.normal import Simple

Operation = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Check:
    """A condition to test when `current` selects an event (None: when the match is complete).

    `walked` are Kleene components over whose events the condition ranges, beyond the one being selected.
    """

    condition: Simple
    current: int | None
    begin: bool
    walked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ByteCode:
    """A family of checks, numbered in the order in which they were assembled; who tests some has their range.

    A check is its range in `code`, the components it walks over, and whether a walk skips its first event.
    """

    attributes: tuple[str, ...]
    constants: tuple[tree.Value, ...]
    code: tuple[Operation, ...]
    checks: tuple[tuple[int, ...], ...]

    def reads(self, check: int) -> tuple[set[tuple[int, int]], set[int]]:
        """The (register, attribute) pairs and the running values that a check reads."""
        start, end = self.checks[check][:2]
        pairs: set[tuple[int, int]] = set()
        scalars: set[int] = set()
        for op, a, b in self.code[start:end]:
            if op == LOAD and a >= 0:
                pairs.add((a, b))
            elif op == SCALAR:
                scalars.add(a)
            elif op == AVG:
                scalars |= {a, b}
        return pairs, {s for s in scalars if s >= 0}

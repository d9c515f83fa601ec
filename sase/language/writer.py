"""Puts conditions and expressions into text: the walk and the parentheses, once for all ways of writing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from sase.language.tree import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Attribute,
    Comparison,
    Condition,
    Constant,
    Equivalence,
    Expression,
    Length,
    Minus,
    Not,
    Parameter,
    Value,
)


class Writer(ABC):
    """What inherits from it says how each form reads, given how its parts do."""

    def condition(self, condition: Condition) -> str:
        match condition:
            case Comparison():
                return self._comparison(condition)
            case Equivalence(attribute, value):
                return self._equivalence(attribute, None if value is None else self.expression(value))
            case AllOf(parts):
                return self._joined("AND", [self._part(part) for part in parts])
            case AnyOf(parts):
                return self._joined("OR", [self._part(part) for part in parts])
            case Not(part):
                return self._not(self._part(part))

    def expression(self, expression: Expression) -> str:
        match expression:
            case Arithmetic(op, left, right):
                return f"{self._operand(left)} {op} {self._operand(right)}"
            case Minus(operand):
                return f"-{self._fenced(self.expression(operand))}"
            case Constant(value):
                return self._constant(value)
            case Parameter(name):
                return self._parameter(name)
            case Length(var):
                return self._length(var)
            case Aggregate():
                return self._aggregate(expression)
            case Attribute():
                return self._attribute(expression)

    def _part(self, condition: Condition) -> str:
        written = self.condition(condition)
        return written if isinstance(condition, Comparison | Equivalence) else self._fenced(written)

    def _operand(self, expression: Expression) -> str:
        # Signs and percentages depend on what stands beside them, so anything but a plain name is fenced.
        written = self.expression(expression)
        plain = not isinstance(expression, Arithmetic | Minus) and not written.startswith("-")
        return written if plain else self._fenced(written)

    @abstractmethod
    def _fenced(self, written: str) -> str: ...

    @abstractmethod
    def _comparison(self, comparison: Comparison) -> str: ...

    @abstractmethod
    def _equivalence(self, attribute: str, value: str | None) -> str: ...

    @abstractmethod
    def _joined(self, word: Literal["AND", "OR"], parts: Sequence[str]) -> str: ...

    @abstractmethod
    def _not(self, part: str) -> str: ...

    @abstractmethod
    def _constant(self, value: Value) -> str: ...

    @abstractmethod
    def _parameter(self, name: str) -> str: ...

    @abstractmethod
    def _length(self, var: str) -> str: ...

    @abstractmethod
    def _aggregate(self, aggregate: Aggregate) -> str: ...

    @abstractmethod
    def _attribute(self, attribute: Attribute) -> str: ...

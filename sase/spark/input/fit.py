"""Columns that cannot be what a query takes them for: such values are reported, and matched all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    MapType,
    NumericType,
    StructType,
    TimestampNTZType,
    TimestampType,
    VariantType,
)

from sase.language import tree
from sase.language.walk import comparisons, leaves, operands

ColumnKind = Literal["a text", "a number", "true or false", "nested"]

NESTED = (StructType, ArrayType, MapType, VariantType)
_OWN: dict[str, ColumnKind] = {
    "ts": "a number",
    "event": "a text",
}  # of every event, whatever its columns are


@dataclass(frozen=True, slots=True)
class Misfit:
    """Events of these types do not fit if they carry the attribute."""

    types: tuple[str, ...]
    attribute: str
    reason: str


def kind_of(type_: DataType) -> ColumnKind:
    """What a column holds as the language sees it."""
    if isinstance(type_, NESTED):
        return "nested"
    if isinstance(type_, BooleanType):
        return "true or false"
    return "a number" if isinstance(type_, NumericType | TimestampType | TimestampNTZType) else "a text"


def misfits(name: str, query: tree.QueryTree, kinds: Mapping[str, ColumnKind]) -> tuple[Misfit, ...]:
    """The attributes, by component, that the query of this name takes for something else."""
    types = {leaf.var: leaf.types for leaf in leaves(query.pattern)}
    found = (
        Misfit(types[var], attribute, f"{attribute} is {kinds[attribute]}, but the query {name} {use}")
        for var, attribute, use in _Uses(query, kinds).all()
        if attribute in kinds
    )
    return tuple(dict.fromkeys(found))


_Use = tuple[str | None, str, str]  # a component, its attribute, and what is done with it that cannot be done


class _Uses:
    """Everything in a query that an attribute of the wrong kind stands in."""

    def __init__(self, query: tree.QueryTree, kinds: Mapping[str, ColumnKind]) -> None:
        self._query = query
        self._kinds = {**kinds, **_OWN}

    def all(self) -> Iterator[_Use]:
        for comparison in comparisons(self._query.condition):
            yield from self._computed(comparison.left)
            yield from self._computed(comparison.right)
            yield from self._compared(comparison.left, comparison.op, comparison.right)
            yield from self._compared(comparison.right, comparison.op, comparison.left)
        for name, value in _equivalences(self._query.condition):
            for leaf in leaves(self._query.pattern):
                yield from self._compared(tree.Attribute(leaf.var, name), "=", value)
        for item in self._query.returned:
            yield from self._computed(item.expression)

    def _compared(self, one: tree.Expression, op: str, other: tree.Expression) -> Iterator[_Use]:
        value = _value(one)
        if value is not None and not self._comparable(one, op, other):
            yield *value, f"compares it with {_written(other, self._kind(other))}"

    def _comparable(self, one: tree.Expression, op: str, other: tree.Expression) -> bool:
        """True and false count as 1 and 0, and nested values are equal or not; all else must be alike."""
        kinds = {self._kind(one), self._kind(other)}
        if None in kinds:
            return True
        if "nested" in kinds:
            return kinds == {"nested"} and op in ("=", "!=")
        if kinds == {"a number", "true or false"}:
            return any(isinstance(side, tree.Constant) and side.value in (0, 1) for side in (one, other))
        return len(kinds) == 1

    def _computed(self, expression: tree.Expression) -> Iterator[_Use]:
        """The attributes that must be numbers: those in sums and the like, alone or over many events."""
        for part in operands(expression):
            match part:
                case tree.Arithmetic(left=left, right=right):
                    numbers: list[tree.Expression] = [left, right]
                case tree.Minus(operand=operand):
                    numbers = [operand]
                case tree.Aggregate(function="avg" | "sum", var=var, name=str(name)):
                    numbers = [tree.Attribute(var, name)]
                case tree.Aggregate(function="min" | "max", var=var, name=str(name)):
                    whole = tree.Attribute(var, name)
                    numbers = [whole] if self._kind(whole) == "nested" else []
                case _:
                    numbers = []
            for number in numbers:
                value = _value(number)
                if value is not None and self._kind(number) in ("a text", "nested"):
                    yield *value, "computes with it"

    def _kind(self, expression: tree.Expression) -> ColumnKind | None:
        """What the expression yields; None for an attribute that the stream does not have."""
        if isinstance(expression, tree.Constant):
            return _kind_of_constant(expression.value)
        value = _value(expression)
        return "a number" if value is None else self._kinds.get(value[1])


def _value(expression: tree.Expression) -> tuple[str | None, str] | None:
    """The component and the attribute whose own value the expression yields, if it does."""
    match expression:
        case tree.Attribute(var=var, name=name):
            return var, name
        case tree.Aggregate(function="first" | "last" | "min" | "max", var=var, name=str(name)):
            return var, name
    return None


def _written(expression: tree.Expression, kind: ColumnKind | None) -> str:
    value = _value(expression)
    if value is None:
        return str(kind)
    return f"{value[1]}, which is {kind}"


def _kind_of_constant(value: tree.Value) -> ColumnKind | None:
    if value is None:
        return None
    if isinstance(value, str):
        return "a text"
    return "true or false" if isinstance(value, bool) else "a number"


def _equivalences(condition: tree.Condition | None) -> Iterator[tuple[str, tree.Constant]]:
    """The tests that say which value it is; all others compare a column with itself."""
    match condition:
        case tree.Equivalence(attribute=name, value=tree.Constant() as value):
            yield name, value
        case tree.AllOf() | tree.AnyOf():
            for part in condition.parts:
                yield from _equivalences(part)

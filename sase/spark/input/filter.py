"""The part of the queries that Catalyst can test: an event that no query wants never leaves the JVM."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import reduce
from typing import TYPE_CHECKING, Literal

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import (
    BooleanType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    StringType,
    StructType,
)

from sase.language import tree
from sase.spark.input.columns import attribute, carried

if TYPE_CHECKING:  # the process that declares state loads this, and needs no machine
    from sase.operators.plan import Plan
    from sase.operators.scan import Candidate

CatalystKind = Literal["text", "integer", "real", "decimal"]

_LONG = range(-(2**63), 2**63)
_SCALE = 19  # a decimal of so many places meets any long within the 38 digits that Catalyst has

_COMPARE: dict[str, Callable[[Column, Column], Column]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def wanted(plans: Iterable[Plan], schema: StructType) -> Column:
    """Whether some component of some plan could select the event, or be ruled out by it."""
    return _any(_plan(plan, schema) for plan in plans)


def _plan(plan: Plan, schema: StructType) -> Column:
    """An event without an equivalence attribute takes part in nothing; the others need one scan that fits.

    A window that counts events counts them all."""
    required = (_present(name, schema) for name in plan.scan.partitioning.required)
    if plan.counts_all:
        beside = plan.matching.contiguity == "partition" and not plan.counts_events
        return _all(required) if beside else F.lit(True)
    return _all(required) & _any(_candidate(each, schema) for each in plan.scan.candidates) | _watched(
        plan, schema
    )


def _watched(plan: Plan, schema: StructType) -> Column:
    """Whether constraints look at the event."""
    cases = _any(_all(_present(name, schema) for name in names) for names in plan.scan.cases)
    return F.col("event").isin(*plan.scan.watched) & cases if plan.scan.watched else F.lit(False)


def _candidate(candidate: Candidate, schema: StructType) -> Column:
    tests = (_test(condition, schema) for condition in candidate.conditions)
    return _all([F.col("event").isin(*candidate.types), *(test for test in tests if test is not None)])


def _present(name: str, schema: StructType) -> Column:
    return attribute(name).isNotNull() if carried(name) in schema.names else F.lit(False)


def _test(condition: tree.Condition, schema: StructType) -> Column | None:
    """The condition as Catalyst sees it; None if the two might differ, then only the matcher tests it."""
    match condition:
        case tree.Comparison():
            return _comparison(condition, schema)
        case tree.AllOf() | tree.AnyOf():
            parts = [_test(part, schema) for part in condition.parts]
            known = [part for part in parts if part is not None]
            if isinstance(condition, tree.AllOf):
                return _all(known)
            return _any(known) if len(known) == len(parts) else None
    return None


def _comparison(comparison: tree.Comparison, schema: StructType) -> Column | None:
    sides = [_side(side, schema) for side in (comparison.left, comparison.right)]
    if any(side is None for side in sides):
        return None
    (left, left_kind), (right, right_kind) = sides  # type: ignore[misc]
    if left is None or right is None:
        return F.lit(True)  # a comparison that mentions a missing attribute is true
    unequal = comparison.op == "!="
    if (left_kind == "text") != (right_kind == "text"):
        holds = F.lit(unequal)
    elif (left_kind != right_kind or left_kind == "decimal") and not _exact(comparison):
        return None  # Catalyst would round one of them
    else:
        holds = _COMPARE[comparison.op](left, right)
    if "real" in (left_kind, right_kind):
        # For Spark NaN equals itself and is the greatest; in the language it compares with nothing.
        numbers = ~(F.isnan(left) | F.isnan(right))
        holds = ~numbers | holds if unequal else numbers & holds
    return left.isNull() | right.isNull() | holds


def _exact(comparison: tree.Comparison) -> bool:
    """Whether one side is an integer that numbers of any kind can hold."""
    integers = [side.value for side in (comparison.left, comparison.right) if isinstance(side, tree.Constant)]
    return any(isinstance(value, int) and abs(value) <= 2**53 for value in integers)


def _side(expression: tree.Expression, schema: StructType) -> tuple[Column | None, CatalystKind] | None:
    """A column or a constant, with its kind; (None, …) is an attribute that the stream does not have."""
    match expression:
        case tree.Constant(value) if value is not None and not _wide(value):
            return F.lit(int(value) if isinstance(value, bool) else value), _kind_of(value)
        case tree.Attribute(name=name):
            if carried(name) not in schema.names:
                return None, "text"
            kind = _kind(schema[carried(name)].dataType)
            found = attribute(name)
            return None if kind is None else (found.cast("bigint") if kind == "integer" else found, kind)
    return None


def _wide(value: tree.Value) -> bool:
    """An integer that Catalyst has no type for."""
    return isinstance(value, int) and value not in _LONG


def _kind_of(value: str | int | float) -> CatalystKind:
    return "text" if isinstance(value, str) else "real" if isinstance(value, float) else "integer"


def _kind(type_: DataType) -> CatalystKind | None:
    if isinstance(type_, StringType):
        return "text"
    if isinstance(type_, IntegralType | BooleanType):
        return "integer"
    if isinstance(type_, DecimalType):
        return "decimal" if type_.scale <= _SCALE else None
    return "real" if isinstance(type_, DoubleType | FloatType) else None


def _all(tests: Iterable[Column]) -> Column:
    return reduce(operator.and_, tests, F.lit(True))


def _any(tests: Iterable[Column]) -> Column:
    return reduce(operator.or_, tests, F.lit(False))

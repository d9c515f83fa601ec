"""The rules of values, one file of cases, through everything that evaluates them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sase.oracle import values
from tests.sase.value_cases import (
    AGGREGATED,
    COMPARED,
    COMPARISONS,
    COMPUTED,
    NEGATED,
    Called,
    Compared,
    Computed,
)


def by_line(cases: list[Any]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case.line for case in cases])


def meant(value: Any) -> Any:
    return values.of({"v": value}, "v")


def same(found: Any, expected: Any) -> bool:
    """Of two results of the oracle; NaN is the same as NaN here."""
    if found is values.MISSING or expected is values.MISSING:
        return found is expected
    return values.equal(found, expected) or (values.is_nan(found) and values.is_nan(expected))


@by_line(COMPARED)
def test_the_oracle_compares(case: Compared) -> None:
    left, right = meant(case.left), meant(case.right)
    assert {op for op in COMPARISONS if values.compare(op, left, right)} == case.holds
    assert values.equal(left, right) == case.one_key


@by_line(COMPUTED)
def test_the_oracle_computes(case: Computed) -> None:
    assert same(values.calculate(case.op, meant(case.left), meant(case.right)), meant(case.result))


@by_line(NEGATED)
def test_the_oracle_negates(case: Called) -> None:
    assert same(values.negate(meant(*case.values)), meant(case.result))


@by_line(AGGREGATED)
def test_the_oracle_aggregates(case: Called) -> None:
    assert same(values.aggregate(case.function, list(map(meant, case.values))), meant(case.result))

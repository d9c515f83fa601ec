"""RETURN and tables of matches: what cannot be computed is null, what cannot be one column is text."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import sase

DAY = date(2026, 11, 17)


def returned(expression: str, *values: Any) -> Any:
    """What RETURN gives of the events `a`, one for each value, before `b`, which has the last one too."""
    query = sase.compile(
        f"EVENT SEQ(A+ a[], B b) WHERE strict_contiguity(a[], b) {{ a[1].ts = 0 }} RETURN {expression} AS r"
    )
    rows = [{"event": "A", "ts": n, "v": value} for n, value in enumerate(values)]
    (match,) = query.matcher().push([*rows, {"event": "B", "ts": len(rows), "v": values[-1]}])
    return match.attributes["r"]


@pytest.mark.parametrize(
    ("expression", "values"),
    [
        ("min(a[].v)", (1, "a")),
        ("max(a[].v)", (1, float("nan"))),
        ("min(a[].v)", ([1], [2])),
        ("sum(a[].v)", ([1], [2])),
        ("sum(a[].v)", ("a",)),
        ("avg(a[].v)", (1, {"x": 1})),
        ("b.v + 1", ([1],)),
        ("b.v + 1", ("1",)),
        ("b.v * 2", ("1",)),
        ("b.v / 0", (1,)),
        ("b.v % 0", (1.5,)),
        ("b.v / 0", (Decimal("0.1"),)),
        ("b.v * 0.5", (Decimal("1e99999"),)),
        ("-b.v", (b"1",)),
        ("b.v + 1", (DAY,)),
        ("b.v + 1", (float("nan"),)),
    ],
)
def test_where_a_condition_has_no_number_return_gives_null(expression: str, values: tuple[Any, ...]) -> None:
    assert returned(expression, *values) is None


@pytest.mark.parametrize(
    ("expression", "values", "result"),
    [
        ("b.v + 1", (np.int64(1),), 2),
        ("b.v + 1", (np.uint8(255),), 256),
        ("b.v / 2", (Decimal("1"),), 0.5),
        ("b.v * 0.5", (10**400,), 10**400 // 2),
        ("b.v / 3", (2**60,), 2**60 / 3),
        ("b.v / 3", (10**400,), float("inf")),
        ("b.v + 1", (Decimal("0.1"),), Decimal("1.1")),
        ("b.v * 0.5", (Decimal("0.1"),), Decimal("0.05")),
        ("b.v % 1", (Decimal("-0.1"),), Decimal("0.9")),
        ("b.v + 1", (datetime(1970, 1, 1, 0, 0, 1),), 1001),
        ("sum(a[].v)", (np.float32(0.5), Decimal("0.25"), True), 1.75),
        ("sum(a[].v)", (0.5, Decimal("0.1")), Decimal("0.6")),
        ("avg(a[].v)", (Decimal("1"), 2), 1.5),
        ("min(a[].v)", (2, Decimal("0.1"), np.int8(1)), Decimal("0.1")),
        ("max(a[].v)", (DAY, date(2026, 9, 30)), DAY),
        ("min(a[].v)", ("b", "a"), "a"),
        ("count(a[].v)", (1, None, np.datetime64("NaT")), 1),
        ("b.v", ([1],), [1]),
    ],
)
def test_values_of_all_types_are_computed_with(expression: str, values: tuple[Any, ...], result: Any) -> None:
    assert returned(expression, *values) == result


def test_the_fixed_columns_of_a_table_are_not_overwritten() -> None:
    names = ("event", "ts", "start", "end", "probability")
    items = ", ".join(f"x.v AS {name}" for name in (*names, "other"))
    found = (
        sase.compile(f"EVENT A x RETURN {items} INTO Seen")
        .matcher()
        .push([{"event": "A", "ts": 5, "v": "w"}])
    )
    expected = {"event": "Seen", "ts": 5, "start": 5, "end": 5, "probability": 1.0, "other": "w"}
    assert found.to_arrow().to_pylist() == [expected]
    assert found[0].attributes["ts"] == "w"


@pytest.mark.parametrize(
    ("values", "column"),
    [
        ([1, "a", None], ["1", "a", None]),
        ([True, 1], ["true", "1"]),
        ([DAY, 5], ["2026-11-17", "5"]),
        ([[1], 2], ["[1]", "2"]),
        ([["a"], [1]], ['["a"]', "[1]"]),
        ([2**64, 1], [str(2**64), "1"]),
        ([2**60 + 1, 0.5], [str(2**60 + 1), "0.5"]),
        ([1, 0.5, np.float32(2)], [1.0, 0.5, 2.0]),
        ([None, None], [None, None]),
    ],
)
def test_a_column_of_mixed_kinds_is_text(values: list[Any], column: list[Any]) -> None:
    rows = [{"event": "A", "ts": n, "v": value} for n, value in enumerate(values)]
    table = sase.compile("EVENT A x RETURN x.v AS v").matcher().push(rows).to_arrow()
    assert table["v"].to_pylist() == column

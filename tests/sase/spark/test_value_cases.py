"""The rules of values through Spark: columns keep their meaning, and the filter loses no match by them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

import sase
from sase.spark.input.columns import NOTICES
from sase.spark.input.filter import wanted
from sase.spark.input.prepare import ColumnNames, prepared
from tests.sase.value_cases import COMPARED, COMPARISONS, Compared

NAMES = ColumnNames("event", "ts", None, None, None, "HEARTBEAT")
TYPES = {
    bool: "boolean",
    int: "bigint",
    float: "double",
    str: "string",
    np.float32: "float",
    date: "date",
    type(None): "string",
}


def column_type(value: Any) -> str:
    """The Spark type of a value; what 64 bits cannot hold is a decimal there, as are decimals."""
    if isinstance(value, Decimal) or (type(value) is int and not -(2**63) <= value < 2**63):
        return f"decimal(38, {0 if int(value) == value else 18})"
    if isinstance(value, datetime):
        return "timestamp" if value.tzinfo else "timestamp_ntz"
    return TYPES[type(value)]


def known(value: Any) -> bool:
    """Structs and lists travel as JSON text, which is told as a misfit where it is compared."""
    return not isinstance(value, list)


def named(side: str, value: Any) -> str:
    return f"{side} {column_type(value)}"


CASES = [case for case in COMPARED if known(case.left) and known(case.right)]


def query(case: Compared, op: str) -> str:
    """Only for events whose columns are of these types, of which one may hold what another cannot."""
    left, right = named("left", case.left), named("right", case.right)
    return f"EVENT A x WHERE x.kinds = '{left}, {right}' AND x.`{left}` {op} x.`{right}`"


def cell(kind: str, value: Any) -> Any:
    if value is None:
        return None
    return Decimal(value) if kind.startswith("decimal") else float(value) if kind == "float" else value


@pytest.fixture(scope="module")
def seen(spark: SparkSession) -> tuple[pa.Table, list[str]]:
    """The events as a bucket would get them, with what the filter of each query says, in one job."""
    columns = dict.fromkeys(f"{side} {kind}" for side in ("left", "right") for kind in all_types())
    schema = ", ".join(
        ["event string, ts bigint, kinds string", *(f"`{name}` {name.split(' ', 1)[1]}" for name in columns)]
    )
    rows = [row(ts, case, list(columns)) for ts, case in enumerate(CASES)]
    events = prepared(spark.createDataFrame(rows, schema), NAMES, None, None, None, [])
    queries = list(dict.fromkeys(query(case, op) for case in CASES for op in COMPARISONS))
    tests = [
        wanted(compiled(text).plans, events.schema).alias(f"wanted {n}") for n, text in enumerate(queries)
    ]
    return events.select("*", *tests).drop(*NOTICES).toArrow(), queries


def all_types() -> list[str]:
    return sorted({column_type(value) for case in CASES for value in (case.left, case.right)})


def row(ts: int, case: Compared, columns: list[str]) -> tuple[Any, ...]:
    cells = {named("left", case.left): case.left, named("right", case.right): case.right}
    values = [cell(name.split(" ", 1)[1], cells.get(name)) for name in columns]
    return ("A", ts, ", ".join(cells), *values)


@cache
def compiled(text: str) -> sase.Query:
    return sase.compile(text)


def test_the_filter_lets_everything_through_that_a_query_wants(seen: tuple[pa.Table, list[str]]) -> None:
    table, queries = seen
    passed = {text: set(np.flatnonzero(table[f"wanted {n}"].to_numpy())) for n, text in enumerate(queries)}
    lost = [
        f"{case.line}: {op}"
        for ts, case in enumerate(CASES)
        for op in case.holds
        if ts not in passed[query(case, op)]
    ]
    assert lost == []


def test_columns_of_spark_compare_as_the_cases_say(seen: tuple[pa.Table, list[str]]) -> None:
    table, _ = seen
    events = table.select([name for name in table.column_names if not name.startswith("wanted")])
    found = {text: {match.start for match in compiled(text).match(events)} for text in seen[1]}
    told = {
        case.line: {op for op in COMPARISONS if ts in found[query(case, op)]} for ts, case in enumerate(CASES)
    }
    assert told == {case.line: case.holds for case in CASES}

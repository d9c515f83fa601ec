"""Random columns of every type: Spark's operator finds what the matcher finds in the same dicts."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from tests.sase.effort import examples
from tests.sase.spark.workers import Workers
from tests.sase.value_cases import COMPARISONS

EDGES = [0, 1, -1, 2**53, 2**53 + 1, 2**62, 2**63 - 1, -(2**63)]
BEYOND = [Decimal(2**63), Decimal(2**64 + 1), Decimal("0.10"), Decimal("0.1"), Decimal(3), Decimal(-(10**20))]
COLUMNS: list[st.SearchStrategy[Any]] = [
    st.sampled_from(EDGES),
    st.sampled_from(BEYOND),
    st.sampled_from([0.1, -0.0, 3.0, 2.0**53, float("nan"), float("inf")]),
    st.sampled_from(["", "a", "b", "1"]),
    st.booleans(),
    st.datetimes(datetime(1969, 12, 31), datetime(1970, 1, 2), timezones=st.just(UTC)),
    st.dates(date(1969, 12, 31), date(1970, 1, 2)),
]
columns = st.sampled_from(COLUMNS).flatmap(
    lambda kind: st.lists(st.none() | kind, min_size=6, max_size=6).filter(any)
)


@examples(25)
@given(columns, columns, st.sampled_from(COMPARISONS))
def test_columns_of_any_type_compare_in_spark_as_in_python(v: list[Any], w: list[Any], op: str) -> None:
    query = f"EVENT SEQ(A a, B b) WHERE a.v {op} b.w WITHIN 1 min"
    given = [{"event": "AB"[n % 2], "ts": n, "_id": str(n), "v": v[n], "w": w[n]} for n in range(len(v))]
    carried = [{name: value for name, value in event.items() if value is not None} for event in given]
    expected = sorted((match.start, match.end) for match in sase.compile(query).match(carried))
    with pytest.MonkeyPatch.context() as patched:
        rows = Workers({"q": query}, patched, sample=given).batch(given, parts=1)
    assert sorted((row.start, row.end) for row in rows if row.kind == "match") == expected

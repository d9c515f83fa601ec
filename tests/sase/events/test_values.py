"""What values of every type count as, from dicts and from Arrow alike."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from sase.events.values import plain
from tests.sase.effort import examples

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
EAST = timezone(timedelta(hours=5))


@pytest.mark.parametrize(
    ("value", "counts_as"),
    [
        (np.int8(-3), -3),
        (np.uint64(2**63 - 1), 2**63 - 1),
        (np.float16(0.5), 0.5),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.bool_(True), True),
        (np.str_("x"), "x"),
        (Decimal("7"), 7),
        (Decimal("7.00"), 7),
        (Decimal("-0.0"), 0),
        (Decimal("Infinity"), float("inf")),
        (Decimal(2**64), 2**64),
        (date(2026, 11, 17), "2026-11-17"),
        (np.datetime64("2026-11-17"), "2026-11-17"),
        (datetime(1970, 1, 1, 0, 0, 1), 1000),
        (datetime(1970, 1, 1, 5, 0, 1, tzinfo=EAST), 1000),
        (datetime(1969, 12, 31, 23, 59, 59, 999_999), -1),
        (datetime(1970, 1, 1, 0, 0, 0, 1999, UTC), 1),
        (pd.Timestamp(1_999_999), 1),
        (np.datetime64(-1, "ns"), -1),
        (np.datetime64("NaT"), None),
        (pd.NaT, None),
        (Decimal("0.25"), Decimal("0.25")),
        (Decimal("0.1"), Decimal("0.1")),
        (Decimal("1e9999"), Decimal("1e9999")),  # an integer that might take all memory
        (np.timedelta64(1, "s"), np.timedelta64(1, "s")),
    ],
)
def test_a_value_counts_as_the_text_or_number_that_it_is(value: Any, counts_as: Any) -> None:
    found = plain(value)
    assert (type(found), found) == (type(counts_as), counts_as)


def test_a_decimal_that_is_no_number_counts_as_none() -> None:
    assert np.isnan(plain(Decimal("NaN")))


def single(value: Any, other: Any) -> list[dict[str, Any]]:
    return [{"event": "A", "ts": 1, "v": value}, {"event": "B", "ts": 2, "v": other}]


def true_comparisons(push: Any) -> list[str]:
    return [
        op
        for op in COMPARISONS
        if len(sase.compile(f"EVENT SEQ(A x, B y) WHERE x.v {op} y.v").matcher().push(push))
    ]


ALIKE: list[tuple[Any, Any, pa.DataType]] = [
    (np.int64(5), 6, pa.int64()),
    (np.float32(0.5), np.float32(0.75), pa.float32()),
    (np.float16(0.5), np.float16(0.75), pa.float16()),
    (Decimal("5"), Decimal("6"), pa.decimal128(38, 0)),
    (Decimal("5.50"), Decimal("6.25"), pa.decimal128(10, 2)),
    (Decimal("5.00"), Decimal("6.00"), pa.decimal256(50, 2)),
    (Decimal("9"), Decimal("10"), pa.decimal32(5, 0)),
    (date(2026, 9, 30), date(2026, 11, 17), pa.date32()),
    (date(2026, 9, 30), date(2026, 11, 17), pa.date64()),
    (datetime(2026, 9, 30), datetime(2026, 11, 17), pa.timestamp("us")),
    (datetime(2026, 9, 30, tzinfo=UTC), datetime(2026, 11, 17, tzinfo=UTC), pa.timestamp("ns", "UTC")),
    ("a", "b", pa.string_view()),
    ("a", "b", pa.large_string()),
    ("a", "b", pa.dictionary(pa.int8(), pa.string())),
    (Decimal("0.1"), Decimal("0.20"), pa.decimal128(10, 3)),
    (2**63, 2**64 - 1, pa.uint64()),
    (Decimal(2**64), Decimal(10 * 2**64), pa.decimal128(38, 0)),
]


@pytest.mark.parametrize(("low", "high", "kind"), ALIKE, ids=[str(kind) for *_, kind in ALIKE])
def test_the_less_is_less_from_dicts_and_from_arrow(low: Any, high: Any, kind: pa.DataType) -> None:
    for first, second, expected in (
        (low, high, ["!=", "<", "<="]),
        (high, low, ["!=", ">", ">="]),
        (low, low, ["=", "<=", ">="]),
    ):
        assert true_comparisons(single(first, second)) == expected
        column = pa.array([first, second], kind)
        batch = pa.record_batch({"event": ["A", "B"], "ts": [1, 2], "v": column})
        assert true_comparisons(batch) == expected


EXACT = [(value, kind) for value, _, kind in ALIKE if plain(value) in (*range(10), 0.5) or type(value) is str]
DAYS = [(date(2026, 9, 30), pa.date32()), (date(2026, 9, 30), pa.date64())]
MOMENTS_OF_DAYS = [(datetime(1970, 1, 1, 0, 1), pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")]


@pytest.mark.parametrize(
    ("value", "kind"), [*EXACT, *DAYS, *MOMENTS_OF_DAYS], ids=lambda each: str(each).replace(" ", "_")
)
def test_a_value_equals_the_constant_that_it_is(value: Any, kind: pa.DataType) -> None:
    query = sase.compile("EVENT A x WHERE x.v = $v AND x.v <= $v", {"v": plain(value)})
    assert len(query.matcher().push([{"event": "A", "ts": 1, "v": value}])) == 1
    batch = pa.record_batch({"event": ["A"], "ts": [1], "v": pa.array([value], kind)})
    assert len(query.matcher().push(batch)) == 1


@pytest.mark.parametrize(
    "kind", [pa.string_view(), pa.binary_view(), pa.dictionary(pa.int8(), pa.string_view())]
)
def test_rows_of_views_are_taken(kind: pa.DataType) -> None:
    texts = pa.array(["a", "b", "a", None])
    views = (
        pa.array([b"a", b"b", b"a", None], kind) if kind == pa.binary_view() else texts.cast(pa.string_view())
    )
    if pa.types.is_dictionary(kind):
        views = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, None], pa.int8()), views.slice(0, 2))
    batch = pa.record_batch({"event": ["A", "X", "B", "B"], "ts": [1, 2, 3, 4], "v": views})
    (match,) = sase.compile("EVENT SEQ(A x, B y) WHERE [v]").matcher().push(batch)
    assert match.events["x"]["v"] in ("a", b"a")
    assert match.end == 3


def test_a_null_among_the_values_of_a_dictionary_is_missing() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1], pa.int32()), pa.array(["A", None]))
    batch = pa.record_batch({"event": ["A", "A", "A"], "ts": [1, 2, 3], "v": column})
    assert len(sase.compile("EVENT SEQ(A x, A y) WHERE [v]").matcher().push(batch)) == 0
    found = sase.compile("EVENT A x WHERE x.v = 'B'").matcher().push(batch)
    assert [match.start for match in found] == [2, 3]


MOMENTS = st.datetimes(
    datetime(1960, 1, 1), datetime(1980, 1, 1), timezones=st.sampled_from([None, UTC, EAST])
)
COLUMNS: dict[str, tuple[st.SearchStrategy[Any], pa.DataType]] = {
    "decimal": (st.decimals(-3, 3, places=1), pa.decimal128(20, 4)),
    "halves": (st.sampled_from([0.0, 0.5, 1.0]).map(np.float16), pa.float16()),
    "day": (st.dates(date(2026, 1, 1), date(2026, 1, 4)), pa.date32()),
    "moment": (MOMENTS.map(lambda at: at.replace(second=at.second % 2)), pa.timestamp("us", "UTC")),
    "text": (st.sampled_from(["", "a", "b"]), pa.string_view()),
    "small": (st.integers(0, 3).map(np.uint8), pa.uint8()),
    "large": (st.integers(2**63 - 2, 2**63 + 1), pa.uint64()),
}


@examples(150)
@given(st.data(), st.sampled_from(sorted(COLUMNS)), st.sampled_from(COMPARISONS))
def test_dicts_and_arrow_find_the_same(data: st.DataObject, name: str, op: str) -> None:
    values, kind = COLUMNS[name]
    drawn = data.draw(st.lists(st.none() | values, min_size=2, max_size=8))
    rows = [{"event": "AB"[n % 2], "ts": n, "v": value} for n, value in enumerate(drawn)]
    column = pa.array([plain_moment(value) for value in drawn], kind)
    batch = pa.record_batch({"event": [row["event"] for row in rows], "ts": range(len(rows)), "v": column})
    for text in (f"EVENT SEQ(A x, B y) WHERE x.v {op} y.v", "EVENT SEQ(A x, B y) WHERE [v]"):
        query = sase.compile(text)
        found = [[match.positions for match in query.match(events)] for events in (rows, batch)]
        assert found[0] == found[1]


def plain_moment(value: Any) -> Any:
    """Arrow takes moments without a zone for UTC only if they say so."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value


PROGRAM = """
import pyarrow as pa, sase
batch = pa.record_batch({
    "event": ["A", "B"],
    "ts": pa.array([1_577_836_800_000_999, 1_577_836_800_001_999], pa.timestamp("us")),
})
(match,) = sase.compile("EVENT SEQ(A x, B y) RETURN x.ts AS began, y.ts AS ended").matcher().push(batch)
print(match.start, match.events["x"]["ts"], match.attributes["began"])
print(match.end, match.events["y"]["ts"], match.attributes["ended"])
"""


def test_naive_times_are_utc_whatever_the_machines_zone_and_cut_off_alike() -> None:
    environment = {**os.environ, "TZ": "America/New_York"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1577836800000"] * 3 + ["1577836800001"] * 3


@pytest.mark.parametrize("unit", ["us", "ns"])
def test_times_before_1970_are_cut_off_downwards_too(unit: str) -> None:
    batch = pa.record_batch({"event": ["A"], "ts": pa.array([-1], pa.timestamp(unit))})
    (match,) = sase.compile("EVENT A x").matcher().push(batch)
    assert (match.start, match.events["x"]["ts"]) == (-1, -1)

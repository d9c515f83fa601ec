"""Random values of every kind: from dicts and from Arrow the engine finds what the oracle finds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from sase.check.query import check
from sase.language.parse import parse
from tests.sase.effort import examples
from tests.sase.oracle import composites, definition, values
from tests.sase.oracle.truth import Truth
from tests.sase.queries import Trial
from tests.sase.value_cases import COMPARISONS, column

EDGES = [0, 1, 2**53, 2**62, 2**63, 2**64, 10**20, 2**100]
INTEGERS = st.builds(
    lambda edge, off, sign: sign * (edge + off),
    st.sampled_from(EDGES),
    st.integers(-2, 2),
    st.sampled_from([1, -1]),
)
FLOATS = INTEGERS.map(float) | st.sampled_from(
    [0.1, 0.3, -0.5, 1.5, 1e300, float("nan"), float("inf"), float("-inf")]
)
DECIMALS = st.decimals(-2, 2, places=1) | INTEGERS.map(lambda n: Decimal(n).scaleb(-1))
ZONES = st.sampled_from([None, UTC, timezone(timedelta(hours=-5)), timezone(timedelta(hours=5, minutes=30))])
MOMENTS = st.datetimes(datetime(1969, 12, 31), datetime(1970, 1, 2), timezones=ZONES)
NUMBERS = (
    INTEGERS | FLOATS | DECIMALS | st.booleans() | FLOATS.map(np.float64) | st.sampled_from([np.float32(0.1)])
)
OTHERS = st.sampled_from(
    ["", "a", "b", "0.1", "1", "2026-11-17", date(2026, 11, 17), date(2026, 9, 30), [1], [2]]
)
VALUES = st.none() | NUMBERS | MOMENTS | OTHERS

SIDES = [
    "x.v",
    "y.v",
    "x.v + y.v",
    "x.v - y.v",
    "x.v * y.v",
    "x.v / y.v",
    "x.v % y.v",
    "-x.v",
    "x.v * 3 + y.v",
]
SIDES += ["18446744073709551615", "0.1", "9007199254740993"]
COLLECTED = ["sum(a[].v)", "avg(a[].v)", "min(a[].v)", "max(a[].v)", "count(a[].v)", "sum(a[].v) / 3"]

comparisons = st.builds(
    "{} {} {}".format, st.sampled_from(SIDES), st.sampled_from(COMPARISONS), st.sampled_from(SIDES)
)
aggregates = st.builds("{} {} b.v".format, st.sampled_from(COLLECTED), st.sampled_from(COMPARISONS))


def stream(drawn: list[Any], types: str) -> list[dict[str, Any]]:
    events = [{"event": types[n % len(types)], "ts": n, "n": n, "v": value} for n, value in enumerate(drawn)]
    return [{name: value for name, value in event.items() if value is not None} for event in events]


def agree(trial: Trial) -> None:
    """Dicts at once, Arrow an event at a time, against the oracle."""
    truth, query = Truth(trial), sase.compile(trial.query)
    assert truth.found(query.match(trial.events)) == truth.expected()
    matcher = query.matcher()
    batches = [
        pa.record_batch({name: column(value) for name, value in event.items()}) for event in trial.events
    ]
    assert truth.found(match for batch in batches for match in matcher.push(batch)) == truth.expected()


@examples(400)
@given(st.lists(VALUES, min_size=2, max_size=6), comparisons)
def test_two_events_compare_as_the_oracle_does(drawn: list[Any], comparison: str) -> None:
    agree(Trial(f"EVENT SEQ(A x, B y) WHERE {comparison}", stream(drawn, "AB")))


@examples(300)
@given(st.lists(VALUES, min_size=1, max_size=6), comparisons)
def test_one_event_compares_as_the_oracle_does(drawn: list[Any], comparison: str) -> None:
    agree(Trial(f"EVENT A x WHERE {comparison.replace('y.v', 'x.v')}", stream(drawn, "A")))


@examples(200)
@given(st.lists(VALUES, min_size=2, max_size=8))
def test_equal_values_are_one_key_as_for_the_oracle(drawn: list[Any]) -> None:
    agree(Trial("EVENT SEQ(A x, B y) WHERE [v]", stream(drawn, "AB")))


@examples(200)
@given(st.lists(NUMBERS, min_size=2, max_size=5) | st.lists(VALUES, min_size=2, max_size=5), aggregates)
def test_aggregates_are_those_of_the_oracle(drawn: list[Any], aggregate: str) -> None:
    events = stream(drawn, "A")
    events[-1]["event"] = "B"
    agree(Trial(f"EVENT SEQ(A+ a[], B b) WHERE {aggregate}", events))


@examples(200)
@given(
    st.lists(VALUES, min_size=2, max_size=2),
    st.sampled_from([side for side in SIDES if "." in side and "v" in side]),
)
def test_return_gives_what_the_oracle_gives(drawn: list[Any], side: str) -> None:
    events, text = stream(drawn, "AB"), f"EVENT SEQ(A x, B y) RETURN 0 + ({side}) AS r"
    query = check(parse(text), text)
    (expected,) = (composites.attributes(query, match, events) for match in definition.matches(query, events))
    (match,) = sase.compile(text).match(events)
    found, wanted = match.attributes["r"], expected["r"]
    # A quotient that no decimal is comes out as the nearest float.
    assert values.meant(found) == wanted or found == pytest.approx(float(wanted), rel=1e-15)


KINDS = {
    "unsigned": (st.integers(2**63 - 2, 2**64 - 1), pa.uint64()),
    "decimal": (st.decimals(-3, 3, places=1), pa.decimal128(20, 4)),
    "large decimal": (st.integers(10**30, 10**30 + 2).map(Decimal), pa.decimal128(38, 0)),
    "float": (FLOATS, pa.float64()),
    "day": (st.dates(date(2026, 1, 1), date(2026, 1, 4)), pa.date32()),
    "moment": (MOMENTS.filter(lambda at: at.tzinfo is not None), pa.timestamp("us", "America/New_York")),
    "text": (st.sampled_from(["", "a", "b"]), pa.string()),
    "boolean": (st.booleans(), pa.bool_()),
}


@examples(200)
@given(st.data(), st.sampled_from(sorted(KINDS)), comparisons, st.booleans())
def test_columns_of_every_type_compare_as_the_oracle_does(
    data: st.DataObject, name: str, comparison: str, encoded: bool
) -> None:
    each, kind = KINDS[name]
    drawn = data.draw(st.lists(st.none() | each, min_size=2, max_size=8))
    events = stream(drawn, "AB")
    given_column = pa.array(drawn, kind)
    batch = pa.record_batch(
        {
            "event": [event["event"] for event in events],
            "ts": [event["ts"] for event in events],
            "n": [event["n"] for event in events],
            "v": with_null(given_column) if encoded else given_column,
        }
    )
    for text in (f"EVENT SEQ(A x, B y) WHERE {comparison}", "EVENT SEQ(A x, B y) WHERE [v]"):
        truth = Truth(Trial(text, events))
        assert truth.found(sase.compile(text).match(batch)) == truth.expected()


def with_null(given_column: pa.Array) -> pa.Array:
    """The same as a dictionary one of whose values is null, which also stands for what is missing."""
    values = pa.concat_arrays([given_column.drop_null(), pa.nulls(1, given_column.type)])
    places = np.cumsum(given_column.is_valid().to_numpy(zero_copy_only=False)) - 1
    chosen = np.where(given_column.is_valid().to_numpy(zero_copy_only=False), places, len(values) - 1)
    return pa.DictionaryArray.from_arrays(pa.array(chosen, pa.int32()), values)

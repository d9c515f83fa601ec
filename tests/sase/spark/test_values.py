"""A value means in Spark what it means in Python: decimals, collations, moments, numbers that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

import sase
from sase.spark import bad, match

ROWS = """
SELECT event, bigint(at) AS ts, string(at) AS id,
  CAST(big AS decimal(38, 0)) AS big, CAST(price AS decimal(38, 20)) AS price,
  CAST(sum AS decimal(9, 2)) AS sum,
  text COLLATE UTF8_LCASE AS text, CAST(day AS date) AS day,
  CAST(day || ' 02:30:00.1239' AS timestamp_ntz) AS local,
  CAST(day || 'T02:30:00.1239Z' AS timestamp) AS moment, CAST(v AS double) AS v, CAST(v AS float) AS small,
  CAST(tiny AS tinyint) AS tiny, CAST(likely AS decimal(3, 2)) AS prob, text AS `shelf id`,
  CAST(tiny AS int) AS `a.b`
FROM VALUES
  ('A', 1, '12345678901234567890', '0.1', '1.10', 'X', '2026-03-08', '1', 1, '1'),
  ('A', 2, '12345678901234567891', '0.10000000000000000001', '2', 'x', '1969-12-31', '0', 2, '0.5'),
  ('a', 3, '9223372036854775808', '3', '-1.05', null, '2026-03-09', 'NaN', -128, null),
  ('B', 4, '12345678901234567891', '0.1', '1.10', 'x', '2026-03-08', 'Infinity', 1, null),
  ('B', 5, '5', '3', '2.00', null, '1969-12-31', '0.1', 2, '0.25')
AS given(event, at, big, price, sum, text, day, v, tiny, likely)
"""
FOUND = {
    "a decimal is a key, digit by digit": ("EVENT SEQ(A x, B y) WHERE [big]", ["2 4"]),
    "a decimal compares exactly": ("EVENT SEQ(A x, B y) WHERE x.price > y.price", ["2 4"]),
    "with an integer": ("EVENT A x WHERE x.big > 12345678901234567890", ["2"]),
    "with an integer of 64 bits": ("EVENT ANY(B, a) x WHERE x.big > 9223372036854775807", ["3", "4"]),
    "and with its equal": ("EVENT ANY(A, B) x WHERE x.sum = 2", ["2", "5"]),
    "or not": ("EVENT ANY(A, B) x WHERE x.sum != 2", ["1", "4"]),
    "texts go by their letters": ("EVENT A x WHERE x.text != 'x'", ["1"]),
    "and are keys by them": ("EVENT SEQ(A x, B y) WHERE [text]", ["2 4"]),
    "so do types": ("EVENT a x", ["3"]),
    "a day is a text": ("EVENT ANY(A, B) x WHERE x.day = '2026-03-08'", ["1", "4"]),
    "a moment its milliseconds": ("EVENT A x WHERE x.moment = 1772937000123", ["1"]),
    "without a zone in UTC": ("EVENT A x WHERE x.local = 1772937000123", ["1"]),
    "cut off downwards": ("EVENT ANY(A, B) x WHERE x.local = -77399877", ["2", "5"]),
    "NaN equals nothing": ("EVENT a x WHERE x.v = x.v OR x.v >= 0", []),
    "and is unequal": ("EVENT a x WHERE x.v != 1", ["3"]),
    "infinity is a number": ("EVENT ANY(A, B) x WHERE x.v > 1e300", ["4"]),
    "a float counts as what it holds": ("EVENT B x WHERE x.small = 0.1", []),
    "a small integer is one": ("EVENT SEQ(A x, B y) WHERE [tiny] AND x.tiny < 2", ["1 4"]),
    "any column has a name": ("EVENT SEQ(A x, B y) WHERE [`shelf id`] AND y.`a.b` = 1", ["2 4"]),
    "also one with a dot": ("EVENT SEQ(A x, B y) WHERE [`a.b`] AND x.`a.b` > 1", ["2 5"]),
    "a window counts all": (
        "EVENT SEQ(A x, B y) WHERE partition_contiguity(x, y) { [text] } WITHIN 2 events", []
    ),
}  # fmt: skip
QUERIES = {name: query for name, (query, _) in FOUND.items()}
RETURNED = """
EVENT SEQ(A x, B y) WHERE x.ts = 1 AND y.ts = 4
RETURN x.sum / x.v - x.sum / x.v AS zero, x.v / (x.v - 1) AS none, y.v AS endless,
  x.big AS big, x.price AS price, x.big + 1 AS more, x.sum * 2 AS twice
"""


@pytest.fixture(scope="module")
def found(spark: SparkSession) -> Iterator[dict[str, list[Row]]]:
    """All queries in one job with the filter in Catalyst, in one without; the session's zone is not UTC."""
    usual = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    events, queries = spark.sql(ROWS), QUERIES | {"returned": RETURNED}
    whole = events.selectExpr("*", "string(null) AS control")
    yield {
        "filtered": match(events, queries, id="id").collect(),
        "unfiltered": match(whole, queries, id="id", control="control").collect(),
    }
    spark.conf.set("spark.sql.session.timeZone", str(usual))


def ids(rows: list[Row]) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {name: [] for name in QUERIES}
    for row in rows:
        if row["query"] in places:
            bound = json.loads(row["events"]).values()
            places[row["query"]].append(" ".join(event["id"] for event in bound))
    return {name: sorted(each) for name, each in places.items()}


@pytest.mark.parametrize("side", ["filtered", "unfiltered"])
def test_a_value_means_in_spark_what_the_language_says(found: dict[str, list[Row]], side: str) -> None:
    assert ids(found[side]) == {name: expected for name, (_, expected) in FOUND.items()}


def test_the_same_data_give_the_same_matches_in_python(spark: SparkSession) -> None:
    table = spark.sql(ROWS).toArrow()
    for name, (query, expected) in FOUND.items():
        places = [
            " ".join(event["id"] for event in each.events.values())
            for each in sase.compile(query).match(table)
        ]
        assert (name, sorted(places)) == (name, expected)


def _no_json(constant: str) -> Any:
    raise AssertionError(f"{constant} is no JSON")


@pytest.mark.parametrize("side", ["filtered", "unfiltered"])
def test_what_comes_out_is_json_with_exact_numbers(found: dict[str, list[Row]], side: str) -> None:
    (row,) = (row for row in found[side] if row["query"] == "returned")
    attributes = json.loads(row["attributes"], parse_float=Decimal, parse_constant=_no_json)
    assert attributes == {
        "zero": 0,
        "none": None,
        "endless": None,
        "big": 12345678901234567890,
        "price": Decimal("0.1"),
        "more": 12345678901234567891,
        "twice": Decimal("2.20"),
    }
    assert json.loads(row["events"], parse_constant=_no_json)["y"]["v"] is None
    assert row["probability"] == 1


def test_a_time_that_is_no_whole_number_of_milliseconds_is_none(spark: SparkSession) -> None:
    events = spark.createDataFrame([("A", 1.0), ("A", 1.5), ("A", float("nan"))], "event string, ts double")
    result = match(events, {"q": "EVENT A x"}, observe=False).cache()
    assert [row.reason for row in bad(result).collect()] == ["no time", "no time"]
    assert [row.ts.timestamp() for row in result.where("kind = 'match'").collect()] == [0.001]
    result.unpersist()


LEVELS = {
    "one": "EVENT A x RETURN x.big AS big, x.big + 1 AS more, x.`shelf id`, x.pair AS pair, -x.n AS m "
    "INTO ONE",
    "two": "EVENT ONE y WHERE y.m = -1 RETURN y.big AS big, y.`x.shelf id` AS shelf, y.pair AS pair INTO TWO",
    "three": "EVENT SEQ(ONE a, TWO b) WHERE [big] RETURN a.more AS more, b.shelf AS shelf, b.pair AS pair",
}


def test_levels_hand_values_on_with_their_types(spark: SparkSession) -> None:
    events = spark.sql(
        "SELECT 'A' AS event, bigint(n) AS ts, n, CAST('1234567890123456789' || n AS decimal(38, 0)) AS big, "
        "struct(n AS left, 0.5 AS right) AS pair, 'top left' AS `shelf id` FROM VALUES (1), (2) AS given(n)"
    )
    rows = match(events, LEVELS, observe=False).collect()
    found = [(row["query"], json.loads(row["attributes"])) for row in rows if row["query"] != "one"]
    pair = {"left": 1, "right": 0.5}
    assert sorted(found, key=str) == [
        ("three", {"more": 12345678901234567892, "shelf": "top left", "pair": pair}),
        ("two", {"big": 12345678901234567891, "shelf": "top left", "pair": pair}),
    ]

"""Values that cannot be what a query takes them for: found, put aside, counted, and matched as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

import sase
from sase.spark import bad, change, match, switch_off
from sase.spark.input.fit import kind_of, misfits
from tests.sase.spark.streams import drained, found, read, write
from tests.sase.spark.workers import HEARTBEAT, Workers

PLACE = StructType([StructField("x", IntegerType())])
COLUMNS: dict[str, DataType] = {
    "s": StringType(),
    "t": StringType(),
    "day": DateType(),
    "b": BooleanType(),
    "v": LongType(),
    "w": DoubleType(),
    "price": DecimalType(9, 2),
    "seen": TimestampType(),
    "place": PLACE,
    "other": PLACE,
    "tags": ArrayType(StringType()),
}
KINDS = {name: kind_of(type_) for name, type_ in COLUMNS.items()}

FITTING = [
    *("x.s = 'p'", "x.s < y.t", "x.v > 3", "x.v < y.w", "x.price >= 2.5", "x.seen > 0", "x.b = true"),
    *("x.day = '2026-11-17'", "x.b = 1", "x.v = true", "x.b != y.b", "x.v + x.b > 1", "-x.w < y.price"),
    *("[s]", "[place]", "[s = 'p']", "x.place = y.other", "x.missing > 3", "x.missing = y.s"),
    *("x.ts > y.seen", "x.event = y.s"),
]
NOT_FITTING = {
    "x.s = 3": [("A", "s is a text, but the query q compares it with a number")],
    "NOT x.s > 3 OR x.v = 1": [("A", "s is a text, but the query q compares it with a number")],
    "y.day > 3": [("B", "day is a text, but the query q compares it with a number")],
    "x.v = 'p'": [("A", "v is a number, but the query q compares it with a text")],
    "x.seen < '2026'": [("A", "seen is a number, but the query q compares it with a text")],
    "x.s = y.v": [
        ("A", "s is a text, but the query q compares it with v, which is a number"),
        ("B", "v is a number, but the query q compares it with s, which is a text"),
    ],
    "x.s = y.ts": [("A", "s is a text, but the query q compares it with ts, which is a number")],
    "x.s + 1 > y.v": [("A", "s is a text, but the query q computes with it")],
    "-x.tags > 1": [("A", "tags is nested, but the query q computes with it")],
    "x.s = y.v * 2": [("A", "s is a text, but the query q compares it with a number")],
    "x.b > 5": [("A", "b is true or false, but the query q compares it with a number")],
    "x.b = 'true'": [("A", "b is true or false, but the query q compares it with a text")],
    "x.b = y.w": [
        ("A", "b is true or false, but the query q compares it with w, which is a number"),
        ("B", "w is a number, but the query q compares it with b, which is true or false"),
    ],
    "x.place = 'shelf'": [("A", "place is nested, but the query q compares it with a text")],
    "x.place < y.other": [
        ("A", "place is nested, but the query q compares it with other, which is nested"),
        ("B", "other is nested, but the query q compares it with place, which is nested"),
    ],
    "[s = 3]": [
        ("A", "s is a text, but the query q compares it with a number"),
        ("B", "s is a text, but the query q compares it with a number"),
    ],
}
OVER_MANY = {
    "a[i].s > a[i-1].s AND count(a[].s) > 2 AND max(a[].s) = 'p' AND sum(a[].b) > 1": [],
    "sum(a[].s) > 2": ["computes with it"],
    "avg(a[..i-1].s) < a[i].v": ["computes with it"],
    "max(a[].s) > 2": ["compares it with a number"],
    "min(a[].place) = 'p'": ["computes with it", "compares it with a text"],
}


def told(condition: str) -> list[tuple[str, str]]:
    query = sase.compile(f"EVENT SEQ(A x, B y) WHERE {condition}")
    return [(type_, each.reason) for each in misfits("q", query.tree, KINDS) for type_ in each.types]


def test_what_the_language_gives_a_use_fits() -> None:
    assert {condition: told(condition) for condition in FITTING if told(condition)} == {}


@pytest.mark.parametrize("condition", NOT_FITTING)
def test_a_column_that_cannot_be_what_it_is_compared_with_does_not_fit(condition: str) -> None:
    assert told(condition) == NOT_FITTING[condition]


@pytest.mark.parametrize("condition", OVER_MANY)
def test_functions_over_many_events_need_what_they_compute_with(condition: str) -> None:
    query = sase.compile(f"EVENT SEQ(A+ a[], B y) WHERE {condition} WITHIN 1 hour")
    found = [each.reason.partition("the query q ")[2] for each in misfits("q", query.tree, KINDS)]
    assert found == OVER_MANY[condition]


def test_what_return_computes_must_fit_too_and_what_it_only_names_always_does() -> None:
    query = sase.compile("EVENT SEQ(A x, ANY(B, C) y) RETURN x.s + y.v AS sum, x.place, y.s AS s, y.*")
    assert [(each.types, each.reason) for each in misfits("q", query.tree, KINDS)] == [
        (("A",), "s is a text, but the query q computes with it")
    ]


ROWS = [
    ("A", 1, "two", 1.5, None),
    ("A", 2, "3", None, "likely"),
    ("A", 2, None, 2.5, None),
    ("B", 3, "4", None, None),
]
QUERIES = {
    "compared": "EVENT A x WHERE x.v > 2",
    "computed": "EVENT SEQ(A x, B y) WHERE x.v != y.v WITHIN 1 sec RETURN x.v + y.v AS sum",
}
COMPARED = "v is a text, but the query compared compares it with a number"
COMPUTED = "v is a text, but the query computed computes with it"


def test_values_that_do_not_fit_come_out_with_their_reasons_and_take_part_as_ever(
    spark: SparkSession,
) -> None:
    frame = spark.createDataFrame(ROWS, "event string, ts bigint, v string, w double, prob string")
    result = match(frame, QUERIES)
    rows = result.collect()
    assert sorted((row.ts.microsecond // 1000, row.reason) for row in bad(result).collect()) == [
        (1, f"{COMPARED}; {COMPUTED}"),
        (2, "prob is not in (0, 1]"),
        (3, COMPUTED),
    ]
    whole = [json.loads(row.attributes) for row in rows if row.kind == "bad" and row.event == "A"]
    assert {"v": "two", "w": 1.5} in whole
    assert found(rows) == [("compared", 2, 2, 2), ("computed", 1, 3, 3), ("computed", 2, 3, 3)]
    assert {row.attributes for row in rows if row.query == "computed"} == {'{"sum": null}'}


def test_a_stream_goes_on_and_counts_what_does_not_fit_once_on_all_levels(
    spark: SparkSession, tmp_path: Path
) -> None:
    queries = {
        "odd": "EVENT A x WHERE x.v = 3",
        "pair": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 1 sec RETURN x.id AS id INTO PAIR",
        "then": "EVENT SEQ(PAIR p, C z) WHERE [id] AND z.v > 3 WITHIN 1 sec",
    }
    events = [{"event": kind, "ts": at, "id": 1, "v": f"v{at}"} for at, kind in enumerate("ABCD")]
    write(tmp_path / "in", [events[:2], events[2:], [{"event": "A", "ts": 9, "id": 1}]])
    source = read(spark, tmp_path / "in", "event string, ts bigint, id bigint, v string")
    progress: list[Any] = []
    rows = drained(match(source, queries), tmp_path / "checkpoint", progress.append)
    assert sorted((row.event, row.reason) for row in rows if row.kind == "bad") == [
        ("A", "v is a text, but the query odd compares it with a number"),
        ("C", "v is a text, but the query then compares it with a number"),
    ]
    assert found(rows) == [("odd", 9, 9, 9), ("pair", 0, 1, 1)]
    figures = [next(iter(each["observedMetrics"].values())) for each in progress if each["observedMetrics"]]
    assert sum(each["bad"] or 0 for each in figures) == sum(each["misfit"] or 0 for each in figures) == 2


def event(kind: str, ts: int, v: str) -> dict[str, Any]:
    return {"event": kind, "ts": ts, "id": 1, "v": v, "_id": f"{kind}{ts}", "_control": None}


def control(ts: int, text: str) -> dict[str, Any]:
    return {"event": HEARTBEAT, "ts": ts, "_id": f"control {ts}", "_control": text}


def test_values_are_put_aside_for_the_queries_of_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Workers(
        {"first": "EVENT A x WHERE x.v = 3"},
        monkeypatch,
        control=True,
        kinds={"v": "a text", "id": "a number"},
    )
    rows = stream.batch(
        [
            event("A", 1, "one"),
            control(
                2, change("second", "EVENT SEQ(A x, B y) WHERE [id] AND x.v > 3 AND y.v > 3 WITHIN 1 sec")
            ),
            event("A", 3, "two"),
            event("B", 4, "three"),
            control(5, switch_off("first")),
            control(5, change("second", "EVENT A x WHERE x.v = 'four'")),
            event("A", 6, "four"),
        ],
        parts=1,
    )
    aside = [row for row in rows if row.kind == "bad"]
    uses = "v is a text, but the query {} compares it with a number".format
    assert [(row.ts, row.reason) for row in aside] == [
        (1, uses("first")),
        (3, f"{uses('first')}; {uses('second')}"),
        (4, uses("second")),
    ]
    assert [json.loads(row.attributes)["v"] for row in aside] == ["one", "two", "three"]
    assert [(row.query, row.start) for row in rows if row.kind == "match"] == [("second", 6)]
    assert sum(row.figures["misfit"] or 0 for row in rows if row.kind == "metric") == 3

"""What a user makes of a result: typed columns, several sinks, and the examples of the docs as they stand."""

from __future__ import annotations

import json
import runpy
import sqlite3
import sys
from decimal import Decimal
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from sase.spark import match, matches, sinks
from tests.sase.spark.streams import read, write

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
TYPED = {
    "bulk": "EVENT SEQ(A+ a[], B b) WHERE skip_till_next_match(a[], b) { [id] } WITHIN 1 min "
    "RETURN b.id AS id, a.v AS all, sum(a[].v) AS sum, avg(a[].v) AS mean, b.price AS price, "
    "b.price * 2 AS `twice the price`, b.name, count(a[]) AS n INTO BULK",
    "above": "EVENT BULK x RETURN x.price AS price, x.n - 1 AS less",
}


def test_what_a_query_returns_comes_as_columns_with_their_types(spark: SparkSession) -> None:
    schema = "event string, ts bigint, id bigint, v bigint, price decimal(9, 2), name string"
    rows = [("A", 1, 7, 1, None, None), ("A", 2, 7, 2, None, None), ("B", 3, 7, None, Decimal("1.10"), "x")]
    result = match(spark.createDataFrame(rows, schema), TYPED, observe=False).cache()
    bulk = matches(result, "bulk", typed=True).select("attributes.*")
    assert bulk.dtypes == [
        ("id", "bigint"),
        ("all", "array<bigint>"),
        ("sum", "bigint"),
        ("mean", "double"),
        ("price", "decimal(9,2)"),
        ("twice the price", "decimal(38,2)"),
        ("b.name", "string"),
        ("n", "bigint"),
    ]
    above = matches(result, "above", typed=True).select("attributes.*")
    assert above.dtypes == [("price", "decimal(9,2)"), ("less", "bigint")]
    found = bulk.unionByName(above, allowMissingColumns=True).collect()
    (whole,) = (tuple(row)[:8] for row in found if row["n"] == 2)
    assert whole == (7, [1, 2], 3, 1.5, Decimal("1.10"), Decimal("2.20"), "x", 2)
    assert sorted(row["less"] for row in found if row["less"] is not None) == [0, 1]
    result.unpersist()


def test_types_are_known_of_the_queries_of_the_call(spark: SparkSession) -> None:
    result = match(spark.createDataFrame([("A", 1)], "event string, ts bigint"), {"q": "EVENT A x"})
    for query in (None, "other"):
        with pytest.raises(ValueError, match="typed=True needs one of the queries"):
            matches(result, query, typed=True)


def test_several_sinks_take_one_run_and_one_that_fails_takes_its_rows_again(
    spark: SparkSession, tmp_path: Path
) -> None:
    write(tmp_path / "in", [[{"event": "A", "ts": 1, "id": 5}, {"ts": 2, "id": 6}]])
    result = match(read(spark, tmp_path / "in"), {"q": "EVENT A x RETURN x.id AS id"})
    kept: dict[str, Any] = {}
    plans: list[str] = []
    failures = chain([True], repeat(False))

    def save(rows: DataFrame, _: int) -> None:
        plans.append(rows._jdf.queryExecution().executedPlan().toString())
        kept.update({row["id"]: row["attributes"]["id"] for row in matches_of(rows).collect()})

    def matches_of(rows: DataFrame) -> DataFrame:
        return rows.selectExpr("id", "from_json(attributes, 'id bigint') AS attributes")

    def fail_once(rows: DataFrame, _: int) -> None:
        kept.update({row["id"]: row["reason"] for row in rows.collect()})
        assert not next(failures), "the sink is away"

    stream = result.writeStream.foreachBatch(sinks(matches=save, bad=fail_once)).option(
        "checkpointLocation", str(tmp_path / "checkpoint")
    )
    first = stream.start()
    with pytest.raises(Exception, match="the sink is away"):
        first.processAllAvailable()
    second = stream.start()
    second.processAllAvailable()
    second.stop()
    assert sorted(map(str, kept.values())) == ["5", "no type"]
    assert all("InMemoryTableScan" in plan for plan in plans)


def example(name: str, monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> None:
    monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")


@pytest.mark.usefixtures("spark")
def test_the_example_of_a_batch_runs_as_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example("shoplifting_batch.py", monkeypatch, EXAMPLES / "shop.csv")
    assert "|coat|A3   |96000    |" in capsys.readouterr().out


@pytest.mark.usefixtures("spark")
def test_the_example_of_a_stream_runs_as_it_stands_and_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = [("SHELF-READING", 0, "front"), ("EXIT-READING", 30, "north"), ("SHELF-READING", 60, "front")]
    lines = [
        {
            "event": kind,
            "ts": f"2026-11-17T09:00:{at:02}Z" if at < 60 else "2026-11-17T10:00:00Z",
            "id": "coat",
        }
        | {"area": area}
        for kind, at, area in seen
    ]
    write(tmp_path / "in", [[*lines, {"ts": "2026-11-17T09:00:00Z", "id": "nothing"}]])
    for _ in range(2):
        example(
            "shoplifting_stream.py", monkeypatch, tmp_path / "in", tmp_path / "db", tmp_path / "checkpoint"
        )
    with sqlite3.connect(tmp_path / "db") as store:
        (alert,) = store.execute("SELECT attributes FROM alert").fetchall()
        assert json.loads(alert[0]) == {"item": "coat", "exit": "north"}
        assert store.execute("SELECT reason FROM bad_row").fetchall() == [("no type",)]
    store.close()

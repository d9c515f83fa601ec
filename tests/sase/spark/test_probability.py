"""Uncertain events in Spark: the probability of a match, and how it goes on to the next level."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import SparkSession

from sase.spark import bad, match
from tests.sase.spark.workers import Workers

LEFT = (
    "EVENT SEQ(A x, !(C c), B y) WHERE [id] WITHIN 1 sec HAVING PROBABILITY >= 0.1 "
    "RETURN x.id AS id INTO LEFT"
)
TWICE = "EVENT SEQ(LEFT p, LEFT q) HAVING PROBABILITY >= 0.1"
EVENTS = [
    ("A", 1, 1, "0.5"),
    ("C", 2, 1, "0.2"),
    ("B", 3, 1, None),
    ("A", 4, 2, None),
    ("B", 5, 2, "0.75"),
    ("B", 6, 2, "1.5"),
]
CHANCES = {"left": [0.4, 0.75], "twice": [0.4 * 0.75]}


def test_a_composite_event_carries_its_probability_to_the_next_level(spark: SparkSession) -> None:
    given = spark.createDataFrame(EVENTS, "event string, ts bigint, id bigint, chance string")
    events = given.selectExpr("event", "ts", "id", "CAST(chance AS decimal(3, 2)) AS prob")
    result = match(events, {"left": LEFT, "twice": TWICE}, observe=False).cache()
    found = result.where("kind = 'match'").orderBy("probability").collect()
    chances = {name: [row.probability for row in found if row["query"] == name] for name in CHANCES}
    assert chances == {name: pytest.approx(expected) for name, expected in CHANCES.items()}
    assert [row.reason for row in bad(result).collect()] == ["prob is not in (0, 1]"]
    (twice,) = (json.loads(row.events) for row in found if row["query"] == "twice")
    assert (twice["p"]["prob"], twice["q"]["prob"]) == pytest.approx((0.4, 0.75))
    result.unpersist()


def row(kind: str, ts: int, prob: float) -> dict[str, Any]:
    return {"event": kind, "ts": ts, "id": 1, "prob": prob, "_id": f"{kind}{ts}", "_seq": ts}


def test_new_workers_give_the_very_same_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    query = (
        "PATTERN SEQ(A+ a[], B b) WHERE skip_till_next_match(a[], b) { [id] } WITHIN 1 sec "
        "HAVING PROBABILITY >= 0.01"
    )
    rows = [row("A", 1, 0.7), row("A", 2, 0.3), row("A", 3, 0.9), row("B", 4, 0.6)]
    steady, forgetful = Workers({"q": query}, monkeypatch), Workers({"q": query}, monkeypatch)
    expected, found = [], []
    for each in rows:
        expected += steady.batch([each])
        forgetful.forget()
        found += forgetful.batch([each])
    assert chances(found) == chances(expected)
    assert len(chances(expected)) == 7


def chances(rows: list[Any]) -> list[tuple[str, float]]:
    return sorted((row.id, row.probability) for row in rows if row.kind == "match")

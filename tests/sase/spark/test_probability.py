"""Uncertain events in Spark: the probability of a match, and how it goes on to the next level."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import SparkSession

import sase
from sase.spark import bad, change, match
from tests.sase.spark.workers import HEARTBEAT, Workers

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


BOOKLIFTING = (
    "EVENT BOTH(NOTPRECEDES(A x, C c, 1 min), NOTFOLLOWS(A x, C c, 2 sec), 3 sec) WHERE [id] "
    "HAVING PROBABILITY >= 0.05"
)
EITHER = (
    "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND (n.prob < 0.6 OR n.prob > 0.3) WITHIN 1 sec "
    "HAVING PROBABILITY >= 0.05 OUTPUT NON-OVERLAP"
)
DOUBTED = [
    *(row("C", 1, 0.5), row("A", 1_000, 0.9), row("C", 1_500, 0.4), row("B", 1_600, 0.8)),
    *(row("A", 4_000, 0.2), row("B", 4_100, 0.9), row("B", 4_200, 0.7), row("C", 9_000, 0.5)),
]


@pytest.mark.parametrize(
    "queries", [{"q": BOOKLIFTING}, {"q": EITHER}, {"q": LEFT}], ids=["operators", "either", "absence"]
)
def test_buckets_lateness_and_restarts_change_no_probability(
    queries: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows a little out of order, one at a time through workers that forget: the very same numbers."""
    steady = Workers(queries, monkeypatch)
    forgetful = Workers(queries, monkeypatch)
    expected = steady.batch(DOUBTED, parts=1)
    found = []
    for one in DOUBTED:
        forgetful.forget()
        found += forgetful.batch([one])
    assert chances(found) == chances(expected) != []
    plain = [{name: value for name, value in each.items() if name[0] != "_"} for each in DOUBTED]
    told = sorted(m.probability for m in sase.compile(queries["q"]).match(plain) if m.detected_at <= 9_000)
    assert sorted(chance for _, chance in chances(expected)) == told


def test_what_having_has_dropped_is_a_figure_of_the_query(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": LEFT, "crisp": "EVENT SEQ(A x, B y)"}, monkeypatch)
    rows = workers.batch([row("A", 1, 0.05), row("A", 2, 0.5), row("B", 3, 0.1)], parts=1)
    assert unlikely(rows, "q") == 2
    assert unlikely(rows, "crisp") == 0
    workers.forget()
    assert unlikely(workers.batch([row("A", 4, 0.9)]), "q") == 0


def unlikely(rows: list[Any], query: str) -> int:
    return sum(row.figures["unlikely"] for row in rows if row.kind == "metric" and row.query == query)


def test_a_query_that_a_control_row_brings_has_its_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": "EVENT SEQ(A x, D d)"}, monkeypatch, control=True)
    workers.batch(DOUBTED[:1])
    added = {"event": HEARTBEAT, "ts": 500, "_id": "c", "_control": change("new", BOOKLIFTING)}
    rows = workers.batch([added, *DOUBTED[1:]], parts=1)
    found = [each.probability for each in rows if each.kind == "match"]
    assert found == pytest.approx([0.9 * 0.6, 0.2 * 0.6])

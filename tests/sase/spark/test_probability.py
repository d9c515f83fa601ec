"""Uncertain events in Spark: the probability of a match, and how it goes on to the next level."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import sase
from sase.spark import bad, change, match
from tests.sase.spark.streams import SCHEMA, drained, milliseconds, read, write
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
def test_buckets_and_new_workers_change_no_probability(
    queries: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row at a time through workers that forget: the very same numbers."""
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


CLEAN = (
    "EVENT NOTPRECEDES(A x, A y, 1 sec) PARTITION BY id HAVING PROBABILITY >= 0.05 "
    "RETURN x.id AS id INTO CLEAN"
)
GONE = "EVENT NOTFOLLOWS(CLEAN c, ANYONE(CLEAN d, B b), 3 sec) PARTITION BY id HAVING PROBABILITY >= 0.05"
SEEN = "EVENT SEQ(CLEAN c, !(C n), B b) WHERE [id] WITHIN 3 sec HAVING PROBABILITY >= 0.05"
LEVELS = {"clean": CLEAN, "gone": GONE, "seen": SEEN}


def doubtful_stream(seed: int, count: int = 160) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        {"event": chance.choice("AABC"), "ts": 200 * i, "id": chance.randrange(4)}
        | ({"prob": chance.choice((0.2, 0.5, 0.9))} if chance.random() < 0.6 else {})
        for i in range(count)
    ]


def alone(events: list[dict[str, Any]]) -> list[tuple[str, int, int, float]]:
    """What the engine says without Spark, level by level."""
    clean = [match.event for match in sase.compile(CLEAN).match(events)]
    both = sorted([*events, *clean], key=lambda event: event["ts"])
    return sorted(
        (name, match.start, match.detected_at, round(match.probability, 9))
        for name, query in LEVELS.items()
        for match in sase.compile(query).match(events if name == "clean" else both)
    )


def test_two_levels_of_operators_out_of_order_and_stopped_on_the_way_keep_their_probabilities(
    spark: SparkSession, tmp_path: Path
) -> None:
    events, chance = doubtful_stream(7), random.Random(7)
    arrivals = sorted(events, key=lambda event: event["ts"] + chance.uniform(0, 1000))
    write(tmp_path / "in", [arrivals[:70]])
    rows = []
    for rest in ([], [arrivals[70:], [{"event": "HEARTBEAT", "ts": 1_000_000}]]):
        write(tmp_path / "in", rest, first=1)
        given = read(spark, tmp_path / "in", f"{SCHEMA}, prob double")
        rows += drained(match(given, LEVELS, lateness="1 sec", buckets=2), tmp_path / "checkpoint")
    found = sorted(
        (row["query"], milliseconds(row.start), milliseconds(row.ts), round(row.probability, 9))
        for row in rows
        if row.kind == "match"
    )
    assert found == alone(events)
    assert {name for name, *_ in found} == {*LEVELS}
    assert {name for name, *_, likely in found if likely < 1} == {*LEVELS}

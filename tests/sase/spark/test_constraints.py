"""Constraints in Spark: breaches come out once, matches as without Spark, after restarts too."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from pyspark.sql import SparkSession

import sase
from sase.constraints.parse import parse_constraints
from sase.spark import match, violations
from sase.spark.beside import beside
from sase.spark.control import Rule
from tests.sase.spark.workers import Workers

CONSTRAINTS = "exclusive(B, C), prior(A, D), require(A, E), prior(E, F) BY id"
QUERIES = {
    "pairs": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 200 ms RETURN x.ts AS x, y.ts AS y",
    "both": "EVENT SEQ(AND(A x, E y), B z) WHERE [id] WITHIN 200 ms RETURN x.ts AS x",
    "absent": "EVENT SEQ(A x, !(C y)) WHERE [id] WITHIN 60 ms RETURN x.ts AS x",
    "other": "EVENT SEQ(A x, B y) WITHIN 5 ms RETURN x.ts AS x",
}


def rules() -> dict[str, Rule]:
    given = {name: Rule(text) for name, text in QUERIES.items()}
    return beside(parse_constraints(CONSTRAINTS), given, changeable=False)


def stream(seed: int, count: int = 160) -> list[dict[str, Any]]:
    chosen = random.Random(seed)
    return [
        {"event": chosen.choice("ABCDEFAB"), "ts": 4 * n, "id": chosen.randrange(6), "_id": str(n)}
        for n in range(count)
    ]


def alone(events: list[dict[str, Any]]) -> tuple[list[tuple[str, int, int, int]], list[tuple[str, int]]]:
    """What the engine says of the whole stream."""
    matcher = sase.compile_all(QUERIES, constraints=CONSTRAINTS).matcher()
    found = {name: [*own] for name, own in matcher.push(events).items()}
    for name, own in matcher.advance(10**6).items():
        found[name] += own
    told = [(name, m.start, m.end, m.detected_at) for name, own in found.items() for m in own]
    return told, [(constraint, event["ts"]) for _, constraint, event in matcher.violations]


@pytest.mark.parametrize("seed", range(4))
def test_workers_that_fail_and_forget_say_what_the_engine_says(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = stream(seed)
    workers = Workers(rules(), monkeypatch, seed=seed, sample=events)
    rows = []
    for first in range(0, len(events), 16):
        rows += workers.batch(events[first : first + 16])
        if first % 48 == 0:
            workers.forget()
    rows += workers.batch([{"event": "HEARTBEAT", "ts": 10**6}])
    told, broken = alone(events)
    found = [(row.query, row.start, row.end, row.ts) for row in rows if row.kind == "match"]
    assert sorted(found) == sorted(told)
    breaches = [(row.reason, row.ts) for row in rows if row.kind == "violation"]
    assert sorted(breaches) == sorted(broken)
    assert breaches
    pruned = {
        row.query: row.figures["pruned"] for row in rows if row.kind == "metric" and row.figures["pruned"]
    }
    assert {*pruned} >= {"pairs", "both"}
    assert "other" not in pruned
    assert all(
        json.loads(row.events)["case"] == [json.loads(row.attributes)["id"]]
        for row in rows
        if row.kind == "violation"
    )


def test_match_gives_rows_of_violations(spark: SparkSession) -> None:
    events = stream(1, 60)
    frame = spark.createDataFrame(
        [(e["event"], e["ts"], e["id"]) for e in events], "event string, ts long, id long"
    )
    result = match(frame, QUERIES, constraints=CONSTRAINTS)
    rows = violations(result).collect()
    _, broken = alone(events)
    assert sorted((row.constraint, int(row.ts.timestamp() * 1000)) for row in rows) == sorted(broken)
    assert {row.case for row in rows} <= {f"[{n}]" for n in range(6)}


def test_a_query_that_is_read_by_another_keeps_its_deadline() -> None:
    queries = {
        "first": Rule("EVENT SEQ(A x, !(C y)) WHERE [id] WITHIN 60 ms INTO Gone"),
        "second": Rule("EVENT Gone g"),
    }
    found = beside(parse_constraints("prior(C, D) BY id"), queries, changeable=False)
    assert not found["first"].early
    assert found["first"].compiled("first").may_be_early is False

"""`match` in a real Spark: streams and batches, levels, any DataFrame, bad rows, control rows, figures."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import sase
from sase.spark import Listener, Progress, Rule, bad, change, late, match, matches, switch_off
from sase.spark.input.filter import wanted
from tests.sase.spark.streams import SCHEMA, drained, found, milliseconds, read, write

PAIR = "EVENT SEQ(A x, !(C n), B y) WHERE [id] AND x.v < y.v WITHIN 10 sec"
ALONE = "EVENT SEQ(A x, !(B n)) WHERE [id] WITHIN 3 sec RETURN x.id AS id, x.v AS v INTO ALONE"
TWICE = "EVENT SEQ(ALONE p, ALONE q) WHERE [id] AND p.v != q.v WITHIN 20 sec"
MIXED = "EVENT SEQ(ALONE p, D d) WHERE [id] WITHIN 2 sec"
QUERIES = {"pair": PAIR, "alone": ALONE, "twice": TWICE, "mixed": MIXED}


def stream(seed: int, count: int = 300) -> list[dict[str, Any]]:
    chance = random.Random(seed)
    return [
        {"event": chance.choice("ABCD"), "ts": 100 * i, "id": chance.randrange(5), "v": chance.randrange(10)}
        for i in range(count)
    ]


def truth(events: list[dict[str, Any]]) -> list[tuple[str, int, int, int]]:
    """What the engine alone says, level by level."""
    alone = [found.event for found in sase.compile(ALONE).match(events)]
    inputs = {
        "pair": events,
        "alone": events,
        "twice": sorted(alone, key=lambda event: event["ts"]),
        "mixed": sorted([*events, *alone], key=lambda event: event["ts"]),
    }
    return sorted(
        (name, each.start, each.end, each.detected_at)
        for name, seen in inputs.items()
        for each in sase.compile(QUERIES[name]).match(seen)
    )


def test_a_batch_gives_what_the_engine_gives_on_all_levels(spark: SparkSession) -> None:
    events = stream(1)
    rows = match(spark.createDataFrame(events, SCHEMA), QUERIES).collect()
    assert found(rows) == truth(events)


def test_a_stream_out_of_order_gives_what_the_engine_gives_on_all_levels(
    spark: SparkSession, tmp_path: Path
) -> None:
    events, chance = stream(2), random.Random(2)
    arrivals = sorted(events, key=lambda event: event["ts"] + chance.uniform(0, 2000))
    beats = [[{"event": "HEARTBEAT", "ts": 100_000}]]
    write(tmp_path / "in", [arrivals[i : i + 60] for i in range(0, 300, 60)] + beats)
    rows = drained(match(read(spark, tmp_path / "in"), QUERIES, lateness="2 sec"), tmp_path / "checkpoint")
    assert found(rows) == truth(events)


def test_levels_go_on_while_rows_come_and_time_stands_still(spark: SparkSession, tmp_path: Path) -> None:
    events = stream(4, 60)
    beats = [[{"event": "HEARTBEAT", "ts": 100_000}]] * 4
    write(tmp_path / "in", [events, *beats])
    rows = drained(match(read(spark, tmp_path / "in"), QUERIES), tmp_path / "checkpoint")
    assert found(rows) == truth(events)


def test_ids_of_matches_are_distinct_and_the_same_in_every_run(spark: SparkSession) -> None:
    frame = spark.createDataFrame(stream(3, 60), SCHEMA)
    first, second = (
        sorted(row.id for row in matches(match(frame, {"pair": PAIR})).collect()) for _ in range(2)
    )
    assert first == second
    assert len(set(first)) == len(first) > 0


def test_any_columns_will_do(spark: SparkSession) -> None:
    place = "struct<area:string,xy:array<double>>"
    rows = [
        ("SHELF", "1970-01-01 00:00:01", "t1", ("toys", [1.0, 2.0]), "2.50", None),
        ("EXIT", "1970-01-01 00:00:02", "t1", None, "2.50", "1970-01-01 00:00:03"),
    ]
    schema = f"kind string, at string, `tag.id` string, place {place}, price string, seen string"
    types = {"at": "timestamp", "price": "decimal(9,2)", "seen": "timestamp"}
    cast = spark.createDataFrame(rows, schema).withColumns(
        {name: F.col(name).cast(kind) for name, kind in types.items()} | {"nothing": F.lit(None)}
    )
    query = "EVENT SEQ(SHELF x, EXIT y) WHERE x.price = y.price WITHIN 1 hour"
    (row,) = matches(match(cast, {"q": query}, event="kind", ts="at", id="tag.id"), "q").collect()
    attributes = json.loads(row.attributes)
    assert attributes["x.place"] == {"area": "toys", "xy": [1.0, 2.0]}
    assert attributes["x.price"] == 2.5
    assert attributes["y.seen"] == 3000
    assert json.loads(row.events)["y"]["_id"] == "t1"


def test_return_and_into_shape_the_composite_event(spark: SparkSession) -> None:
    query = """EVENT SEQ(A+ a[], B b) WHERE skip_till_next_match(a[], b) { [id] } WITHIN 1 hour
               RETURN b.id AS id, count(a[]) AS n INTO BURST"""
    events = [{"event": kind, "ts": at, "id": 1, "v": 0} for at, kind in enumerate("AAB")]
    rows = matches(match(spark.createDataFrame(events, SCHEMA), {"q": query})).collect()
    assert {row.event for row in rows} == {"BURST"}
    assert sorted(json.loads(row.attributes)["n"] for row in rows) == [1, 2]


def test_bad_rows_are_kept_aside_with_their_reason_and_stop_nothing(spark: SparkSession) -> None:
    rows = [
        ("A", 1, 1, 0.5),
        ("A", None, 1, None),
        (None, 2, 1, None),
        ("Z", 3, 1, None),
        ("A", 4, 1, 1.5),
        ("B", 9, 1, None),
    ]
    frame = spark.createDataFrame(rows, "event string, ts bigint, id bigint, prob double")
    result = match(frame, {"q": "EVENT SEQ(A x, B y) WHERE [id] WITHIN 1 sec"}, types=["A", "B"]).collect()
    reasons = sorted(row.reason for row in result if row.kind == "bad")
    assert reasons == ["no time", "no type", "prob is not in (0, 1]", "unknown type"]
    assert [json.loads(row.attributes)["id"] for row in result if row.kind == "bad"] == [1, 1, 1, 1]
    assert found(result) == [("q", 1, 9, 9)]


def test_times_may_be_text_and_unreadable_ones_are_bad(spark: SparkSession) -> None:
    rows = [("A", "1970-01-01T00:00:01Z"), ("A", "yesterday"), ("A", None)]
    result = match(spark.createDataFrame(rows, "event string, ts string"), {"q": "EVENT A x"}).collect()
    assert found(result) == [("q", 1000, 1000, 1000)]
    assert [row.reason for row in result if row.kind == "bad"] == ["no time", "no time"]


def test_a_query_that_could_tear_apart_its_matches_is_not_spread(spark: SparkSession) -> None:
    query = "EVENT SEQ(A x, B y) WHERE strict_contiguity(x, y) { x.id = y.id } WITHIN 5 events"
    events = stream(4)
    expected = sorted(("q", m.start, m.end, m.detected_at) for m in sase.compile(query).match(events))
    assert found(match(spark.createDataFrame(events, SCHEMA), {"q": query}, buckets=4).collect()) == expected


def test_queries_change_while_the_stream_runs_and_late_rows_come_out_aside(
    spark: SparkSession, tmp_path: Path
) -> None:
    events = [{"event": "A", "ts": 1000 * i, "id": 1, "v": i} for i in range(8)]
    controls = {
        3500: change("big", Rule("EVENT A x WHERE [id] AND x.v >= $low", {"low": 5})),
        5500: change("odd", "EVENT A x WHERE x.id = 'one'"),
        6500: switch_off("small"),
    }
    notes = [{"event": None, "ts": at, "control": text} for at, text in controls.items()]
    late_one = {"event": "A", "ts": 10, "id": 1, "v": 0}
    write(tmp_path / "in", [[*events[:4], *notes], events[4:], [late_one]])
    source = read(spark, tmp_path / "in", f"{SCHEMA}, control string")
    figures: list[Any] = []
    result = match(source, {"small": "EVENT A x WHERE x.v < 100 RETURN x.v AS v"}, control="control")
    rows = drained(result, tmp_path / "checkpoint", figures.append)
    starts = {
        name: [start for query, start, _, _ in found(rows) if query == name] for name in ("small", "big")
    }
    assert starts == {"small": [1000 * i for i in range(7)], "big": [5000, 6000, 7000]}
    assert [milliseconds(row.ts) for row in rows if row.kind == "late"] == [10]
    misfit = "id is a number, but the query odd compares it with a text"
    told = [(milliseconds(row.ts), row.reason) for row in rows if row.kind == "bad"]
    assert told == [(6000, misfit), (7000, misfit)]


def test_figures_come_with_the_progress_of_the_stream(spark: SparkSession, tmp_path: Path) -> None:
    told: list[Progress] = []
    listener = Listener(told.append)
    spark.streams.addListener(listener)
    timeless = {"event": "A", "ts": None, "id": 1, "v": 1}
    write(tmp_path / "in", [[*stream(5, 100), timeless], stream(5, 200)[100:]])
    progress: list[Any] = []
    try:
        rows = drained(
            match(read(spark, tmp_path / "in"), {"pair": PAIR}), tmp_path / "checkpoint", progress.append
        )
        spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    finally:
        spark.streams.removeListener(listener)
    events = stream(5, 200)
    wanted_types = [event for event in events if event["event"] in "ABC"]
    assert sum(each.kept for each in told) == len(wanted_types)
    assert sum(each.filtered for each in told) == len(events) - len(wanted_types)
    assert sum(each.matches_of["pair"] for each in told) == len(found(rows)) > 0
    assert sum(each.rows_out for each in told) == len(rows)
    assert sum(each.rows_in for each in told) == len(events) + 1
    assert sum(each.bad for each in told) == 1
    assert told[1].live > 0
    assert told[1].live_of["pair"] > 0
    assert told[1].partial == told[1].partial_of["pair"] > 0
    assert told[1].bytes > 0
    assert any(name.startswith("sase_") for each in progress for name in each["observedMetrics"])


CONDITIONS = {
    "exactly": [
        *("x.v > 3", "x.v != 3", "x.w = 0.0", "x.w < 100", "x.s = 'p'", "x.s >= 'p'", "x.s = 3", "x.s != 3"),
        *("x.b = 1", "x.missing = 3", "x.v > 3 OR x.s = 'p'", "NOT x.v > 3", "x.v = x.u", "[s]", "[s = 'p']"),
        *("x.ts > 4", "x.event = 'A'", "x.w != 0", "x.v >= 2 AND x.s != 'q'"),
    ],
    "less": ["x.v + 1 > 3 AND x.v < 5", "x.v < x.w", "x.v <= 2.5"],  # what Catalyst might round is left to us
}


def test_the_filter_in_catalyst_agrees_with_the_matcher(spark: SparkSession) -> None:
    texts, reals = (None, "p", "q"), (None, float("nan"), 0.0, -0.0, 3.5)
    values = [(v, w, s, b) for v in (None, 2, 3, 4) for w in reals for s in texts for b in (None, True)]
    rows = [("A" if i % 3 else "B", i, v, w, s, b, 3) for i, (v, w, s, b) in enumerate(values)]
    frame = spark.createDataFrame(
        rows, "event string, ts bigint, v int, w double, s string, b boolean, u int"
    )
    conditions = [*CONDITIONS["exactly"], *CONDITIONS["less"]]
    queries = {text: sase.compile(f"EVENT A x WHERE {text}") for text in conditions}
    tests = [wanted(query.plans, frame.schema).alias(str(i)) for i, query in enumerate(queries.values())]
    passed = frame.select(*tests).toArrow().to_pydict()
    table = frame.toArrow()
    relevant = {text: query.matcher().relevant(table).tolist() for text, query in queries.items()}
    found = {text: passed[str(i)] for i, text in enumerate(conditions)}
    assert [text for text in CONDITIONS["exactly"] if found[text] != relevant[text]] == []
    assert [text for text in conditions if np.any(np.array(relevant[text]) & ~np.array(found[text]))] == []


def test_late_and_bad_have_columns_of_their_own(spark: SparkSession) -> None:
    result = match(spark.createDataFrame(stream(6, 3), SCHEMA), {"pair": PAIR})
    assert late(result).columns == ["event", "id", "ts", "attributes"]
    assert bad(result).columns == ["event", "id", "ts", "attributes", "reason"]

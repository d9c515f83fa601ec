"""Every case file through Spark's stateful operator: split, shuffled, spread, replayed; the same matches."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa
import pytest

import sase
from tests.sase.case import Case, load_all
from tests.sase.spark.workers import HEARTBEAT, Workers

FOREVER = 10**15


def typed(case: Case) -> bool:
    """Whether the events fit into columns: an attribute that is text here and number there does not."""
    names = {name for event in case.events for name in event}
    try:
        for name in names:
            pa.array([event.get(name) for event in case.events])
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return False
    return True


def endless(case: Case) -> bool:
    """Whether a stream that does not end gives all matches: a window of N events may wait for ever."""
    query = sase.compile(case.query)
    return not any(plan.has_deadlines and plan.counts_events for plan in query.plans)


CASES = [case for case in load_all() if not case.error and typed(case)]
STREAMS = [case for case in CASES if endless(case)]


def events(case: Case) -> list[dict[str, Any]]:
    return [{**event, "_id": str(at), "_seq": at} for at, event in enumerate(case.events)]


def expected(case: Case) -> list[str]:
    return sorted(_line(match.events) for match in case.matches)


def _line(found: dict[str, int | list[int]]) -> str:
    return " ".join(f"{name}={at}" for name, at in sorted(found.items()))


def lines(rows: list[Any]) -> list[str]:
    """The matches among the rows, in the words of the case."""
    return sorted(_line(_places(json.loads(row.events))) for row in rows if row.kind == "match")


def _places(found: dict[str, Any]) -> dict[str, int | list[int]]:
    return {
        name: [int(event["_id"]) for event in bound] if isinstance(bound, list) else int(bound["_id"])
        for name, bound in found.items()
    }


def split(rows: list[dict[str, Any]], chance: random.Random) -> list[list[dict[str, Any]]]:
    """Rows in batches of random size."""
    cuts = sorted(chance.randrange(len(rows) + 1) for _ in range(chance.randrange(4)))
    return [rows[low:high] for low, high in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


def named(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


@named(CASES)
def test_a_batch_gives_what_the_case_says(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Workers({"q": case.query}, monkeypatch, streaming=False)
    assert lines(workers.batch(events(case), parts=1)) == expected(case)


@named(STREAMS)
def test_a_stream_in_random_batches_gives_what_the_case_says(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(case.name)
    workers = Workers({"q": case.query}, monkeypatch, buckets=7, seed=7, sample=events(case))
    rows = [row for part in split(events(case), chance) for row in workers.batch(part)]
    rows += workers.batch([{"event": HEARTBEAT, "ts": FOREVER}])
    assert lines(rows) == expected(case)


@named(STREAMS)
def test_a_stream_shuffled_within_the_lateness_gives_what_the_case_says(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(case.name)
    lateness = 1 + max((event["ts"] for event in case.events), default=0) // 2
    workers = Workers(
        {"q": case.query}, monkeypatch, buckets=2, lateness=lateness, seed=2, sample=events(case)
    )
    arrivals = sorted(events(case), key=lambda event: event["ts"] + chance.uniform(0, lateness))
    rows = [row for part in split(arrivals, chance) for row in workers.batch(part)]
    rows += workers.watermark(FOREVER)
    assert lines(rows) == expected(case)
    assert not [row for row in rows if row.kind == "late"]

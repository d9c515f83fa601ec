"""Constraints beside a query: what breaks them is told, and a query that they leave no match is refused."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import sase
from sase.constraints import messages
from sase.errors import Problem

ORDER = "prior(Quote, Send), exclusive(Local, Remote), require(Ship, Pay), prior(Pay, Close) BY order"
QUERY = "EVENT SEQ(Quote q, Ship s) WHERE [order]"
PROBLEMS = {name: row for name, row in vars(messages).items() if isinstance(row, Problem)}


def stream(text: str, order: Any = 1) -> list[dict[str, Any]]:
    return [{"event": name, "ts": ts, "order": order} for ts, name in enumerate(text.split())]


def told(constraints: str, events: list[dict[str, Any]], query: str = QUERY) -> list[tuple[str, int]]:
    matcher = sase.compile(query, constraints=constraints).matcher()
    matcher.push(events)
    return [(constraint, event["ts"]) for _, constraint, event in matcher.violations]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("Quote Send Quote", [("prior(Quote, Send)", 2)]),
        ("Quote Send Quote Quote", [("prior(Quote, Send)", 2)]),
        ("Local Remote Local", [("exclusive(Local, Remote)", 1)]),
        ("Ship Quote", []),
        ("Close Ship", [("require(Ship, Pay)", 1)]),
        ("Ship Close", [("require(Ship, Pay)", 1)]),
        ("Ship Close Pay", [("require(Ship, Pay)", 1), ("prior(Pay, Close)", 2)]),
        ("Pay Close Ship", []),
    ],
)
def test_a_breach_is_told_at_the_first_event_after_which_nothing_obeys(
    events: str, expected: list[tuple[str, int]]
) -> None:
    assert told(ORDER, stream(events)) == expected


def test_a_violation_is_the_case_the_constraint_and_the_very_event() -> None:
    events = [{"event": name, "ts": 1, "a": "x", "b": 2} for name in ("B", "A")]
    matcher = sase.compile("EVENT A", constraints="prior(A, B) BY b, a").matcher()
    matcher.push(events)
    assert matcher.violations == [((2, "x"), "prior(A, B)", events[1])]
    assert matcher.violations[0][2] is events[1]


@pytest.mark.parametrize(
    ("constraints", "events", "expected"),
    [
        ("A AND B => C, prior(C, D) BY order", "D A B", ["A AND B => C"]),
        ("A AND B => NOT C BY order", "C A B", ["A AND B => NOT C"]),
        ("prior(A, A) BY order", "A A A", ["prior(A, A)"]),
        ("exclusive(A, A) BY order", "B A", ["exclusive(A, A)"]),
        # both are broken by the same event, each alone
        ("exclusive(A, B), prior(A, B) BY order", "B A", ["exclusive(A, B)", "prior(A, B)"]),
        # the order that is demanded goes in a circle
        ("prior(A, B), prior(B, A), require(C, A), require(C, B) BY order", "C", ["prior(A, B)"]),
        # one group is told beside the other
        ("prior(A, B) BY order; exclusive(A, B) BY order", "B A", ["prior(A, B)", "exclusive(A, B)"]),
    ],
)
def test_the_first_declared_of_those_involved_is_named(
    constraints: str, events: str, expected: list[str]
) -> None:
    assert [name for name, _ in told(constraints, stream(events), "EVENT A")] == expected


def test_a_case_is_a_new_one_when_it_was_forgotten() -> None:
    events = [
        {"event": name, "ts": ts, "id": 1} for name, ts in (("B", 0), ("C", 900), ("A", 1899), ("A", 2899))
    ]
    assert told("prior(A, B), prior(C, D) BY id FOR 1 sec", events, "EVENT A") == [("prior(A, B)", 1899)]
    assert told("prior(A, B) BY id FOR 1 sec", events, "EVENT A") == []
    assert told("prior(A, B) BY id", events, "EVENT A") == [("prior(A, B)", 1899)]
    assert told("prior(A, B) BY id", events, "EVENT SEQ(A a, X b) WITHIN 1 sec") == []


def test_an_event_without_the_attributes_is_of_no_case() -> None:
    events = [{"event": "B", "ts": 0}, {"event": "A", "ts": 1}, {"event": "A", "ts": 2, "id": None}]
    assert told("prior(A, B) BY id", events, "EVENT A") == []


def test_with_having_only_certain_events_break() -> None:
    query = "EVENT SEQ(A a, B b) WHERE [order] HAVING PROBABILITY >= 0.1"
    doubted, sure = stream("B A Close Ship"), stream("B A")
    doubted[1]["prob"] = 0.5
    assert told("prior(A, B) BY order", doubted, query) == []
    assert told("prior(A, B) BY order", sure, query) == [("prior(A, B)", 1)]
    doubted = stream("Pay Close Ship")
    doubted[0]["prob"] = 0.5
    assert told(ORDER, doubted, "EVENT SEQ(Pay p, Ship s) WHERE [order] HAVING PROBABILITY >= 0.1") == []


def test_a_matcher_that_goes_on_elsewhere_knows_the_cases() -> None:
    query = sase.compile(QUERY, constraints=ORDER)
    first = query.matcher()
    first.push(stream("Send Local", "x"))
    second = query.matcher(first.snapshot())
    second.push([{"event": name, "ts": 5, "order": "x"} for name in ("Remote", "Quote")])
    names = [constraint for _, constraint, _ in second.violations]
    assert names == ["exclusive(Local, Remote)", "prior(Quote, Send)"]
    assert first.violations == []


def test_a_matcher_that_goes_on_has_room_for_cases_of_which_there_is_nothing_to_remember() -> None:
    query = sase.compile("EVENT SEQ(A a, B b) WHERE [id] WITHIN 9 ms", constraints="prior(B, C) BY id")
    first = query.matcher()
    first.push([{"event": "A", "ts": 0, "id": 1}])
    second = query.matcher(first.snapshot())
    assert [len(cases) > 0 for cases in second._watch.cases] == [True]
    assert len(second.push([{"event": "B", "ts": 1, "id": 1}])) == 1


def test_a_replay_tells_nothing() -> None:
    matcher = sase.compile(QUERY, constraints=ORDER).matcher()
    matcher.replay(stream("Send Quote"))
    assert matcher.violations == []
    matcher.push(stream("Quote")[:0])
    assert matcher.violations == []


def test_arrow_batches_and_splits_tell_the_same() -> None:
    events = stream("Send Local Quote Remote Close Ship")
    batch = pa.RecordBatch.from_pylist(events)
    whole = told(ORDER, events)
    matcher = sase.compile(QUERY, constraints=ORDER).matcher()
    for row in range(len(batch)):
        matcher.push(batch.slice(row, 1))
    assert [(name, event["ts"]) for _, name, event in matcher.violations] == whole
    assert len(whole) == 3


def test_a_set_of_queries_tells_a_breach_once() -> None:
    queries = sase.compile_all(
        {"one": QUERY, "two": "EVENT SEQ(Quote q, Send s) WHERE [order] WITHIN 1 sec"}, constraints=ORDER
    )
    matcher = queries.matcher()
    matcher.push(stream("Send Quote"))
    assert [constraint for _, constraint, _ in matcher.violations] == ["prior(Quote, Send)"]


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "IMPOSSIBLE"])
def test_every_message_has_a_text_that_provokes_it(name: str) -> None:
    row = PROBLEMS[name]
    with pytest.raises(sase.QueryError) as caught:
        sase.compile("EVENT A", constraints=row.example)
    start = row.message.split("{")[0]
    assert caught.value.message.startswith(start)
    assert "^" in str(caught.value)


@pytest.mark.parametrize(
    ("query", "constraints", "named"),
    [
        ("EVENT SEQ(A a, B b) WHERE [id]", "prior(C, D), exclusive(A, B) BY id", "exclusive(A, B)"),
        ("EVENT SEQ(B b, A a) WHERE [id]", "prior(A, B) BY id", "prior(A, B)"),
        ("EVENT SEQ(A a, A b) WHERE [id]", "prior(A, A) BY id", "prior(A, A)"),
        (
            "EVENT AND(A a, B b) WHERE [id]",
            "require(A, C), exclusive(B, C) BY id",
            "require(A, C); exclusive(B, C)",
        ),
        (
            "EVENT SEQ(A a, C c) WHERE [id]",
            "prior(C, B), prior(B, A), require(A, B) BY id",
            "prior(C, B); prior(B, A); require(A, B)",
        ),
        (
            "EVENT SEQ(A a, !(B b), C c) WHERE [id]",
            "prior(A, B), require(A, B), prior(B, C) BY id",
            "prior(A, B); require(A, B); prior(B, C)",
        ),
        ("EVENT SEQ(A a, B b) WHERE [id] OR [id, x]", "exclusive(A, B) BY id", "exclusive(A, B)"),
    ],
)
def test_a_query_that_can_never_match_is_refused(query: str, constraints: str, named: str) -> None:
    with pytest.raises(sase.QueryError, match="can never match") as caught:
        sase.compile(query, constraints=constraints)
    assert caught.value.message.endswith(f": {named}")


@pytest.mark.parametrize(
    ("query", "constraints"),
    [
        ("EVENT SEQ(A a, B b)", "exclusive(A, B) BY id"),
        ("EVENT SEQ(A a, B b) WHERE [id] OR a.x = 1", "exclusive(A, B) BY id"),
        ("EVENT SEQ(A a, B b) WHERE [id]", "exclusive(A, B) BY id FOR 1 hour"),
        (
            "EVENT SEQ(A a, !(B b), C c) WHERE [id] AND b.x = 1",
            "prior(A, B), require(A, B), prior(B, C) BY id",
        ),
        ("EVENT SEQ(ANY(A, C) a, B b) WHERE [id]", "exclusive(A, B) BY id"),
        ("EVENT FOLLOWS(A a, B b, 1 sec)", "exclusive(A, B) BY id"),
    ],
)
def test_a_query_that_they_do_not_serve_or_leave_a_match_is_not(query: str, constraints: str) -> None:
    assert sase.compile(query, constraints=constraints).explain()


def test_explain_tells_what_follows_what_fails_and_what_comes_early() -> None:
    constraints = "require(B, C), require(C, D), exclusive(D, E), prior(B, F), prior(N, F) BY id"
    query = sase.compile("EVENT SEQ(A a, B b, !(N n)) WHERE [id] WITHIN 1 hour", constraints=constraints)
    told = query.explain()
    assert "so also     require(B, D), exclusive(B, E), exclusive(C, E)" in told
    assert "fails       nothing yet: E, F" in told
    assert "fails       a: E, F" in told
    assert "early       after F" in told
    alone = sase.compile("EVENT SEQ(A a, B b) WHERE [k]", constraints=constraints)
    assert "by id: only watched, they do not serve the query" in alone.explain()


def test_a_replay_of_what_is_relevant_knows_the_cases() -> None:
    query = sase.compile(QUERY, constraints=ORDER)
    first, second = query.matcher(), query.matcher()
    events = stream("Send Other Local")
    chosen = first.relevant(events)
    assert chosen.tolist() == [True, False, True]
    second.replay([event for event, relevant in zip(events, chosen, strict=True) if relevant])
    second.push([{"event": "Remote", "ts": 9, "order": 1}])
    assert [constraint for _, constraint, _ in second.violations] == ["exclusive(Local, Remote)"]


def test_it_is_looked_again_whether_the_end_of_a_batch_tells_of_the_use_of_its_events() -> None:
    matcher = sase.compile(
        "EVENT SEQ(Ask a, Remote r) WHERE [order]", constraints="exclusive(Local, Remote) BY order"
    ).matcher()
    for batch in range(8):  # all are of use
        matcher.push([{"event": "Ask", "ts": batch, "order": batch}])
    assert matcher.dropped == 0
    for batch in range(8, 24):
        matcher.push(
            [
                {"event": "Ask", "ts": batch, "order": batch},
                {"event": "Local", "ts": batch, "order": batch},
            ]
        )
    assert matcher.dropped >= 8
    assert matcher.live_events <= 16


def test_what_was_dropped_stays_dropped_though_nothing_was_to_be_said_of_batches_in_between() -> None:
    query = sase.compile(
        "EVENT SEQ(Ask a, Remote r, Bill b) WHERE [order]", constraints="exclusive(Local, Remote) BY order"
    )
    matcher, events = query.matcher(), stream("Ask Local Remote Bill Ask Remote Bill")
    beside = [{"event": "Ask", "ts": ts, "order": 2} for ts in range(len(events))]
    found = [list(matcher.push([event, other])) for event, other in zip(events, beside, strict=True)]
    assert [(constraint, event["ts"]) for _, constraint, event in matcher.violations] == [
        ("exclusive(Local, Remote)", 2)
    ]
    starts = [match.events["a"]["ts"] for matches in found for match in matches]
    assert starts == [4]

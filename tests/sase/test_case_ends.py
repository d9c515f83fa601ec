"""UNTIL: an event that is the first one of another case, in which all is possible again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

import sase
from sase.constraints.parse import parse_constraints
from sase.spark.bucket.snapshot import from_bytes, to_bytes
from tests.sase.oracle.obedience import broken

Event = dict[str, Any]
TYPES = ("A", "B", "C", "D", "E")
GROUPS = (
    "prior(A, B) BY id UNTIL C",
    "prior(A, B), prior(D, B) BY id UNTIL C, E",
    "prior(A, B), exclusive(A, D) BY id UNTIL B, C",
    "require(A, B), prior(B, D) BY id UNTIL E",
    "A AND B => NOT D, prior(C, C) BY id UNTIL E",
)
GONE = "prior(SHELF, GONE), prior(FITTING, GONE) BY id UNTIL DOOR, GONE"


def stream(text: str, case: int = 1) -> list[Event]:
    return [{"event": name, "ts": ts, "id": case} for ts, name in enumerate(text.split())]


def pushed(constraints: str, parts: Sequence[list[Event]], *, stored: bool = False) -> list[Any]:
    """What is told, by one matcher or by one after the other that go on from what is stored."""
    query = sase.compile("EVENT A WHERE [id]", constraints=constraints)
    matcher, told = query.matcher(), list[Any]()
    for part in parts:
        matcher.push(pa.RecordBatch.from_pylist(part))
        told += matcher.take_violations()
        matcher = query.matcher(from_bytes(to_bytes(matcher.snapshot()))) if stored else matcher
    return told


def by_definition(constraints: str, events: list[Event]) -> list[tuple[int, str, int]]:
    """The cases cut where they end, each one a word."""
    (group,) = parse_constraints(constraints).groups
    words: dict[int, list[list[Event]]] = {}
    for event in events:
        own = words.setdefault(event["id"], [[]])
        if event["event"] in group.until:
            own.append([])
        own[-1].append(event)
    cases = [(case, part) for case, parts in words.items() for part in parts]
    return sorted(
        (case, constraint, part[at]["ts"])
        for case, part in cases
        for constraint, at in broken(tuple(event["event"] for event in part), group.constraints)
    )


@pytest.mark.parametrize("constraints", GROUPS)
@pytest.mark.parametrize("seed", range(12))
def test_what_is_told_is_what_each_of_the_cases_breaks(constraints: str, seed: int) -> None:
    chance = random.Random(seed)
    events = [{"event": chance.choice(TYPES), "ts": ts, "id": chance.randrange(3)} for ts in range(40)]
    expected = by_definition(constraints, events)
    cuts = sorted(chance.sample(range(1, 40), 3))
    parts = [events[low:high] for low, high in zip([0, *cuts], [*cuts, 40], strict=True)]
    for given, stored in (([events], False), (parts, False), (parts, True)):
        told = pushed(constraints, given, stored=stored)
        assert sorted((case, name, event["ts"]) for (case,), name, event in told) == expected


def test_a_restart_changes_nothing() -> None:
    events = stream("GONE DOOR SHELF GONE FITTING SHELF DOOR SHELF GONE SHELF")
    told = pushed(GONE, [[event] for event in events], stored=True)
    assert [(name, event["ts"]) for _, name, event in told] == [
        ("prior(FITTING, GONE)", 4),
        ("prior(SHELF, GONE)", 5),
        ("prior(SHELF, GONE)", 9),
    ]


def test_a_breach_knows_when_the_event_before_came_and_whether_it_is_the_cases_first() -> None:
    told = pushed(GONE, [stream("SHELF GONE FITTING SHELF GONE SHELF")])
    assert [(each[2]["ts"], each.since, each.first) for each in told] == [
        (2, 1, True),
        (3, 2, False),
        (5, 4, True),
    ]


def test_of_what_only_comes_too_late_nothing_is_remembered() -> None:
    query = sase.compile("EVENT GONE WHERE [id] AND 1 = 2", constraints=GONE)
    matcher = query.matcher()
    for case in range(100):
        matcher.push(stream("SHELF FITTING", case)[:1])
    assert matcher.snapshot().cases[0].values == ()
    matcher.push(stream("GONE", 7))
    assert matcher.snapshot().cases[0].values == ((7,),)
    matcher.push(stream("DOOR", 7))
    assert matcher.snapshot().cases[0].values == ()


def test_queries_are_left_alone_because_a_match_may_reach_over_the_end_of_a_case() -> None:
    query = sase.compile("EVENT SEQ(B b, A a) WHERE [id]", constraints="prior(A, B) BY id UNTIL C")
    assert "only watched" in query.explain()
    assert len(list(query.match(stream("B C A")))) == 1


def test_it_is_written_as_it_is_read() -> None:
    text = "prior(A, B) BY id FOR 3600000 ms UNTIL C, D-E; exclusive(A, B) BY id UNTIL C"
    assert str(parse_constraints(text)) == text
    assert str(parse_constraints("prior(Until, B) BY until")) == "prior(Until, B) BY until"


@pytest.mark.parametrize(
    "text", ["prior(A, B) BY id UNTIL", "prior(A, B) BY id UNTIL C D", "prior(A, B) UNTIL C"]
)
def test_what_is_no_end_gets_words_and_a_caret(text: str) -> None:
    with pytest.raises(sase.QueryError) as caught:
        sase.compile("EVENT A", constraints=text)
    assert "^" in str(caught.value)

"""Every case file, through the oracle and through the engine."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sase
from sase.check.query import check
from sase.language import tree
from sase.language.parse import parse
from tests.sase.case import Case, Expected, load_all
from tests.sase.oracle import composites, worlds
from tests.sase.oracle.truth import enumerated

CASES = load_all()
ANSWERED = [case for case in CASES if not case.error]
REFUSED = [case for case in CASES if case.error]
COMPRESSED = [case for case in ANSWERED if "OUTPUT COMPRESSED" in case.query]
COMPOSED = [case for case in ANSWERED if any(match.type for match in case.matches)]


def named(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def read(text: str) -> tree.QueryTree:
    return check(parse(text), text)


def lines(matches: list[Any], expected: list[Expected], events: list[dict[str, Any]]) -> list[str]:
    """Matches as comparable text, with detection time and probability where the case states them."""
    timed = any(match.detected_at is not None for match in expected)
    likely = any(match.probability is not None for match in expected)
    return sorted(_line(match, events, timed, likely) for match in matches)


def _line(match: Any, events: list[dict[str, Any]], timed: bool, likely: bool) -> str:
    parts = (f"{name}={_labels(at, events)}" for name, at in sorted(match.events.items()))
    moment = f" @{match.detected_at}" if timed else ""
    return " ".join(parts) + moment + (f" ~{match.probability:.9f}" if likely else "")


def _labels(at: Any, events: list[dict[str, Any]]) -> str:
    """An event is given as its position, or, by the engine, as the very dict that came in."""
    if isinstance(at, list):
        return f"[{' '.join(_labels(each, events) for each in at)}]"
    return f"e{at + 1}" if isinstance(at, int) else f"e{[id(event) for event in events].index(id(at)) + 1}"


def engine_matches(case: Case) -> list[Any]:
    return list(enumerated(sase.compile(case.query).match(case.events)))


def facts(attributes: list[dict[str, Any]]) -> list[list[tuple[str, str]]]:
    """Composite events as comparable values; 3 and 3.0 are the same number."""
    return sorted(sorted((name, _text(value)) for name, value in each.items()) for each in attributes)


def _text(value: Any) -> str:
    return repr(float(value) if isinstance(value, int) and float(value) == value else value)


@named(ANSWERED)
def test_the_oracle_gives_what_the_case_says(case: Case) -> None:
    found = worlds.matches(read(case.query), case.events)
    assert lines(found, case.matches, case.events) == lines(case.matches, case.matches, case.events)


@named(ANSWERED)
def test_the_engine_gives_what_the_case_says(case: Case) -> None:
    found = engine_matches(case)
    assert lines(found, case.matches, case.events) == lines(case.matches, case.matches, case.events)


@named(COMPOSED)
def test_the_oracle_composes_what_the_case_says(case: Case) -> None:
    query = read(case.query)
    found = [composites.attributes(query, match, case.events) for match in worlds.matches(query, case.events)]
    assert {match.type for match in case.matches} == {query.into}
    assert facts(found) == facts([match.attributes or {} for match in case.matches])


@named(COMPOSED)
def test_the_engine_composes_what_the_case_says(case: Case) -> None:
    found = engine_matches(case)
    assert [match.event["event"] for match in found] == [match.type for match in case.matches]
    assert facts([match.attributes for match in found]) == facts([m.attributes or {} for m in case.matches])


@named(COMPRESSED)
def test_compressed_output_has_one_result_per_last_event(case: Case) -> None:
    results = list(sase.compile(case.query).match(case.events))
    assert len(results) == len({match.positions[-1] for match in enumerated(results)})


@named(REFUSED)
def test_what_is_no_query_is_refused_with_a_reason(case: Case) -> None:
    with pytest.raises(sase.QueryError, match=f"(?i){re.escape(case.error or '')}"):
        sase.compile(case.query)

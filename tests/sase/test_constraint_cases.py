"""Every case of constraints: matches, breaches, and what is kept."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sase
from tests.sase.case import Case
from tests.sase.constraint_case import ConstraintCase, load_all
from tests.sase.oracle.truth import enumerated
from tests.sase.test_cases import lines

CASES = load_all()
ANSWERED = [each for each in CASES if not each.case.error]
REFUSED = [each for each in CASES if each.case.error]


def named(cases: list[ConstraintCase]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("each", cases, ids=[each.case.name for each in cases])


def expected(case: Case) -> list[str]:
    return lines(case.matches, case.matches, case.events)


@named(ANSWERED)
@pytest.mark.parametrize("stacks", [True, False])
def test_the_engine_gives_what_the_case_says(each: ConstraintCase, stacks: bool) -> None:
    case, options = each.case, sase.Options(stacks=stacks)
    matcher = sase.compile(case.query, options=options, constraints=each.constraints).matcher()
    found: list[Any] = list(enumerated(matcher.push(case.events)))
    told = [(constraint, _place(event, case)) for _, constraint, event in matcher.violations]
    assert told == each.broken
    if each.kept is not None:
        kept = [place for own in matcher.snapshot().kept for part in own for place in part.positions.tolist()]
        assert sorted(kept) == each.kept
    found += enumerated(matcher.finish())
    assert lines(found, case.matches, case.events) == expected(case)


@named([each for each in ANSWERED if not each.broken])
def test_a_case_that_obeys_has_the_matches_that_it_has_without(each: ConstraintCase) -> None:
    plain = list(enumerated(sase.compile(each.case.query).match(each.case.events)))
    places = [match.positions for match in plain]
    beside = sase.compile(each.case.query, constraints=each.constraints).match(each.case.events)
    assert sorted(places) == sorted(match.positions for match in enumerated(beside))


@named(REFUSED)
def test_what_can_never_match_is_refused(each: ConstraintCase) -> None:
    with pytest.raises(sase.QueryError, match=re.escape(each.case.error or "")):
        sase.compile(each.case.query, constraints=each.constraints)


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 50


def _place(event: dict[str, Any], case: Case) -> int:
    return [id(one) for one in case.events].index(id(event))

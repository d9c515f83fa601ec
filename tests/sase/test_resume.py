"""A matcher that is stopped anywhere and rebuilt from its snapshot goes on as if nothing had happened."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from tests.sase.case import Case, load_all
from tests.sase.effort import examples
from tests.sase.oracle.truth import END, Truth
from tests.sase.queries import Trial, trials

ANSWERED = [case for case in load_all() if not case.error]


def resumed(trial: Trial, stops: set[int]) -> list[Any]:
    """All matches, with a new matcher from a snapshot before each of these positions."""
    query = sase.compile(trial.query)
    matcher = query.matcher()
    found: list[Any] = []
    for position, event in enumerate(trial.events):
        matcher = query.matcher(snapshot=matcher.snapshot()) if position in stops else matcher
        found += matcher.push([event])
    return [*found, *matcher.advance(END)]


def assert_nothing_is_lost(trial: Trial) -> None:
    truth, positions = Truth(trial), range(len(trial.events))
    expected = truth.expected(before=len(trial.events), time=END)
    for stops in [{position} for position in positions] + [set(positions)]:
        assert truth.found(resumed(trial, stops)) == expected, f"stopped before {stops}"


def caught_up(trial: Trial, snapshot: int, stop: int) -> list[Any]:
    """All matches; at `stop` a new matcher begins from the snapshot before and the events since then."""
    query = sase.compile(trial.query)
    matcher = query.matcher()
    found = [match for event in trial.events[:snapshot] for match in matcher.push([event])]
    saved = matcher.snapshot()
    found += [match for event in trial.events[snapshot:stop] for match in matcher.push([event])]
    matcher = query.matcher(snapshot=saved)
    matcher.replay(trial.events[snapshot:stop])
    found += [match for event in trial.events[stop:] for match in matcher.push([event])]
    return [*found, *matcher.advance(END)]


@pytest.mark.parametrize("case", ANSWERED, ids=[case.name for case in ANSWERED])
def test_every_case_can_be_stopped_anywhere(case: Case) -> None:
    events = [event | {"n": position} for position, event in enumerate(case.events)]
    assert_nothing_is_lost(Trial(case.query, events))


@examples(150)
@given(trials())
def test_random_trials_can_be_stopped_anywhere(trial: Trial) -> None:
    assert_nothing_is_lost(trial)


@examples(100)
@given(trials(negated_end=True))
def test_what_waits_for_its_deadline_can_be_stopped_anywhere(trial: Trial) -> None:
    assert_nothing_is_lost(trial)


@examples(150)
@given(trials(), st.data())
def test_an_old_snapshot_and_the_events_since_give_the_same(trial: Trial, data: st.DataObject) -> None:
    stop = data.draw(st.integers(0, len(trial.events)))
    snapshot = data.draw(st.integers(0, stop))
    truth = Truth(trial)
    expected = truth.expected(before=len(trial.events), time=END)
    assert truth.found(caught_up(trial, snapshot, stop)) == expected

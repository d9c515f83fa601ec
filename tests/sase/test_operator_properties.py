"""Operators with windows of their own against the oracle: plans, batches, time, resumption and replay."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from sase.operators import outlet
from sase.operators.tree import machine
from tests.sase.batches import MILLISECONDS, PLANS, batch, parts
from tests.sase.effort import examples
from tests.sase.operator_queries import operator_trials
from tests.sase.oracle.truth import END, Truth
from tests.sase.queries import Trial
from tests.sase.test_resume import assert_nothing_is_lost, caught_up

CUTS = st.lists(st.integers(0, 9), max_size=3)


def test_a_good_share_of_the_random_queries_has_outcomes() -> None:
    seen: list[bool] = []

    @examples(70)
    @given(operator_trials())
    def look(trial: Trial) -> None:
        seen.append(bool(Truth(trial).emitted))

    look()
    assert sum(seen) > len(seen) / 3


@examples(500)
@given(operator_trials())
def test_the_engine_finds_every_outcome_of_the_definition(trial: Trial) -> None:
    truth = Truth(trial)
    assert truth.found(sase.compile(trial.query).match(trial.events)) == truth.expected()


@examples(100)
@given(operator_trials())
def test_outcomes_come_out_in_the_order_of_time(trial: Trial) -> None:
    found = [match.detected_at for match in sase.compile(trial.query).match(trial.events)]
    assert all(one <= other for one, other in pairwise(found))


@examples(70)
@given(operator_trials())
def test_no_optimisation_changes_an_outcome(trial: Trial) -> None:
    truth = Truth(trial)
    for options in PLANS:
        found = sase.compile(trial.query, options=options).match(trial.events)
        assert truth.found(found) == truth.expected(), options


@examples(70)
@given(operator_trials())
def test_rings_that_begin_with_hardly_any_room_grow_and_change_nothing(trial: Trial) -> None:
    truth, query = Truth(trial), sase.compile(trial.query)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlet, "ROOM", 1)
        patch.setattr(machine, "FEWEST_SLOTS", 1)
        assert truth.found(query.match(trial.events)) == truth.expected()


@examples(70)
@given(operator_trials())
def test_one_event_at_a_time_gives_every_outcome_as_soon_as_it_is_known(trial: Trial) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    found: list[Any] = []
    for place, event in enumerate(trial.events, 1):
        found += matcher.push([event])
        assert truth.found(found) == truth.expected(before=place)


@examples(80)
@given(
    operator_trials(mixed=False),
    CUTS,
    st.sampled_from([pa.int64(), MILLISECONDS, pa.timestamp("us")]),
    st.sampled_from([pa.string(), pa.dictionary(pa.int32(), pa.string())]),
)
def test_arrow_batches_split_anywhere_change_no_outcome(
    trial: Trial, cuts: list[int], ts: pa.DataType, kind: pa.DataType
) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    batches = [batch(part, ts, kind) for part in parts(trial.events, cuts)]
    found = [match for each in batches for match in matcher.push(each)]
    assert truth.found(found) == truth.expected(before=len(trial.events))


@examples(80)
@given(operator_trials(waits=True), st.integers(0, 9), st.integers(0, 30))
def test_time_that_passes_ends_windows(trial: Trial, cut: int, later: int) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    come, coming = trial.events[:cut], trial.events[cut:]
    time = min([(come or trial.events)[-1]["ts"] + later, *(event["ts"] for event in coming)])
    found = [*matcher.push(come), *matcher.advance(time)]
    assert truth.found(found) == truth.expected(before=len(come), time=time)
    found += [*matcher.push(coming), *matcher.advance(END)]
    assert truth.found(found) == truth.expected(before=len(trial.events), time=END)


@examples(70)
@given(operator_trials(waits=True))
def test_time_that_passes_from_deadline_to_deadline_gives_the_same(trial: Trial) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    found = list(matcher.push(trial.events))
    while matcher.next_deadline is not None:
        assert matcher.next_deadline > trial.events[-1]["ts"]
        found += matcher.advance(matcher.next_deadline)
    assert truth.found(found) == truth.expected()


@examples(50)
@given(operator_trials())
def test_random_trees_can_be_stopped_anywhere(trial: Trial) -> None:
    assert_nothing_is_lost(trial)


@examples(100)
@given(operator_trials(waits=True))
def test_open_windows_can_be_stopped_anywhere(trial: Trial) -> None:
    assert_nothing_is_lost(trial)


@examples(50)
@given(operator_trials(), st.data())
def test_an_old_snapshot_of_a_tree_and_the_events_since_give_the_same(
    trial: Trial, data: st.DataObject
) -> None:
    stop = data.draw(st.integers(0, len(trial.events)))
    snapshot = data.draw(st.integers(0, stop))
    truth = Truth(trial)
    expected = truth.expected(before=len(trial.events), time=END)
    assert truth.found(caught_up(trial, snapshot, stop)) == expected

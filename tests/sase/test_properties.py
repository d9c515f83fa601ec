"""The engine against the oracle on random queries and streams: plans, batches, time and resumption."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from sase.operators import coding, outlet
from sase.operators.runs import machine as run_machine
from tests.sase.batches import MILLISECONDS, PLANS, SWITCHES, batch, parts
from tests.sase.effort import examples
from tests.sase.oracle.truth import END, Truth
from tests.sase.queries import Trial, trials

CUTS = st.lists(st.integers(0, 9), max_size=3)


def test_a_good_share_of_the_random_queries_has_matches() -> None:
    seen: list[bool] = []

    @examples(300)
    @given(trials())
    def look(trial: Trial) -> None:
        seen.append(bool(Truth(trial).emitted))

    look()
    assert sum(seen) > len(seen) / 4


@examples(1500)
@given(trials())
def test_the_engine_finds_what_the_oracle_finds(trial: Trial) -> None:
    truth = Truth(trial)
    assert truth.found(sase.compile(trial.query).match(trial.events)) == truth.expected()


@examples(300)
@given(trials())
def test_matches_come_out_in_the_order_in_which_they_are_known(trial: Trial) -> None:
    moments = Truth(trial).moments(sase.compile(trial.query).match(trial.events))
    assert moments == sorted(moments)


@examples(300)
@given(trials())
def test_no_optimisation_changes_an_answer(trial: Trial) -> None:
    truth = Truth(trial)
    for options in PLANS:
        found = sase.compile(trial.query, options=options).match(trial.events)
        assert truth.found(found) == truth.expected(), options


@examples(400)
@given(trials(), st.lists(st.booleans(), min_size=len(SWITCHES), max_size=len(SWITCHES)))
def test_no_combination_of_optimisations_changes_an_answer(trial: Trial, on: list[bool]) -> None:
    truth = Truth(trial)
    options = sase.Options(**dict(zip(SWITCHES, on, strict=True)))
    found = sase.compile(trial.query, options=options).match(trial.events)
    assert truth.found(found) == truth.expected()


@examples(300)
@given(trials(), st.booleans())
def test_tables_that_begin_with_hardly_any_room_grow_and_change_nothing(trial: Trial, merge: bool) -> None:
    truth, query = Truth(trial), sase.compile(trial.query, options=sase.Options(merge_runs=merge))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlet, "ROOM", 1)
        patch.setattr(run_machine, "FIRST_ROWS", 2)
        assert truth.found(query.match(trial.events)) == truth.expected()


@examples(150)
@given(trials())
def test_a_stream_split_at_any_point_gives_every_match_as_soon_as_it_is_known(trial: Trial) -> None:
    truth, query = Truth(trial), sase.compile(trial.query)
    for cut in range(len(trial.events) + 1):
        matcher = query.matcher()
        found = list(matcher.push(trial.events[:cut]))
        assert truth.found(found) == truth.expected(before=cut)
        found += matcher.push(trial.events[cut:])
        assert truth.found(found) == truth.expected(before=len(trial.events))


@examples(200)
@given(trials())
def test_one_event_at_a_time_gives_every_match_as_soon_as_it_is_known(trial: Trial) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    found: list[Any] = []
    for place, event in enumerate(trial.events, 1):
        found += matcher.push([event])
        assert truth.found(found) == truth.expected(before=place)


@examples(300)
@given(
    trials(mixed=False),
    CUTS,
    st.sampled_from([pa.int64(), MILLISECONDS, pa.timestamp("us")]),
    st.sampled_from([pa.string(), pa.dictionary(pa.int32(), pa.string())]),
)
def test_arrow_batches_split_anywhere_change_nothing(
    trial: Trial, cuts: list[int], ts: pa.DataType, kind: pa.DataType
) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    batches = [batch(part, ts, kind) for part in parts(trial.events, cuts)]
    found = [match for each in batches for match in matcher.push(each)]
    assert truth.found(found) == truth.expected(before=len(trial.events))


@examples(300)
@given(trials(), CUTS)
def test_forgetting_texts_after_every_push_changes_nothing(trial: Trial, cuts: list[int]) -> None:
    truth = Truth(trial)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coding, "FREE", -(10**6))
        matcher = sase.compile(trial.query).matcher()
        found = [match for part in parts(trial.events, cuts) for match in matcher.push(part)]
    assert truth.found(found) == truth.expected(before=len(trial.events))


@examples(300)
@given(trials(negated_end=True), st.integers(0, 9), st.integers(0, 30))
def test_time_that_passes_fires_what_is_due(trial: Trial, cut: int, later: int) -> None:
    truth, matcher = Truth(trial), sase.compile(trial.query).matcher()
    come, coming = trial.events[:cut], trial.events[cut:]
    time = min([(come or trial.events)[-1]["ts"] + later, *(event["ts"] for event in coming)])
    found = [*matcher.push(come), *matcher.advance(time)]
    assert truth.found(found) == truth.expected(before=len(come), time=time)
    found += [*matcher.push(coming), *matcher.advance(END)]
    assert truth.found(found) == truth.expected(before=len(trial.events), time=END)

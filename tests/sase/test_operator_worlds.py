"""Probabilities of operators' outcomes against the oracle that enumerates the worlds."""

from __future__ import annotations

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
from tests.sase.oracle.truth import END
from tests.sase.queries import Trial, dozen_trials
from tests.sase.test_operator_properties import CUTS
from tests.sase.test_worlds import Likely, shown


def test_a_good_share_of_the_random_queries_has_an_outcome_in_doubt_and_several_ways() -> None:
    doubted: list[bool] = []
    several: list[bool] = []

    @examples(70)
    @given(operator_trials(uncertain=6))
    def look(trial: Trial) -> None:
        query = sase.compile(trial.query)
        doubted.append(any(match.probability < 1 for match in query.match(trial.events)))
        several.append(query.plans[0].emission.likelihood.united)

    look()
    assert sum(doubted) > len(doubted) / 4
    assert sum(several) > len(several) / 10


@examples(400)
@given(operator_trials(uncertain=6))
def test_the_engine_gives_every_outcome_the_probability_of_its_worlds(trial: Trial) -> None:
    query, likely = sase.compile(trial.query), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(8)
@given(dozen_trials(operator_trials(uncertain=1)))
def test_a_dozen_events_in_doubt_are_as_exact_for_operators(trial: Trial) -> None:
    query, likely = sase.compile(trial.query), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(100)
@given(operator_trials(waits=True, uncertain=6), st.sampled_from(PLANS))
def test_no_optimisation_changes_the_probability_of_an_outcome(trial: Trial, options: sase.Options) -> None:
    query, likely = sase.compile(trial.query, options=options), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(100)
@given(operator_trials(uncertain=6))
def test_tables_with_hardly_any_room_change_no_probability(trial: Trial) -> None:
    query, likely = sase.compile(trial.query), Likely(trial)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlet, "ROOM", 1)
        patch.setattr(machine, "FEWEST_SLOTS", 1)
        assert likely.found(query.match(trial.events)) == likely.expected()


@examples(60)
@given(operator_trials(waits=True, uncertain=6))
def test_an_outcome_in_doubt_comes_as_soon_as_it_is_known(trial: Trial) -> None:
    likely, matcher = Likely(trial), sase.compile(trial.query).matcher()
    found: list[Any] = []
    for place, event in enumerate(trial.events, 1):
        found += matcher.push([event])
        assert likely.found(found) == likely.expected(before=place)


@examples(60)
@given(operator_trials(mixed=False, uncertain=6), CUTS)
def test_arrow_batches_split_anywhere_change_no_probability_of_an_outcome(
    trial: Trial, cuts: list[int]
) -> None:
    likely, matcher = Likely(trial), sase.compile(trial.query).matcher()
    batches = [batch(part, MILLISECONDS, pa.string()) for part in parts(trial.events, cuts)]
    found = [match for each in batches for match in matcher.push(each)]
    assert likely.found([*found, *matcher.advance(END)]) == likely.expected()


@examples(80)
@given(operator_trials(uncertain=6))
def test_a_tree_rebuilt_at_every_event_gives_the_very_same_probabilities(trial: Trial) -> None:
    query = sase.compile(trial.query)
    matcher, found = query.matcher(), []
    for event in trial.events:
        matcher = query.matcher(snapshot=matcher.snapshot())
        found += matcher.push([event])
    found += matcher.finish()
    told = sorted((shown(match), match.probability) for match in query.match(trial.events))
    assert sorted((shown(match), match.probability) for match in found) == told


def test_sets_of_events_that_are_needed_no_more_make_room() -> None:
    query = "EVENT NOTPRECEDES(A x, B y, 10 ms) HAVING PROBABILITY >= 0.1"
    matcher, found = sase.compile(query).matcher(), 0
    for start in range(0, 20_000, 100):
        events = [{"event": "AB"[ts % 2], "ts": ts, "prob": 0.9} for ts in range(start, start + 100)]
        found += len(
            matcher.push([event | {"prob": 0.2} if event["event"] == "B" else event for event in events])
        )
    assert found == 10_000
    (engine,) = matcher._engines
    assert len(engine._machine._outcomes.sets) < 4_000

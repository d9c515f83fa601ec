"""Probabilities against the oracle that enumerates the worlds: plans, batches and resumption."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sase
from sase.operators import outlet
from sase.operators.runs import machine as run_machine
from tests.sase.effort import examples
from tests.sase.oracle.truth import END, Truth, enumerated
from tests.sase.queries import STRATEGIES, Trial, dozen_trials, either_trials, trials
from tests.sase.test_properties import CUTS, MILLISECONDS, SWITCHES, batch, parts

UNCERTAIN = trials(uncertain=5)


def compiled(trial: Trial, options: sase.Options | None = None) -> sase.Query:
    """The query; a trial that is refused in words is none."""
    query = None
    with suppress(sase.QueryError):
        query = sase.compile(trial.query, options=options)
    assume(query is not None)
    assert query is not None
    return query


class Likely(Truth):
    """What the oracle says of a trial, and the engine's answer in the same form."""

    def found(self, results: Iterable[Any]) -> list[str]:
        """Each match must have the probability of the oracle's own with the same events."""
        matches = list(enumerated(results))
        chances = defaultdict(list)
        for match in self.all:
            chances[shown(match)].append(match.probability)
        for match in matches:
            told = chances[shown(match)]  # of operators' outcomes several: they differ in their moments too
            assert any(match.probability == pytest.approx(each, rel=1e-9) for each in told), (match, told)
        return super().found(matches)


def shown(match: Any) -> str:
    return f"{sorted((name, _positions(held)) for name, held in match.events.items())} @{match.detected_at}"


def _positions(held: Any) -> Any:
    if isinstance(held, list):
        return [_positions(each) for each in held]
    return held if isinstance(held, int) else held["n"]


def test_a_good_share_of_the_random_trials_has_a_match_in_doubt() -> None:
    seen: list[bool] = []

    @examples(200)
    @given(UNCERTAIN)
    def look(trial: Trial) -> None:
        matches = compiled(trial).match(trial.events)
        seen.append(any(match.probability < 1 for match in enumerated(matches)))

    look()
    assert sum(seen) > len(seen) / 5


@examples(500)
@given(UNCERTAIN)
def test_the_engine_gives_every_match_the_probability_of_its_worlds(trial: Trial) -> None:
    query, likely = compiled(trial), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(150)
@given(trials(strategies=STRATEGIES[:3], uncertain=5))
def test_so_does_every_strategy_that_may_not_skip(trial: Trial) -> None:
    query, likely = compiled(trial), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(150)
@given(trials(negated_end=True, uncertain=5))
def test_so_does_a_match_that_waits_for_its_deadline(trial: Trial) -> None:
    query, likely = compiled(trial), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(200)
@given(either_trials(uncertain=6), st.booleans())
def test_of_alternatives_in_doubt_the_match_that_completes_first_is_the_one(
    trial: Trial, stops: bool
) -> None:
    """HAVING unites the ways, then NON-OVERLAP chooses; also where the matcher is rebuilt at every event."""
    query, likely = compiled(trial), Likely(trial)
    matcher, found = query.matcher(), []
    for piece in [[event] for event in trial.events] if stops else [trial.events]:
        matcher = query.matcher(snapshot=matcher.snapshot())
        found += matcher.push(piece)
    assert likely.found([*found, *matcher.finish()]) == likely.expected()


@examples(8)
@given(dozen_trials(st.one_of(UNCERTAIN, either_trials(uncertain=1))))
def test_a_dozen_events_in_doubt_are_as_exact(trial: Trial) -> None:
    query = compiled(trial)
    likely = Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(150)
@given(UNCERTAIN, st.lists(st.booleans(), min_size=len(SWITCHES), max_size=len(SWITCHES)))
def test_no_combination_of_optimisations_changes_a_probability(trial: Trial, on: list[bool]) -> None:
    query, likely = compiled(trial, sase.Options(**dict(zip(SWITCHES, on, strict=True)))), Likely(trial)
    assert likely.found(query.match(trial.events)) == likely.expected()


@examples(100)
@given(UNCERTAIN, st.booleans())
def test_tables_that_begin_with_hardly_any_room_change_no_probability(trial: Trial, merge: bool) -> None:
    query, likely = compiled(trial, sase.Options(merge_runs=merge)), Likely(trial)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlet, "ROOM", 1)
        patch.setattr(run_machine, "FIRST_ROWS", 2)
        assert likely.found(query.match(trial.events)) == likely.expected()


@examples(100)
@given(trials(mixed=False, uncertain=5), CUTS)
def test_arrow_batches_split_anywhere_change_no_probability(trial: Trial, cuts: list[int]) -> None:
    query, likely = compiled(trial), Likely(trial)
    matcher = query.matcher()
    batches = [batch(part, MILLISECONDS, pa.string()) for part in parts(trial.events, cuts)]
    found = [match for each in batches for match in matcher.push(each)]
    assert likely.found([*found, *matcher.advance(END)]) == likely.expected()


@examples(200)
@given(
    st.one_of(
        UNCERTAIN,
        trials(strategies=STRATEGIES[:3], uncertain=5),
        trials(negated_end=True, uncertain=5),
        either_trials(uncertain=6),
    ),
    st.integers(1, 6),
    st.booleans(),
)
def test_what_is_under_way_when_the_first_event_in_doubt_comes_goes_on_exactly(
    trial: Trial, certain: int, resumed: bool
) -> None:
    """Partial and waiting matches of certain batches, which nobody has weighed; also after a resume."""
    before = [_sure(event) for event in trial.events[:certain]]
    trial = Trial(trial.query, before + trial.events[certain:])
    query, likely = compiled(trial), Likely(trial)
    matcher = query.matcher()
    found = list(matcher.push(before))
    matcher = query.matcher(snapshot=matcher.snapshot()) if resumed else matcher
    found += [match for event in trial.events[certain:] for match in matcher.push([event])]
    assert likely.found([*found, *matcher.finish()]) == likely.expected()


def _sure(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != "prob"}


@examples(100)
@given(UNCERTAIN)
def test_a_matcher_rebuilt_at_every_event_gives_the_very_same_probabilities(trial: Trial) -> None:
    query = compiled(trial)
    matcher, found = query.matcher(), []
    for event in trial.events:
        matcher = query.matcher(snapshot=matcher.snapshot())
        found += matcher.push([event])
    found += matcher.finish()
    told = {shown(match): match.probability for match in enumerated(query.match(trial.events))}
    assert {shown(match): match.probability for match in enumerated(found)} == told

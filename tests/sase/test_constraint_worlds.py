"""Constraints beside HAVING: only events that have surely happened prune or break."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

import sase
from sase.constraints.declared import Constraint
from tests.sase.batches import parts
from tests.sase.effort import examples
from tests.sase.oracle import obedience
from tests.sase.oracle.truth import END
from tests.sase.queries import Draw
from tests.sase.test_constraints import CUTS, TYPES, constraints, keys, text_of

PATTERNS = (
    "EVENT SEQ(A a, B b)",
    "EVENT SEQ(A a, B b, A c)",
    "EVENT SEQ(A a, !(C c), B b)",
    "EVENT SEQ(A a, !(C c))",
    "EVENT SEQ(AND(A a, B b), D d)",
    "EVENT SEQ(A a, B+ b[])",
)
MOST_DOUBTED = 4  # a case has no more events that may not have happened: each doubles the worlds
Word = tuple[str, ...]


@st.composite
def doubted_streams(draw: Draw) -> list[dict[str, Any]]:
    """Two cases; some events may not have happened."""
    kinds = draw(st.lists(st.sampled_from(TYPES), min_size=2, max_size=9))
    events = [
        {"event": kind, "ts": 3 * n, "id": draw(st.integers(1, 2)), "n": n} for n, kind in enumerate(kinds)
    ]
    for event in events:
        if draw(st.integers(0, 2)) == 0:
            event["prob"] = draw(st.sampled_from((0.3, 0.6, 0.9)))
    assume(all(len(_doubted(events, case)) <= MOST_DOUBTED for case in (1, 2)))
    return events


def _doubted(events: list[dict[str, Any]], case: int) -> list[dict[str, Any]]:
    return [event for event in events if event["id"] == case and "prob" in event]


@st.composite
def queries(draw: Draw) -> str:
    pattern, least = draw(st.sampled_from(PATTERNS)), draw(st.sampled_from((0.05, 0.4, 0.8)))
    return f"{pattern} WHERE [id] WITHIN {draw(st.sampled_from((9, 40)))} ms HAVING PROBABILITY >= {least}"


def worlds(events: list[dict[str, Any]], case: int) -> list[Word]:
    """What may have happened to a case."""
    own = [event for event in events if event["id"] == case]
    choices = [("prob" not in event, True) for event in own]
    happened = {tuple(each) for each in product(*({*choice} for choice in choices))}
    return [tuple(event["event"] for event, here in zip(own, each, strict=True) if here) for each in happened]


def compiled(query: str, declared: tuple[Constraint, ...]) -> sase.Query:
    """A query that constraints make impossible is refused, doubt or not: that is tried elsewhere."""
    try:
        # No case is forgotten in these short streams.
        return sase.compile(query, constraints=f"{text_of(declared)} FOR 1 hour")
    except sase.QueryError:
        assume(False)
        raise


@examples(150)
@given(queries(), constraints(), doubted_streams(), CUTS)
def test_where_every_world_obeys_no_match_and_no_probability_changes(
    text: str, declared: tuple[Constraint, ...], events: list[dict[str, Any]], cuts: list[int]
) -> None:
    kept: list[dict[str, Any]] = []
    for event in events:
        grown = [*kept, event]
        if all(obedience.obeys(word, declared, TYPES) for word in worlds(grown, event["id"])):
            kept = grown
    query = compiled(text, declared)
    plain = keys(sase.compile(text).match(kept), detected=False)
    assert keys(query.match(kept), detected=False) == plain
    found, matcher = [], query.matcher()
    for piece in parts(kept, cuts):
        found += list(matcher.push(piece))
        assert matcher.violations == []
        matcher = query.matcher(matcher.snapshot())
    found += list(matcher.advance(END))
    assert keys(found, detected=False) == plain


@examples(150)
@given(queries(), constraints(), doubted_streams())
def test_nothing_is_told_broken_while_some_world_obeys(
    text: str, declared: tuple[Constraint, ...], events: list[dict[str, Any]]
) -> None:
    matcher = compiled(text, declared).matcher()
    matcher.push(events)
    for (case,), _, event in matcher.violations:
        assert "prob" not in event
        so_far = events[: event["n"] + 1]
        assert not any(obedience.obeys(word, declared, TYPES) for word in worlds(so_far, case))


@examples(80)
@given(queries(), constraints(), doubted_streams())
def test_what_is_certain_breaks_as_if_nothing_else_had_come(
    text: str, declared: tuple[Constraint, ...], events: list[dict[str, Any]]
) -> None:
    """Of constraints that demand nothing: what they demand may have come with an event in doubt."""
    assume(all(each.form in ("prior", "exclusive") or each.denies for each in declared))
    query = compiled(text, declared)
    whole, sure = query.matcher(), query.matcher()
    whole.push(events)
    sure.push([event for event in events if "prob" not in event])
    assert whole.violations == sure.violations


def test_the_random_streams_prune_break_and_stay_in_doubt() -> None:
    seen: list[tuple[bool, bool, bool]] = []

    @examples(150)
    @given(queries(), constraints(), doubted_streams())
    def look(text: str, declared: tuple[Constraint, ...], events: list[dict[str, Any]]) -> None:
        matcher = compiled(text, declared).matcher()
        found = [*matcher.push(events), *matcher.finish()]
        doubted = any(match.probability < 1 for match in found)
        seen.append((doubted, bool(matcher.violations), matcher.dropped > 0))

    look()
    assert all(sum(column) > len(seen) / 25 for column in zip(*seen, strict=True))

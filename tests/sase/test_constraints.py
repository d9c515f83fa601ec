"""Constraints against their definition, and queries beside them against those without them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sase
from sase.constraints.completing import Demand, Prospects
from sase.constraints.declared import CaseGroup, Constraint
from sase.constraints.obeying import CaseRules, CaseState
from sase.constraints.parse import parse_constraints
from sase.events import table
from sase.language.parse import parse
from sase.operators import engine
from sase.plan.structure import structure
from tests.sase.batches import PLANS, parts
from tests.sase.effort import examples
from tests.sase.oracle import obedience
from tests.sase.oracle.truth import END, enumerated
from tests.sase.queries import STRATEGIES, Draw, Trial, trials

TYPES = ("A", "B", "C", "D")
CUTS = st.lists(st.integers(0, 12), max_size=3)
CLAUSES = re.compile(r"^(WITHIN|HAVING|OUTPUT)", re.MULTILINE)


@st.composite
def constraints(draw: Draw, most: int = 4) -> tuple[Constraint, ...]:
    return tuple(dict.fromkeys(draw(_constraint()) for _ in range(draw(st.integers(1, most)))))


@st.composite
def _constraint(draw: Draw) -> Constraint:
    form = draw(st.sampled_from(("prior", "prior", "prior", "exclusive", "require", "require", "clause")))
    names = draw(st.permutations(TYPES))
    if form != "clause":
        return Constraint(form, tuple(names[:2]))
    return Constraint(form, tuple(names[: draw(st.integers(2, 3))]), draw(st.booleans()))


def text_of(declared: tuple[Constraint, ...]) -> str:
    return f"{', '.join(map(str, declared))} BY id"


@st.composite
def constrained(draw: Draw, **how: Any) -> tuple[Trial, tuple[Constraint, ...]]:
    """A query partitioned by id, constraints that leave it a match, and a stream with their types."""
    trial, declared = draw(trials(mixed=False, **how)), draw(constraints())
    query = _partitioned(trial.query)
    try:
        sase.compile(query, constraints=text_of(declared))
    except sase.QueryError:
        assume(False)
    others = draw(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(TYPES)), max_size=4))
    events = list(trial.events)
    for place, kind in others:
        at = min(place, len(events) - 1)
        events.insert(at, {"event": kind, "ts": events[at]["ts"], "id": 1, "x": 1})
    return Trial(query, _numbered(events)), declared


def _partitioned(query: str) -> str:
    clause = CLAUSES.search(query)
    at = clause.start() if clause else len(query)
    return f"{query[:at].rstrip()}\nPARTITION BY id\n{query[at:]}".strip()


def _numbered(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event | {"n": n} for n, event in enumerate(events)]


class Cases:
    """The words of the cases of a stream; one is forgotten when a window has passed since its last event."""

    def __init__(self, query: str, declared: tuple[Constraint, ...]) -> None:
        window = sase.compile(query).window
        self._counts_events = window is not None and window.unit == "events"
        self._memory = END if window is None else window.size
        self._types = {name for each in declared for name in each.types} | sase.compile(query).types
        self._words: dict[Any, tuple[obedience.Word, int]] = {}

    def after(self, event: dict[str, Any], position: int) -> obedience.Word:
        """The word of the event's case with it."""
        clock = position if self._counts_events else event["ts"]
        word, seen_at = self._words.get(event["id"], ((), clock))
        return (*(word if clock - seen_at < self._memory else ()), event["event"])

    def note(self, event: dict[str, Any], position: int) -> obedience.Word:
        word = self.after(event, position)
        if event["event"] in self._types:
            self._words[event["id"]] = word, position if self._counts_events else event["ts"]
        return word


def obeying(trial: Trial, declared: tuple[Constraint, ...]) -> list[dict[str, Any]]:
    """Without the events after which their case could not obey any more."""
    cases = Cases(trial.query, declared)
    kept: list[dict[str, Any]] = []
    for event in trial.events:
        if obedience.obeys(cases.after(event, len(kept)), declared, TYPES):
            cases.note(event, len(kept))
            kept.append(event)
    return _numbered(kept)


def keys(results: Any, detected: bool = True) -> list[str]:
    return sorted(_key(match, detected) for match in enumerated(results))


def _key(match: Any, detected: bool) -> str:
    events = sorted((name, _places(held)) for name, held in match.events.items())
    known = match.detected_at if detected else ""
    return f"{events} {match.start} to {match.end} @{known} ~{match.probability:.6f}"


def _places(held: Any) -> Any:
    return [event["n"] for event in held] if isinstance(held, list) else held["n"]


@examples(250)
@given(constraints(), st.lists(st.sampled_from(TYPES), max_size=6))
def test_what_is_told_is_what_the_definition_says(declared: tuple[Constraint, ...], word: list[str]) -> None:
    matcher = sase.compile("EVENT A", constraints=text_of(declared)).matcher()
    matcher.push([{"event": name, "ts": ts, "id": 1} for ts, name in enumerate(word)])
    told = [(constraint, event["ts"]) for _, constraint, event in matcher.violations]
    assert told == obedience.broken(tuple(word), declared)


PATTERNS = (
    "SEQ(A a, B b)",
    "SEQ(A a, B b, C c)",
    "SEQ(A a, !(B n), C c)",
    "SEQ(A a, !(ANY(B, D) n), C c)",
    "AND(A a, B b)",
    "SEQ(AND(A a, B b), C c)",
    "SEQ(AND(A a, B b), !(D n), C c)",
    "SEQ(ANY(A, B) a, C c)",
    "SEQ(A a, A b)",
)


@examples(250)
@given(constraints(3), st.sampled_from(PATTERNS), st.lists(st.sampled_from(TYPES), max_size=3), st.data())
def test_what_cannot_complete_is_what_no_continuation_completes(
    declared: tuple[Constraint, ...], pattern: str, word: list[str], data: st.DataObject
) -> None:
    assume(obedience.obeys(tuple(word), declared, TYPES))
    shape = structure(parse(f"EVENT {pattern}").pattern)
    rules, state = CaseRules(CaseGroup(declared, ("id",))), CaseState()
    for name in word:
        if name in rules.bit:
            state, _ = rules.after(state, rules.bit[name])
    begun = data.draw(st.sampled_from(_begun_sets(shape)))
    # In twice as many events as there are components and types every order there is comes up.
    futures = [more for more in _longer(declared, tuple(word)) if _completes(shape, begun, more)]
    found = Prospects(rules, Demand(shape, shape.negatives)).possible(state, begun)
    assert found == bool(futures)


def _begun_sets(shape: Any) -> list[frozenset[int]]:
    found = [frozenset[int]()]
    for begun in found:
        for c, component in enumerate(shape.components):
            more = begun | {c}
            if c not in begun and component.after <= begun and more not in found:
                found.append(more)
    return found


def _longer(declared: tuple[Constraint, ...], word: obedience.Word) -> Any:
    """Continuations in which a type may come twice, as a query may ask for it twice."""
    for more in obedience.continuations((*TYPES, "A")):
        if all(obedience.holds(each, word + more) for each in declared):
            yield more


def _completes(shape: Any, begun: frozenset[int], more: obedience.Word) -> bool:
    return _placed(shape, dict.fromkeys(begun, -1), more)


def _placed(shape: Any, at: dict[int, int], more: obedience.Word) -> bool:
    missing = [c for c in range(len(shape.components)) if c not in at]
    if not missing:
        return all(_absent(negative, at, more) for negative in shape.negatives)
    c = missing[0]
    component = shape.components[c]
    low = max((at[b] for b in component.after), default=-1)
    taken = {place for place in at.values() if place >= 0}
    return any(
        _placed(shape, at | {c: place}, more)
        for place in range(low + 1, len(more))
        if more[place] in component.types and place not in taken
    )


def _absent(negative: Any, at: dict[int, int], more: obedience.Word) -> bool:
    low, high = max(at[c] for c in negative.low), min(at[c] for c in negative.high)
    return not any(name in negative.types for name in more[low + 1 : max(high, 0)])


@examples(120)
@given(constrained())
def test_on_a_stream_that_obeys_no_match_changes(case: tuple[Trial, tuple[Constraint, ...]]) -> None:
    trial, declared = case
    events = obeying(trial, declared)
    plain = keys(sase.compile(trial.query).match(events), detected=False)
    for options in (None, sase.Options(stacks=False), *PLANS[-1:]):
        query = sase.compile(trial.query, options=options, constraints=text_of(declared))
        assert keys(query.match(events), detected=False) == plain
        matcher = query.matcher()
        matcher.push(events)
        assert matcher.violations == []


@examples(100)
@given(constrained(negated_end=True))
def test_a_negated_end_is_reported_when_nothing_can_rule_it_out(
    case: tuple[Trial, tuple[Constraint, ...]],
) -> None:
    trial, declared = case
    events = obeying(trial, declared)
    query = sase.compile(trial.query, constraints=text_of(declared))
    plain = list(enumerated(sase.compile(trial.query).match(events)))
    early = query.window.unit != "events" and query.tree.output != "NON-OVERLAP"
    expected = [
        replace(
            match, detected_at=_settled_at(match, query, events, declared) if early else match.detected_at
        )
        for match in plain
    ]
    found = list(enumerated(query.match(events)))
    assert keys(found) == keys(expected)
    assert {match.event["ts"] for match in found} == {match.event["ts"] for match in plain}


def _settled_at(
    match: Any, query: sase.Query, events: list[dict[str, Any]], declared: tuple[Constraint, ...]
) -> int:
    """When the case has come so far that no event can come of a type that the query forbids at its end."""
    shape = structure(query.tree.pattern)
    types = {name for each in shape.negatives if not each.high for name in each.types}
    case = next(iter(match.events.values()))
    case = (case[0] if isinstance(case, list) else case)["id"]
    cases = Cases(query.text, declared)
    for position, event in enumerate(events):
        word = cases.note(event, position)
        if position < match.positions[-1] or event["id"] != case:
            continue
        if event["ts"] >= match.detected_at:
            break
        ends = obedience.futures(word, declared, sorted({*TYPES, *types}))
        if not any(types & {*more} for more in ends):
            return int(event["ts"])
    return int(match.detected_at)


@examples(40)
@given(constrained(), CUTS)
def test_on_any_stream_plans_splits_and_stops_change_nothing(
    case: tuple[Trial, tuple[Constraint, ...]], cuts: list[int]
) -> None:
    trial, declared = case
    assume("NON-OVERLAP" not in trial.query)
    query = sase.compile(trial.query, constraints=text_of(declared))
    whole = query.matcher()
    expected = keys([*whole.push(trial.events), *whole.finish()])
    for options in PLANS:
        other = sase.compile(trial.query, options=options, constraints=text_of(declared))
        assert keys(other.match(trial.events)) == expected, options
    for stops in (True, False):
        found, told = _in_pieces(query, parts(trial.events, cuts), stops)
        assert keys(found) == expected
        assert told == whole.violations


def _in_pieces(query: sase.Query, pieces: list[Any], stops: bool) -> tuple[list[Any], list[Any]]:
    """With little room, so that what is over is forgotten as soon as it can be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "FEW_KEPT", 0)
        patch.setattr(engine, "SPARSE", 2)
        patch.setattr(table, "LEAST_ROWS", 2)
        told, found, matcher = [], [], query.matcher()
        for piece in pieces:
            found += list(matcher.push(piece))
            told += matcher.take_violations()
            matcher = query.matcher(matcher.snapshot()) if stops else matcher
        found += list(matcher.advance(END))
    return found, told


@examples(60)
@given(constrained(), CUTS)
def test_non_overlap_goes_on_after_a_stop(
    case: tuple[Trial, tuple[Constraint, ...]], cuts: list[int]
) -> None:
    trial, declared = case
    assume("NON-OVERLAP" in trial.query)
    query = sase.compile(trial.query, constraints=text_of(declared))
    found, matcher = [], query.matcher()
    for piece in parts(trial.events, cuts):
        found += list(matcher.push(piece))
        matcher = query.matcher(matcher.snapshot())
    found += list(matcher.advance(END))
    assert keys(found) == keys(query.match(trial.events))


def test_the_random_queries_have_matches_prune_and_break() -> None:
    seen: list[tuple[bool, bool]] = []

    @examples(60)
    @given(constrained(strategies=STRATEGIES[2:]))
    def look(case: tuple[Trial, tuple[Constraint, ...]]) -> None:
        trial, declared = case
        query = sase.compile(trial.query, constraints=text_of(declared))
        matcher = query.matcher()
        found = len(list(matcher.push(trial.events))) + len(list(matcher.finish()))
        seen.append((found > 0, bool(matcher.violations)))

    look()
    assert sum(found for found, _ in seen) > len(seen) / 8
    assert sum(broken for _, broken in seen) > len(seen) / 8


def test_the_same_constraints_print_as_they_are_read() -> None:
    text = "prior(A, B), A AND C-D => NOT E BY id, `a b` FOR 1 day; exclusive(A, E) BY id"
    read = parse_constraints(text)
    assert parse_constraints(str(read)).groups == read.groups

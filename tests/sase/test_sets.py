"""Sets of queries over one stream: each gives exactly what it gives alone, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sase
from sase.operators import coding
from sase.results.matches import Matches
from tests.sase.effort import examples
from tests.sase.operator_queries import operator_trials
from tests.sase.oracle.truth import END, Truth, enumerated
from tests.sase.queries import TYPES, Trial, streams, trials
from tests.sase.test_properties import MILLISECONDS, batch

STEPS = ("push", "push", "push", "push", "push arrow", "advance", "resume", "replay", "add", "remove")


@dataclass
class Together:
    """A set and, beside it, a matcher per query; whatever is done to one is done to the other."""

    coming: list[str]  # texts of queries that may yet be added
    together: sase.SetMatcher
    alone: dict[str, sase.Matcher]
    seen: list[dict[str, Any]] = field(default_factory=list)
    time: int = 0

    def compare(self, found: Mapping[str, Matches], single: Callable[[sase.Matcher], Matches]) -> None:
        expected = {name: told(single(matcher)) for name, matcher in self.alone.items()}
        assert {name: told(matches) for name, matches in found.items()} == expected
        for name, matcher in self.alone.items():
            assert figures(self.together.matchers[name]) == figures(matcher)

    def step(self, what: str, events: list[dict[str, Any]]) -> None:
        getattr(self, what.replace(" ", "_"))(events)

    def push(self, events: list[dict[str, Any]]) -> None:
        self._push(events, events)

    def push_arrow(self, events: list[dict[str, Any]]) -> None:
        self._push(events, batch(events, MILLISECONDS, pa.string()))

    def _push(self, events: list[dict[str, Any]], given: Any) -> None:
        relevant = self.together.relevant(given)
        assert (
            relevant.tolist()
            == [any(rows) for rows in zip(*(m.relevant(given) for m in self.alone.values()), strict=True)]
            or not self.alone
        )
        self.compare(self.together.push(given), lambda matcher: matcher.push(given))
        laid = {int(row) for matcher in self.together.matchers.values() for row in matcher.laid}
        assert sorted(laid) == [row for row, kept in enumerate(relevant) if kept]
        self.seen += events
        self.time = max([self.time, *(event["ts"] for event in events)])

    def advance(self, events: list[dict[str, Any]]) -> None:
        """As far as the next events allow."""
        self.time = max(self.time, events[0]["ts"]) if events else self.time
        self.compare(self.together.advance(self.time), lambda matcher: matcher.advance(self.time))
        self.push(events)

    def resume(self, events: list[dict[str, Any]]) -> None:
        queries = {name: sase.compile(name) for name in self.alone}
        self.together = sase.compile_all(queries).matcher(self.together.snapshot())
        self.alone = {name: query.matcher(self.alone[name].snapshot()) for name, query in queries.items()}
        self.push(events)

    def replay(self, events: list[dict[str, Any]]) -> None:
        self.together.replay(events)
        for matcher in self.alone.values():
            matcher.replay(events)
        self.seen += events
        self.time = max([self.time, *(event["ts"] for event in events)])

    def add(self, events: list[dict[str, Any]]) -> None:
        """One more, which is shown alone what the others have seen."""
        for text in self.coming[:1]:
            self.alone[text] = sase.compile(text).matcher()
            for matcher in (self.alone[text], self.together.add(text, sase.compile(text))):
                matcher.replay(self.seen)
                matcher.advance(self.time)
        del self.coming[:1]
        self.push(events)

    def remove(self, events: list[dict[str, Any]]) -> None:
        for name in list(self.alone)[:1]:
            del self.alone[name]
            self.together.remove(name)
        self.push(events)


def told(matches: Matches) -> list[Any]:
    return [(m.positions, m.detected_at, m.probability, m.attributes) for m in enumerated(matches)]


def figures(matcher: sase.Matcher) -> tuple[Any, ...]:
    return (
        matcher.live_events,
        matcher.live_matches,
        matcher.overflow,
        matcher.horizon,
        matcher.next_deadline,
    )


def begun(texts: list[str], at_first: int) -> Together:
    texts = list(dict.fromkeys(texts))
    queries = {text: sase.compile(text) for text in texts[:at_first]}
    alone = {text: query.matcher() for text, query in queries.items()}
    return Together(texts[at_first:], sase.compile_all(queries).matcher(), alone)


ANY_QUERY = st.one_of(trials(mixed=False), operator_trials(mixed=False))
QUERIES = st.lists(ANY_QUERY.map(lambda trial: trial.query), min_size=2, max_size=5)
SCRIPTS = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 6)), min_size=1, max_size=6)


@examples(100)
@given(QUERIES, streams(TYPES, 14, mixed=False), SCRIPTS, st.integers(0, 5))
def test_a_set_gives_what_each_query_gives_alone(
    texts: list[str], events: list[dict[str, Any]], script: list[tuple[str, int]], at_first: int
) -> None:
    both = begun(texts, at_first)
    for what, count in script:
        both.step(what, events[:count])
        events = events[count:]
    both.push(events)
    both.compare(both.together.advance(END), lambda matcher: matcher.advance(END))
    both.compare(both.together.finish(), lambda matcher: matcher.finish())


@examples(30)
@given(QUERIES, streams(TYPES, 14, mixed=True), st.integers(1, 6))
def test_codes_that_are_given_anew_change_nothing(
    texts: list[str], events: list[dict[str, Any]], size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coding, "MANY_KEYS", 0)
        both = begun(texts, len(texts))
        for start in range(0, len(events), size):
            both.push(events[start : start + size])


IN_DOUBT = st.one_of(trials(mixed=False, uncertain=4), operator_trials(mixed=False, uncertain=4))


@examples(100)
@given(st.lists(IN_DOUBT, min_size=2, max_size=4), st.integers(1, 6))
def test_a_set_of_queries_in_doubt_gives_what_each_gives_alone(several: list[Trial], size: int) -> None:
    texts = [trial.query for trial in several]
    both, events = begun(texts, len(texts)), several[0].events
    for start in range(0, len(events), size):
        both.push(events[start : start + size])
    both.compare(both.together.finish(), lambda matcher: matcher.finish())


def test_a_query_that_nothing_concerns_gives_the_one_empty_answer() -> None:
    matcher = sase.compile_all({"a": "EVENT SEQ(A x, B y)", "c": "EVENT SEQ(C x, D y)"}).matcher()
    first, second = (matcher.push([{"event": "A", "ts": ts}])["c"] for ts in (1, 2))
    assert first is second
    assert len(first) == 0


def test_rows_that_several_queries_want_are_kept_once() -> None:
    texts = {f"q{n}": f"EVENT SEQ(A x, B y) WHERE x.n > {n} WITHIN 1 min" for n in range(20)}
    rows = [{"event": kind, "ts": ts, "n": 99, "text": "long" * 10_000} for ts, kind in enumerate("AAAAC")]
    given, matcher = pa.RecordBatch.from_pylist(rows), sase.compile_all(texts).matcher()
    before = pa.total_allocated_bytes()
    matcher.push(given)
    assert matcher.live_events == 4 * 20
    assert pa.total_allocated_bytes() - before < 2 * given.nbytes


def test_a_text_that_is_no_query_says_which_query_it_is() -> None:
    with pytest.raises(sase.QueryError) as refused:
        sase.compile_all({"good": "EVENT A x", "bad": "EVENT"})
    assert refused.value.__notes__ == ["in the query 'bad'"]


def test_parameters_and_limits_hold_for_all_texts() -> None:
    texts = {name: f"EVENT SEQ({name} x, {name} y) WHERE x.n < $most" for name in "AB"}
    queries = sase.compile_all(texts, parameters={"most": 3}, limits=sase.Limits(matches_per_event=1))
    matcher = queries.matcher()
    matcher.push([{"event": name, "ts": n, "n": n} for n in range(6) for name in "AB"])
    assert [matcher.matchers[name].overflow for name in "AB"] == [7, 7]
    assert matcher.overflow == 14


def test_a_query_that_raises_leaves_the_set_and_the_others_go_on() -> None:
    texts = {"bad": "EVENT A x WHERE x.v = 1", "good": "EVENT A x"}
    matcher = sase.compile_all(texts).matcher()
    raised: dict[str, Exception] = {}
    events = [{"event": "A", "ts": 1, "v": {"a": {1: 2, "b": 3}}}]
    found = matcher.push(events, raised)
    assert {name: len(matches) for name, matches in found.items()} == {"good": 1}
    assert isinstance(raised["bad"], TypeError)
    assert list(matcher.matchers) == ["good"]


COMPETING = [
    "EVENT SEQ(A a, !(B n), C c) WHERE [id] AND (n.x > a.x OR n.y = c.y) WITHIN {} OUTPUT NON-OVERLAP",
    "EVENT SEQ(A a, C c, !(B n)) WHERE [id] AND (n.x > a.x OR n.x < 2) WITHIN {} OUTPUT NON-OVERLAP",
    "EVENT SEQ(A+ a[], !(B n), C c) WHERE skip_till_next_match(a[], c) "
    "{{ [id] AND (n.x > c.x OR a[i].x > a[i-1].x) }} WITHIN {} OUTPUT NON-OVERLAP",
    "EVENT AND(A a, B b, C c) WHERE [id] AND a.x <= b.x WITHIN {} OUTPUT NON-OVERLAP",
    "EVENT SEQ(!(B n), A a, C c) WHERE n.x > a.x OR n.y = c.y WITHIN {} OUTPUT NON-OVERLAP",
]


@examples(100)
@given(
    st.sampled_from(COMPETING),
    st.sampled_from(("5 ms", "10 ms", "6 events")),
    streams(TYPES, 13, mixed=False),
    st.integers(1, 13),
)
def test_alternatives_that_share_what_non_overlap_uses_up_take_whole_batches(
    query: str, window: str, events: list[dict[str, Any]], size: int
) -> None:
    truth = Truth(Trial(query.format(window), events))
    matcher = sase.compile(query.format(window)).matcher()
    found: list[Any] = []
    for start in range(0, len(events), size):
        found += matcher.push(events[start : start + size])
        assert truth.found(found) == truth.expected(before=min(start + size, len(events)))
    found += matcher.finish()
    assert truth.found(found) == truth.expected(before=END, time=END)

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
from tests.sase.oracle.truth import END, enumerated
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


QUERIES = st.lists(trials(mixed=False).map(lambda trial: trial.query), min_size=2, max_size=5)
SCRIPTS = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 6)), min_size=1, max_size=6)


@examples(250)
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


@examples(60)
@given(QUERIES, streams(TYPES, 14, mixed=True), st.integers(1, 6))
def test_codes_that_are_given_anew_change_nothing(
    texts: list[str], events: list[dict[str, Any]], size: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coding, "MANY_KEYS", 0)
        both = begun(texts, len(texts))
        for start in range(0, len(events), size):
            both.push(events[start : start + size])


@examples(60)
@given(st.lists(trials(mixed=False, uncertain=4), min_size=2, max_size=4), st.integers(1, 6))
def test_a_set_of_queries_in_doubt_gives_what_each_gives_alone(several: list[Trial], size: int) -> None:
    texts = [trial.query for trial in several if "NON-OVERLAP" not in trial.query]
    both, events = begun(texts, len(texts)), several[0].events
    for start in range(0, len(events), size):
        both.push(events[start : start + size])
    both.compare(both.together.finish(), lambda matcher: matcher.finish())
